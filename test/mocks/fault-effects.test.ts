import { readFileSync, writeFileSync } from 'node:fs'
import { setupServer } from 'msw/node'
import type { Fault, MockService } from 'rapport-sdk/mocks'
import { handlers } from 'rapport-sdk/mocks/msw'
import { listen } from 'rapport-sdk/mocks/node'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { baseUrl, setUp } from './set-up'

/** Ways to reach a service; each returns the base URL and the `fetch` for it. */
const transports = {
  'in process': (service: MockService) => [service.baseUrl, service.fetch] as const,
  msw(service: MockService) {
    const server = setupServer(...handlers(service))
    server.listen({ onUnhandledRequest: 'error' })
    onTestFinished(() => server.close())
    return [service.baseUrl, fetch] as const
  },
  async HTTP(service: MockService) {
    const server = await listen(service)
    onTestFinished(() => server.close())
    return [server.url, fetch] as const
  },
}

/** Sends a call that answers 204, and returns what the client sees; it gives up if there is no response. */
async function callThrough(transport: keyof typeof transports, fault: Fault) {
  const { service, ada, grace } = setUp()
  onTestFinished(() => service.close())
  const [url, fetch] = await transports[transport](service)
  service.faults.on('Create Relationship', fault)
  const patience = new AbortController()
  // The client gives up once the request has been handled as far as it ever will be.
  const unsubscribe = service.onEvent(({ type }) => {
    if (type === 'request' && 'loseResponse' in fault && fault.loseResponse === 'hang') patience.abort()
  })
  onTestFinished(unsubscribe)
  const init = { method: 'PUT', headers: { authorization: service.token(ada) }, body: '{}', signal: patience.signal }
  const seen = await fetch(`${url}/users/@me/relationships/${grace.id}`, init).then(
    ({ status }) => String(status),
    () => (patience.signal.aborted ? 'no response, until the client gives up' : 'no response'),
  )
  const tookEffect = service.relationships.between(ada, grace) === 4
  return { seen, tookEffect, service }
}

describe.each(Object.keys(transports) as (keyof typeof transports)[])('a lost response %s', (transport) => {
  it.each([
    ['reset', 'no response'],
    ['hang', 'no response, until the client gives up'],
  ] as const)('loseResponse: %s takes effect, and the client gets %s', async (loseResponse, expected) => {
    const { seen, tookEffect, service } = await callThrough(transport, { loseResponse })
    expect([seen, tookEffect]).toEqual([expected, true])
    expect(service.journal.requests).toMatchObject([
      { status: null, fault: 'loseResponse', reason: { source: 'fault', message: expect.stringContaining('(204)') } },
    ])
  })
})

it('a lost response of a refused call does not claim that the call took effect', async () => {
  const { service, as, ada } = setUp()
  service.faults.on('Create Relationship', { loseResponse: 'reset' })
  await expect(as(ada)('PUT /users/@me/relationships/1', {})).rejects.toThrow('fetch failed')
  const message = 'The request was refused, and its response (404) was lost.'
  expect(service.journal.requests).toMatchObject([{ status: null, reason: { source: 'fault', message } }])
})

it('a response that hangs is rejected when the service is closed', async () => {
  const { service } = setUp()
  service.faults.on('Get Location Metadata', { loseResponse: 'hang' })
  const waiting = service.fetch(`${baseUrl}/auth/location-metadata`)
  await expect.poll(() => service.journal.requests.length).toBe(1)
  await Promise.all([expect(waiting).rejects.toThrow('fetch failed'), service.close()])
})

describe('a fault that needs a body', () => {
  it.each([{ truncate: true }, { stall: true }, { bandwidth: 10 }] as const)(
    'is refused for an endpoint that answers without a body: %j',
    (fault) => {
      const { service } = setUp()
      const message = 'Create Relationship has no response body; use loseResponse'
      expect(() => service.faults.on('Create Relationship', fault)).toThrow(message)
      expect(() => service.faults.on('PUT /users/@me/relationships/{user.id}', fault)).toThrow(message)
      expect(() => service.faults.on('PUT /users/@me/relationships/1', fault)).toThrow(message)
      expect(service.faults.all()).toEqual([])
    },
  )

  it('it is skipped where it cannot apply if it is one of many endpoints, without using one of its times', async () => {
    const { service, ada, grace, as } = setUp()
    service.faults.on('*', { truncate: true, times: 1 })
    expect((await as(ada)(`PUT /users/@me/relationships/${grace.id}`, {})).status).toBe(204)
    const list = as(ada)('GET /users/@me/relationships')
    await expect(list).rejects.toThrow('fetch failed')
    expect(service.journal.requests).toMatchObject([
      { status: 204, fault: 'truncate (skipped: the endpoint has no response body)', reason: null },
      { fault: 'truncate' },
    ])
  })
})

const guide = new URL('../../docs/guides/testing-with-the-mock.md', import.meta.url)

/** Faults of the table, and what they are called there. */
const rows: readonly (readonly [title: string, fault: Fault])[] = [
  ['{ status: 502, body?, headers? }', { status: 502 }],
  ['{ status: 429, retryAfter: 30, global? }', { status: 429, retryAfter: 30 }],
  ['{ html: true }', { html: true }],
  ['{ malformedJson: true }', { malformedJson: true }],
  ['{ network: true }', { network: true }],
  ['{ reset: true }', { reset: true }],
  ['{ truncate: true }', { truncate: true }],
  ['{ stall: true }', { stall: true }],
  ["{ loseResponse: 'reset' }", { loseResponse: 'reset' }],
  ["{ loseResponse: 'hang' }", { loseResponse: 'hang' }],
  ["{ latency: '2s' }", { latency: '2s' }],
  ["{ delayRequest: '2s' }", { delayRequest: '2s' }],
  ['{ bandwidth: 200 }', { bandwidth: 200 }],
]

/** Waits until everything has happened that needs no timer. */
async function settle(): Promise<void> {
  for (let count = 0; count < 50; count++) await new Promise((resolve) => setImmediate(resolve))
}

/** Describes what a client sees that does not wait for a response that stops. */
async function describeResponse(responding: Promise<Response>, patience: AbortSignal): Promise<string> {
  const until = () => (patience.aborted ? ', until it gives up' : '')
  const response = await responding.catch(() => undefined)
  if (response === undefined) return `no response${until()}`
  const text = await response.text().catch(() => undefined)
  if (text === undefined) return `${response.status} and half a body${until()}`
  const isJson = response.headers.get('content-type') === 'application/json'
  const retryAfter = response.headers.get('retry-after')
  const body = isJson ? (text.endsWith('}') ? 'JSON' : 'invalid JSON') : 'the page of a proxy'
  return `${response.status} and ${body}${retryAfter === null ? '' : `, with \`Retry-After: ${retryAfter}\``}`
}

/** Describes what a client observes; one that has gone sees nothing. */
async function observe(fault: Fault, hasGone = false): Promise<readonly [seen: string, effect: string]> {
  const { service } = setUp()
  service.faults.on('Register Account', fault)
  const body = JSON.stringify({ username: 'linus', email: 'linus@example.com', password: 'correct horse battery' })
  const exists = () => service.users.find('linus@example.com') !== undefined
  const patience = new AbortController()
  const init = { method: 'POST', body, signal: patience.signal }
  let isOver = false
  const seen = describeResponse(service.fetch(`${baseUrl}/auth/register`, init), patience.signal).finally(() => {
    isOver = true
  })
  await settle()
  const [isAtOnce, isLate] = [exists(), !isOver]
  if (hasGone) patience.abort()
  await vi.advanceTimersByTimeAsync(2000)
  await settle()
  const isStuck = !isOver
  patience.abort()
  const effect = isAtOnce ? '**yes**, at once' : exists() ? 'yes, after the delay' : 'no'
  if (effect.startsWith('yes') && (await observe(fault, true))[1] === 'no') {
    return [`${await seen}, late`, `${effect}, unless the client has gone`]
  }
  return [`${await seen}${isLate && !isStuck ? ', late' : ''}`, effect]
}

it('the table of faults in the guide is what a client observes', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const observed: (readonly string[])[] = []
  for (const [title, fault] of rows) observed.push([`\`${title}\``, ...(await observe(fault))])
  const header = ['fault', 'the client sees', 'did the call take effect?']
  const lines = [header, ['---', '---', '---'], ...observed].map((cells) => `| ${cells.join(' | ')} |`)
  const table = lines.join('\n').replace('| --- | --- | --- |', '|---|---|---|')
  const text = readFileSync(guide, 'utf8')
  // `UPDATE_GUIDES=1 npm test -- fault-effects` writes it.
  if (process.env.UPDATE_GUIDES)
    writeFileSync(
      guide,
      text.replace(/\| fault \|[\s\S]*?\n\n/, () => `${table}\n\n`),
    )
  else expect(text).toContain(`\n${table}\n`)
})
