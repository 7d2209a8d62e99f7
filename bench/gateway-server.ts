// A gateway of plain `ws` in a process of its own, so that its work is not the measured process's. It ends with its parent.
// A client connects to `/<heartbeat interval in ms>/<name>`, and the parent asks by that path for what is to happen to it.
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { type Ask, FRAME_BYTES, type Recovery } from './gateway-asks'

/** All numbers have seven digits, so that all frames have one size. The clients have none of them twice. */
const FIRST_SEQUENCE = 1_000_000
const FRAMES_A_WRITE = 500

/** One connection, as it is now. */
interface Peer {
  readonly socket: WebSocket
  readonly stream: Duplex
  readonly intervalMs: number
  sequence: number
  isToFreeze: boolean
}

const peers = new Map<string, Peer>()
/** When connections froze, for those whose clients have not come back. */
const frozen = new Map<string, number>()

const text = JSON.stringify({
  op: 0,
  t: 'RELATIONSHIP_UPDATE',
  s: FIRST_SEQUENCE,
  d: { id: '80351110224678912', type: 1, nickname: '', since: '2026-01-01T00:00:00.000000+00:00' },
})
const payload = Buffer.from(text.replace('"nickname":""', `"nickname":"${'x'.repeat(FRAME_BYTES - text.length)}"`))
if (payload.length !== FRAME_BYTES) throw new Error(`a frame is of ${payload.length} bytes`)
// The header of an unmasked text frame whose length takes two bytes.
const frame = Buffer.concat([Buffer.from([0x81, 126, 0, FRAME_BYTES]), payload])
const sequenceAt = frame.indexOf(String(FIRST_SEQUENCE))
/** Each event is about the next of 10,000 users, and gives another nickname. */
const userAt = frame.indexOf('80351110224678912') + 13
const nicknameAt = frame.indexOf('xxxxxxx')
const template = Buffer.concat(Array.from({ length: FRAMES_A_WRITE }, () => frame))

/** The next frames, as they are on the wire. */
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
 * Sends events, either one by one, as a service does when it has one, or many in a write, as they come when the client is
 * the slower of the two.
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

function hear(peer: Peer, path: string, { op }: { op?: unknown }): void {
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

/** From here on it neither reads nor answers, as a host whose cable is cut; its last beat is acknowledged. */
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
  // The next beat comes one interval after the acknowledged one, and is missed when another has gone by.
  if (frozenAt !== undefined)
    process.send?.({ path, afterMissedMs: performance.now() - frozenAt - 2 * intervalMs } satisfies Recovery)
  socket.on('error', () => {})
  socket.on('message', (data) => hear(peer, path, JSON.parse(String(data))))
  send(peer, { op: 10, d: { heartbeat_interval: intervalMs } })
})
server.on('listening', () => process.send?.((server.address() as AddressInfo).port))

process.on('message', (ask: Ask) => {
  const peer = peers.get(ask.path)
  if (peer === undefined) throw new Error(`nobody is connected to ${ask.path}`)
  if (ask.what === 'flood') void flood(peer, ask.count, ask.isBundled)
  if (ask.what === 'kill') peer.socket.terminate()
  if (ask.what === 'freeze') peer.isToFreeze = true
})
process.on('disconnect', () => process.exit())
