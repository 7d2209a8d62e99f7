import { Session } from 'node:inspector'
import { pathToFileURL } from 'node:url'
import { Client, type GatewaySocketEvent } from 'rapport-sdk'

// Prints, as JSON, the files of `src/` that run in three flows, according to V8's precise coverage.

const inspector = new Session()
inspector.connect()
const post = (method: string, params?: object) =>
  new Promise<{ result: { url: string; functions: { ranges: { count: number }[] }[] }[] }>((resolve, reject) => {
    inspector.post(method, params, (error, result) => (error ? reject(error) : resolve(result as never)))
  })
await post('Profiler.enable')
await post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })

const root = pathToFileURL('src').href

/** Returns the files that have run since the last call. */
async function filesRun(): Promise<string[]> {
  const { result } = await post('Profiler.takePreciseCoverage')
  return result
    .filter(({ url, functions }) => url.startsWith(root) && functions.some(({ ranges }) => ranges[0]?.count))
    .map(({ url }) => url.slice(root.length + 1))
    .sort()
}

const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })
const baseUrl = 'https://service.example'

const reader = new Client({ baseUrl, token: 'token', fetch: async () => json([]) })
await reader.relationships.list()
await filesRun()
await reader.relationships.list()
const get = await filesRun()

async function stepUp(): Promise<void> {
  const client = new Client({
    baseUrl,
    token: 'token',
    onMfaRequired: () => ({ type: 'totp', code: '123456' }),
    fetch: async (url, { headers }) => {
      if (url.endsWith('/mfa/finish')) return json({ token: 'jwt' })
      if (headers['x-service-mfa-authorization'] === 'jwt') return new Response(null, { status: 204 })
      return json({ code: 60003, message: 'MFA', mfa: { ticket: 'ticket', methods: [{ type: 'totp' }] } }, 401)
    },
  })
  await client.relationships.delete('42')
}
await stepUp()
await filesRun()
await stepUp()
const stepUpFiles = await filesRun()

type Listener = (event: GatewaySocketEvent) => void
const listeners = new Map<string, Listener>()
class Socket {
  binaryType = ''
  constructor() {
    queueMicrotask(() => {
      listeners.get('open')?.({ type: 'open' })
      receive({ op: 10, d: { heartbeat_interval: 45_000 } })
    })
  }
  addEventListener(type: string, listener: Listener): void {
    listeners.set(type, listener)
  }
  send(data: string | ArrayBuffer): void {
    if (JSON.parse(String(data)).op !== 2) return
    queueMicrotask(() => receive({ op: 0, s: 1, t: 'READY', d: { session_id: 's', auth_session_id_hash: 'h' } }))
  }
  close(): void {
    listeners.get('close')?.({ type: 'close', code: 1000 })
  }
}
const receive = (frame: object) => listeners.get('message')?.({ type: 'message', data: JSON.stringify(frame) })
const add = (s: number) => {
  const relationship = { id: String(s), type: 1, nickname: null, user_ignored: false, user: { id: String(s) } }
  receive({ op: 0, s, t: 'RELATIONSHIP_ADD', d: relationship })
}

const follower = new Client({
  baseUrl,
  token: 'token',
  fetch: async () => json([]),
  gateway: { url: 'wss://gateway.example', WebSocket: Socket },
})
const store = follower.relationships.live()
let changes = 0
store.on('change', () => changes++)
await follower.gateway.connect()
await store.ready
add(2)
await filesRun()
add(3)
const event = await filesRun()
if (changes !== 2) throw new Error(`The store's listener was called ${changes} times instead of twice.`)
follower.dispose()
inspector.disconnect()
console.log(JSON.stringify({ get, stepUp: stepUpFiles, event }))
