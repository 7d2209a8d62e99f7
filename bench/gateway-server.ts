// A gateway made with `ws`, in its own process so that its work is not measured. It exits with its parent.
// A client connects to `/<heartbeat interval in ms>/<name>`; the parent sends commands for that path.
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { type Ask, FRAME_BYTES, type Recovery } from './gateway-asks'

/** All sequence numbers have seven digits, so that all frames have the same size. No client receives one twice. */
const FIRST_SEQUENCE = 1_000_000
const FRAMES_A_WRITE = 500

/** State of one connection. */
interface Peer {
  readonly socket: WebSocket
  readonly stream: Duplex
  readonly intervalMs: number
  sequence: number
  isToFreeze: boolean
}

const peers = new Map<string, Peer>()
/** When each connection froze, until its client reconnects. */
const frozen = new Map<string, number>()

const text = JSON.stringify({
  op: 0,
  t: 'RELATIONSHIP_UPDATE',
  s: FIRST_SEQUENCE,
  d: { id: '80351110224678912', type: 1, nickname: '', since: '2026-01-01T00:00:00.000000+00:00' },
})
const payload = Buffer.from(text.replace('"nickname":""', `"nickname":"${'x'.repeat(FRAME_BYTES - text.length)}"`))
if (payload.length !== FRAME_BYTES) throw new Error(`a frame has ${payload.length} bytes`)
// The header of an unmasked text frame whose length takes two bytes.
const frame = Buffer.concat([Buffer.from([0x81, 126, 0, FRAME_BYTES]), payload])
const sequenceAt = frame.indexOf(String(FIRST_SEQUENCE))
/** Each event changes the nickname of the next of 10,000 users. */
const userAt = frame.indexOf('80351110224678912') + 13
const nicknameAt = frame.indexOf('xxxxxxx')
const template = Buffer.concat(Array.from({ length: FRAMES_A_WRITE }, () => frame))

/** Returns the next frames in wire format. */
function nextFrames(peer: Peer, count: number): Buffer {
  const frames = Buffer.from(template.subarray(0, count * frame.length))
  for (let at = 0; at < frames.length; at += frame.length) {
    peer.sequence += 1
    const digits = String(peer.sequence)
    frames.write(digits, at + sequenceAt, 'latin1')
    frames.write(digits.slice(-4), at + userAt, 'latin1')
    frames.write(digits, at + nicknameAt, 'latin1')
  }
  return frames
}

/**
 * Sends events, each in its own write (as a service does that sends an event at once), or many per write (as they arrive if
 * the client is slower than the service).
 */
async function flood(peer: Peer, count: number, isBundled: boolean): Promise<void> {
  for (let sent = 0; sent < count; sent += FRAMES_A_WRITE) {
    const frames = nextFrames(peer, Math.min(FRAMES_A_WRITE, count - sent))
    if (isBundled) peer.stream.write(frames)
    else {
      for (let at = 0; at < frames.length; at += frame.length)
        peer.socket.send(frames.subarray(at + frame.length - FRAME_BYTES, at + frame.length), { binary: false })
    }
    if (peer.stream.writableNeedDrain) await new Promise((resolve) => peer.stream.once('drain', resolve))
  }
}

const send = (peer: Peer, message: object) => peer.socket.send(JSON.stringify(message))

function handle(peer: Peer, path: string, { op }: { op?: unknown }): void {
  if (op === 1) {
    send(peer, { op: 11 })
    if (peer.isToFreeze) freeze(peer, path)
  }
  if (op === 2)
    send(peer, { op: 0, t: 'READY', s: peer.sequence, d: { session_id: path, auth_session_id_hash: 'hash' } })
  if (op === 6) {
    peer.sequence += 1
    send(peer, { op: 0, t: 'RESUMED', s: peer.sequence, d: {} })
  }
}

/** Stops reading and writing, like a host that lost its network. The last heartbeat was acknowledged. */
function freeze({ stream }: Peer, path: string): void {
  frozen.set(path, performance.now())
  stream.pause()
  stream.write = () => true
}

const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
server.on('connection', (socket, request) => {
  const path = new URL(request.url ?? '', 'ws://127.0.0.1').pathname
  const intervalMs = Number(path.split('/')[1])
  const { sequence = FIRST_SEQUENCE } = peers.get(path) ?? {}
  const peer: Peer = { socket, stream: request.socket, intervalMs, sequence, isToFreeze: false }
  peers.set(path, peer)
  const frozenAt = frozen.get(path)
  frozen.delete(path)
  // The next heartbeat follows after one interval; its acknowledgement is missing after another one.
  if (frozenAt !== undefined)
    process.send?.({ path, afterMissedMs: performance.now() - frozenAt - 2 * intervalMs } satisfies Recovery)
  socket.on('error', () => {})
  socket.on('message', (data) => handle(peer, path, JSON.parse(String(data))))
  send(peer, { op: 10, d: { heartbeat_interval: intervalMs } })
})
server.on('listening', () => process.send?.((server.address() as AddressInfo).port))

process.on('message', (ask: Ask) => {
  const peer = peers.get(ask.path)
  if (peer === undefined) throw new Error(`no client is connected to ${ask.path}`)
  if (ask.what === 'flood') void flood(peer, ask.count, ask.isBundled)
  if (ask.what === 'kill') peer.socket.terminate()
  if (ask.what === 'freeze') peer.isToFreeze = true
})
process.on('disconnect', () => process.exit())
