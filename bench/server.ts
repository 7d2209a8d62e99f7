// An HTTP server in its own process, so that its work is not measured. It exits with its parent.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const relationships = Array.from({ length: 1000 }, (_, index) => ({
  id: `${80351110224678912n + BigInt(index)}`,
  type: 1,
  nickname: null,
  user: { id: `${80351110224678912n + BigInt(index)}`, username: `user-${index}`, global_name: null, avatar: null },
  is_spam_request: false,
  stranger_request: false,
  user_ignored: false,
  since: '2026-01-01T00:00:00.000000+00:00',
}))
const few = Buffer.from(JSON.stringify(relationships.slice(0, 20)))
const many = Buffer.from(JSON.stringify(relationships))

const server = createServer(({ url }, response) => {
  const body = url?.startsWith('/many') ? many : few
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body)
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
process.on('disconnect', () => process.exit())
