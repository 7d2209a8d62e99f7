// Calls endpoints that the API document does not show, through the same pipeline: token, retries, typed errors and a
// validated response. The messages endpoint below is made up; a small server on loopback implements it.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { Client, isApiError, isResponseMismatchError } from 'rapport-sdk'
import * as z from 'zod'

const Message = z.object({ id: z.string(), channel_id: z.string(), content: z.string() })
const token = 'a token of the example'

let failures = 1
const server = createServer(async (request, response) => {
  const respond = (status: number, body: unknown) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  const url = new URL(request.url ?? '/', 'http://loopback')
  if (request.headers.authorization !== token) return respond(401, { code: 0, message: 'Unauthorized' })
  if (request.method === 'POST') {
    const { content } = z.object({ content: z.string() }).parse(JSON.parse(await text(request)))
    const empty = { _errors: [{ code: 'REQUIRED', message: 'Write something.' }] }
    if (content === '') return respond(400, { code: 50035, message: 'Invalid Form Body', errors: { content: empty } })
    return respond(200, { id: '900', channel_id: '300', content })
  }
  if (failures-- > 0) return respond(503, { code: 0, message: 'Try again' })
  if (url.searchParams.get('limit') === '0') return respond(200, [{ id: 1 }])
  return respond(200, [{ id: '900', channel_id: '300', content: 'Hello' }])
})
await once(server.listen(0, '127.0.0.1'), 'listening')
const address = server.address()
assert(typeof address === 'object' && address !== null)

const client = new Client({ baseUrl: `http://127.0.0.1:${address.port}`, token, onResponseMismatch: 'throw' })
const path = '/channels/{channel.id}/messages'
const pathParams = { 'channel.id': '300' }

const sent = await client.request({ method: 'POST', path, pathParams, body: { content: 'Hello' }, schema: Message })
console.log(`Sent message ${sent.id} to channel ${sent.channel_id}: ${sent.content}`)

const { data, response } = await client
  .request({ path, pathParams, query: { limit: 50, before: undefined }, schema: z.array(Message) })
  .withResponse()
assert.equal(response.attempts, 2)
console.log(`Read ${data.length} message in ${response.attempts} attempts: ${new URL(response.url).search}`)

const refused: unknown = await client
  .request({ method: 'POST', path, pathParams, body: { content: '' } })
  .catch((error: unknown) => error)
assert(isApiError(refused))
console.log(
  `Rejected by the service: ${refused.fieldErrors.map((field) => `${field.path.join('.')}: ${field.message}`).join()}`,
)

const mismatch: unknown = await client
  .request({ path, pathParams, query: { limit: 0 }, schema: z.array(Message) })
  .catch((error: unknown) => error)
assert(isResponseMismatchError(mismatch))
console.log(`Does not match the schema: ${mismatch.issues.map((issue) => issue.path.join('.')).join(', ')}`)

server.close()
server.closeAllConnections()
