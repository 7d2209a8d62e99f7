// A suspended user: the token is sent in the body, never in `Authorization`. The API document does not show which paths accept
// it, so this example makes up `POST /account/standing` and implements it.
import assert from 'node:assert/strict'
import { Client, isPermissionError, isRequestValidationError } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'
import * as z from 'zod'

const service = createMockService()
const [login, password] = ['ada@example.com', 'correct horse battery']
const ada = service.users.create({ login, password, username: 'ada' })

let sent: { token: unknown; authorization: string | null } | undefined
const fetch: typeof globalThis.fetch = async (input, init) => {
  const request = new Request(input, init)
  if (!request.url.endsWith('/account/standing')) return service.fetch(request)
  const { token } = z.object({ token: z.string() }).parse(await request.json())
  sent = { token, authorization: request.headers.get('authorization') }
  return Response.json({ state: 'suspended', classifications: [{ id: '1', description: 'Spam' }] })
}
const client = new Client({ baseUrl: service.baseUrl, fetch })
await client.auth.login({ login, password })

// The API document does not show how the app receives the token either; the mock returns it.
const suspendedToken = service.users.suspend(ada)
const refused: unknown = await client.auth.login({ login, password }).catch((error: unknown) => error)
assert(isPermissionError(refused))
console.log(`Sign-in is refused: ${refused.serviceMessage}`)

const Standing = z.object({ state: z.string(), classifications: z.array(z.object({ description: z.string() })) })
const suspended = client.suspended(suspendedToken)
const standing = await suspended.request({ method: 'POST', path: '/account/standing', schema: Standing })
console.log(`Standing: ${standing.state}, for ${standing.classifications.map((one) => one.description).join()}`)
assert.deepEqual(sent, { token: suspendedToken, authorization: null })
console.log('The token was sent in the body, not in Authorization')

// A GET has no body, so it cannot carry the token.
try {
  await suspended.request({ path: '/account/standing' })
  assert.fail('a GET was expected to be refused')
} catch (error) {
  if (!isRequestValidationError(error)) throw error
  console.log(`Nothing was sent: ${error.issues.map(({ message }) => message).join('; ')}`)
}
