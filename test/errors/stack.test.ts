import { Client, isRapportError } from 'rapport-sdk'
import { expect, it } from 'vitest'
import { json, mfaRequired, noResponse, type Responder, serve } from '../servers/http-server'
import { reasonOf } from '../transport/rejection'

type Use = (client: Client) => Promise<unknown>

/** Returns the stack of the error of an async function that uses a client. */
async function stackOf(responders: readonly Responder[], use: Use, options: object = {}): Promise<string> {
  const server = await serve(...responders)
  const client = new Client({ baseUrl: server.url, token: 'ada', retry: 0, ...options })
  const error = await reasonOf(callOfTheApp(client, use))
  expect(error).toSatisfy(isRapportError)
  return (error as Error).stack ?? ''
}

async function callOfTheApp(client: Client, use: Use): Promise<unknown> {
  return await use(client)
}

const notFound = json(404, {})
const pending = json(200, { user_id: '1', mfa: true, ticket: 'a-ticket', totp: true })

it.each<[string, Responder[], Use, object?]>([
  ['an error response', [notFound], async (client) => await client.relationships.list()],
  ['withResponse', [notFound], async (client) => await client.relationships.list().withResponse()],
  ['catch', [notFound], async (client) => await client.relationships.list().catch((error) => Promise.reject(error))],
  ['Promise.all', [notFound], async (client) => await Promise.all([client.relationships.list(), 1])],
  ['a call whose parameters are invalid', [], async (client) => await client.relationships.delete('x')],
  ['a lost connection', [noResponse], async (client) => await client.relationships.list({ timeout: 50 })],
  ['a custom request', [notFound], async (client) => await client.request({ path: '/x' })],
  ['a deadline', [noResponse], async (client) => await client.relationships.list({ deadline: 50 })],
  ['a login', [notFound], async (client) => await client.auth.login({ login: 'a', password: 'correct horse' })],
  [
    'a refused second factor of a login',
    [pending, notFound, notFound, notFound],
    async (client) => await client.auth.login({ login: 'a', password: 'correct horse' }),
    { onMfaRequired: () => ({ type: 'totp', code: '000000' }) },
  ],
  [
    'a step-up that was cancelled',
    [mfaRequired('a-ticket', [{ type: 'totp' }])],
    async (client) => await client.auth.logout(),
    { onMfaRequired: () => null },
  ],
])('contains the frame of the code that awaits a call: %s', async (_, responders, use, options) => {
  const stack = await stackOf(responders, use, options)
  expect(stack).toMatch(/callOfTheApp \(.*stack\.test\.ts/)
  expect(stack.match(/callOfTheApp/g)).toHaveLength(1)
})

it('a stack stays short if many calls fail with one error', async () => {
  const server = await serve()
  server.fallback(() => noResponse)
  const client = new Client({ baseUrl: server.url, token: 'ada' })
  const calls = Array.from({ length: 500 }, () =>
    reasonOf(callOfTheApp(client, async () => await client.widgets.suggestedGames())),
  )
  await server.waitForRequests(1)
  client.dispose()
  const errors = await Promise.all(calls)
  expect(new Set(errors).size).toBe(1)
  expect((errors[0] as Error).stack?.length).toBeLessThan(20_000)
})

it('a stack may be of any type, if the app formats stacks itself', async () => {
  const { prepareStackTrace } = Error
  try {
    Error.prepareStackTrace = (_, sites) => sites
    const server = await serve(notFound)
    const error = await reasonOf(new Client({ baseUrl: server.url, token: 'ada' }).relationships.list())
    expect(Array.isArray((error as Error).stack)).toBe(true)
  } finally {
    Error.prepareStackTrace = prepareStackTrace
  }
})

it('the stack of an abort reason stays as it is', async () => {
  const server = await serve(noResponse)
  const client = new Client({ baseUrl: server.url, token: 'ada' })
  const control = new AbortController()
  const reason = new Error('the user left')
  const { stack } = reason
  const call = reasonOf(callOfTheApp(client, async () => await client.relationships.list({ signal: control.signal })))
  control.abort(reason)
  expect(await call).toBe(reason)
  expect(reason.stack).toBe(stack)
})
