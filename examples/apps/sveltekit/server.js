import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { requestListener } from 'rapport-sdk/node'
import { attachGateway } from 'rapport-sdk/server'
import { handler as pages } from './build/handler.js'
import { sessions } from './sessions.js'

// One server for the pages, the calls below `/rapport`, and the gateway.

const { PORT = '3000', ORIGIN = 'https://localhost:3000', GATEWAY_URL = 'ws://localhost:4817/gateway' } = process.env
const { TLS_CERT = 'cert.pem', TLS_KEY = 'key.pem' } = process.env

const calls = requestListener(sessions(), ORIGIN)
const tls = { cert: readFileSync(TLS_CERT), key: readFileSync(TLS_KEY) }
const server = createServer(tls, (request, response) => {
  if (request.url?.startsWith('/rapport/')) void calls(request, response)
  else pages(request, response, () => {})
})
attachGateway(server, sessions(), { url: GATEWAY_URL })
server.listen(Number(PORT), '127.0.0.1', () => console.log(`https://localhost:${Object(server.address()).port}`))
