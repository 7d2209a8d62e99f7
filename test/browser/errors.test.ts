import { expect, it } from 'vitest'
import { browserHarness } from './harness/browser-harness'

const harness = browserHarness()

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
