// Loaded before a program that starts a mock on any free port and calls it. The mock gets the port UPSTREAM, and its calls
// go through the validating proxy at PROXY. Appends one line per call to the file CALLS: status, method, path, violations.
import { appendFileSync } from 'node:fs'
import { Server } from 'node:net'

const { UPSTREAM = '', PROXY = '', CALLS = '' } = process.env
const upstream = `http://127.0.0.1:${UPSTREAM}`

const { listen } = Server.prototype
Server.prototype.listen = function (port, ...rest) {
  return listen.call(this, port === 0 ? Number(UPSTREAM) : port, ...rest)
}

const send = globalThis.fetch
globalThis.fetch = async (input, init) => {
  const request = new Request(input, init)
  if (!request.url.startsWith(`${upstream}/`)) return send(request)
  const path = request.url.slice(upstream.length)
  const body = request.body === null ? undefined : await request.arrayBuffer()
  const { method, headers, signal } = request
  const response = await send(PROXY + path, { method, headers, signal, ...(body && { body }) })
  const violations = response.headers.get('sl-violations') ?? '[]'
  appendFileSync(CALLS, `${response.status} ${method} ${path} ${violations}\n`)
  return response
}
