import { expect, it } from 'vitest'
import { browserHarness } from './harness/browser-harness'

const harness = browserHarness({ shared: {} })

it('the stack of an error contains the function of the page that awaits the call', async () => {
  const { server } = await harness.serve()
  const page = await harness.open('page')
  const stacks = await page.evaluate(async (baseUrl) => {
    const client = new window.rapport.Client({ baseUrl, token: 'not a token' })
    const functions = {
      showFriends: async () => await client.relationships.list(),
      signIn: async () => await client.auth.login({ login: 'nobody@example.com', password: 'correct horse' }),
    }
    return Promise.all(Object.values(functions).map((run) => run().catch((error: Error) => String(error.stack))))
  }, server.url)
  expect(stacks).toEqual([
    expect.stringMatching(/AuthenticationError: (.|\n)*at async showFriends/),
    expect.stringMatching(/ApiError: (.|\n)*at async signIn/),
  ])
})

it('an aborted call that a worker reports is ignored on the page', async () => {
  const page = await harness.open('page')
  const restored = await page.evaluate(async () => {
    const { errorFromJSON, explain } = window.rapport
    const error = errorFromJSON(structuredClone(AbortSignal.abort().reason))
    return [error.name, explain(error).action]
  })
  expect(restored).toEqual(['AbortError', 'ignore'])
})

it('an error that a worker posts is explained on the page as in the worker', async () => {
  const { server } = await harness.serve()
  const page = await harness.open('page')
  const [sent, restored] = await page.evaluate(async (baseUrl) => {
    const { Client, errorFromJSON, explain, isRapportError } = window.rapport
    const error = await new Client({ baseUrl, token: 'x' }).relationships.list().catch((error: unknown) => error)
    if (!isRapportError(error)) throw error
    const { port1, port2 } = new MessageChannel()
    const received = new Promise((resolve) => {
      port2.onmessage = ({ data }) => resolve(data)
    })
    port1.postMessage(error.toJSON())
    return [explain(error), explain(errorFromJSON(await received))]
  }, server.url)
  expect(restored).toEqual(sent)
  expect(restored).toMatchObject({ title: 'Signed out', action: 'signIn' })
})

it('errors of an iframe stay readable as causes, and guards of the page work on those of its copy of the package', async () => {
  const { server } = await harness.serve()
  const page = await harness.open('page')
  const seen = await page.evaluate(async (baseUrl) => {
    const frame = document.body.appendChild(document.createElement('iframe'))
    frame.src = location.href
    await new Promise((resolve) => {
      frame.onload = resolve
    })
    // The frame runs the script of this page.
    const inner = frame.contentWindow as unknown as typeof globalThis & Window
    const { Client, explain, isApiError, isAuthenticationError, isConnectionError, isRapportError } = window.rapport
    const reasonOf = (call: Promise<unknown>) => call.then(String, (reason: unknown) => reason)
    const causeOf = (error: unknown) => {
      const cause: unknown = isRapportError(error) ? error.cause : undefined
      const { name, message } = Object(cause)
      return { name, message, isOfPage: cause instanceof Error }
    }

    const unreachable = { baseUrl: 'http://localhost:1', token: 'token-of-ada', retry: 0 } as const
    const lost = await reasonOf(new Client({ ...unreachable, fetch: inner.fetch.bind(inner) }).relationships.list())
    const full = () => Promise.reject(new inner.DOMException('The quota is exceeded.', 'QuotaExceededError'))
    const client = new Client({ baseUrl, tokenStore: { get: () => null, set: full } })
    await client.ready
    const unsaved = await reasonOf(client.session.setToken('token-of-ada'))
    const refused = await reasonOf(new inner.rapport.Client({ baseUrl, token: 'x' }).relationships.list())
    return {
      lost: { ...causeOf(lost), isCorsSuspected: isConnectionError(lost) && lost.isCorsSuspected },
      unsaved: causeOf(unsaved),
      guards: [isApiError, isAuthenticationError, isConnectionError].map((guard) => guard(refused)),
      refused: { isOfPage: refused instanceof Error, action: explain(refused).action },
    }
  }, server.url)
  expect(seen).toEqual({
    lost: { name: 'TypeError', message: 'Failed to fetch', isOfPage: false, isCorsSuspected: true },
    unsaved: { name: 'QuotaExceededError', message: 'The quota is exceeded.', isOfPage: false },
    guards: [true, true, false],
    refused: { isOfPage: false, action: 'signIn' },
  })
})
