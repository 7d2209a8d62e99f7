import { createHook } from 'node:async_hooks'
import { Server } from 'node:net'

/** Resources that act until someone ends them. A promise alone is none: what would settle it is. */
const KINDS =
  /^(Timeout|Immediate|MESSAGEPORT|WORKER|STATWATCHER|(FSREQ|GETADDRINFO).*|(TCP|TCPSERVER|TCPCONNECT|PIPE|PIPESERVER|PIPECONNECT|PROCESS|SIGNAL|FSEVENT|UDP|TTY)WRAP)$/

/** The runner's timers, and what a library keeps as long as the process. */
const IGNORED = /node_modules\/(vitest|@vitest|vite|msw|esbuild)\/|internal\/deps\/undici|\/test\/clean-process\.ts/

/** Returns the lines of the stack that are not Node's. */
function ownFrames(): { readonly own: readonly string[]; readonly all: readonly string[] } {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 50
  const [, , , ...all] = String(new Error().stack).split('\n')
  Error.stackTraceLimit = limit
  return { own: all.filter((frame) => !/[( ]node:(?!internal\/deps)/.test(frame)), all }
}

/** Records the timers, sockets, servers, processes, ports and pending operations that are created from now on. */
export function watchResources() {
  const alive = new Map<number, { readonly kind: string; readonly frames: readonly string[] }>()
  /** Calls of `listen` that have created no server yet: with a host, it does so later. */
  const listening: (readonly string[])[] = []
  const { listen } = Server.prototype
  Server.prototype.listen = function (this: Server, ...args: unknown[]) {
    listening.push(ownFrames().own)
    return Reflect.apply(listen, this, args)
  }
  const hook = createHook({
    init(id, kind, trigger) {
      if (kind === 'PROMISE' || !KINDS.test(kind)) return
      const { own, all } = ownFrames()
      // Nobody can end the timer of a signal, which has no listener any more, or that of Node's `Date` header, which is shared.
      if (all.some((frame) => /(timeout \(node:internal\/abort_controller|utcDate \(node:internal\/http)/.test(frame)))
        return
      const listened = /SERVERWRAP$/.test(kind) ? listening.shift() : undefined
      // Node accepts a connection without a frame: its server says where it is from. What has no origin at all is of Node.
      const frames = listened ?? (own.length > 0 ? own : alive.get(trigger)?.frames)
      if (frames !== undefined) alive.set(id, { kind, frames })
    },
    destroy: (id) => void alive.delete(id),
  })
  hook.enable()
  return {
    /** Returns the kind and the origin of each that has not ended. */
    left: () =>
      [...alive.values()]
        .filter(({ frames }) => !IGNORED.test(frames.find((frame) => !frame.includes('<anonymous>)')) ?? ''))
        .map(({ kind, frames }) => [kind, ...frames.filter((frame) => !frame.includes('/node_modules/'))].join('\n')),
    stop() {
      hook.disable()
      Server.prototype.listen = listen
    },
  }
}
