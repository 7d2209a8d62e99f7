import type { IncomingMessage, ServerResponse } from 'node:http'
import { Client } from 'rapport-sdk'
import { requestListener } from 'rapport-sdk/node'
import { createSessionHandler, dehydrate, serialize } from 'rapport-sdk/server'
import { renderToString } from 'react-dom/server'
import { expect, it, onTestFinished } from 'vitest'
import { browserHarness } from './harness/browser-harness'
import { waitOn } from './harness/wait-on'
import { createApp } from './pages/rendered-friends'

const harness = browserHarness()
const login = { login: 'ada@example.com', password: 'correct horse battery' }

// At most 32 characters, as the API allows. The script of the first two would set `name`.
it.each([
  '</script><script>name=1</script>',
  '--><img src=x onerror=name=1>',
  '<!--<script>&lt;\u2028\u2029"\'`\\u003c',
])(
  'a page rendered with the nickname %s shows it as text, in the markup and in its data, and runs no script',
  async (nickname) => {
    const { service, server } = await harness.serve()
    const [ada, grace] = [service.users.create(login), service.users.create({ login: 'grace@example.com' })]
    service.relationships.befriend(ada, grace)
    const { origin } = harness.pages
    const keys = [{ id: '1', key: crypto.getRandomValues(new Uint8Array(32)) }]
    const handler = createSessionHandler({ baseUrl: server.url, keys, origin })
    const parent = new Client({ baseUrl: server.url })
    const module = new Client({ baseUrl: origin, gateway: { url: server.gatewayUrl } })
    onTestFinished(() => {
      for (const client of [parent, module]) client.dispose()
    })

    const render = async ({ headers }: IncomingMessage, response: ServerResponse) => {
      const client = await handler.client({ headers: new Headers({ cookie: headers.cookie ?? '' }) }, parent)
      await client?.relationships.update(grace.id, { nickname })
      const initial = await dehydrate(client, { live: ['relationships'] })
      const markup = renderToString(createApp(module, initial))
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'private, no-store' })
      response.end(`<!doctype html><html lang="en"><meta charset="utf-8"><title>friends</title>
<body><div id="root">${markup}</div><script>globalThis.expression = ${serialize(initial)}</script>
<script type="application/json" id="initial">${serialize(initial)}</script><script type="module" src="/hydrated.js"></script></body></html>`)
    }
    const calls = requestListener(handler, origin)
    // No other file of the pages begins with this.
    harness.pages.mount('/rapport', (request, response) =>
      request.url === '/rapport-page' ? void render(request, response) : void calls(request, response),
    )
    const page = await harness.open('page')
    const status = await page.evaluate(async (body) => {
      const headers = { 'content-type': 'application/json' }
      return (await fetch('/rapport/auth/login', { method: 'POST', headers, body })).status
    }, JSON.stringify(login))
    expect(status).toBe(200)

    await page.goto(`${origin}/rapport-page`)
    await waitOn(page, () => document.body.dataset.status === 'hydrated')

    const shown = await page.evaluate(() => ({
      name: window.name,
      items: [...document.querySelectorAll('li')].map(({ textContent }) => textContent),
      expression: JSON.stringify(Reflect.get(globalThis, 'expression')),
      data: JSON.stringify(JSON.parse(document.getElementById('initial')?.textContent ?? '')),
      elements: [...document.querySelectorAll('script, img')].length,
      problem: document.body.dataset.problem,
    }))
    expect(shown).toMatchObject({ name: '', items: [nickname], elements: 3, problem: undefined })
    expect(shown.expression).toBe(shown.data)
    expect(JSON.parse(shown.data).live.relationships).toMatchObject([{ id: grace.id, nickname }])
  },
)
