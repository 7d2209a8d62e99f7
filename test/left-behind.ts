import { createHook } from 'node:async_hooks'
import { Server } from 'node:net'
import { beforeEach, expect } from 'vitest'

/** Resources that act until someone ends them. A promise alone is none: what would settle it is. */
const KINDS =
  /^(Timeout|Immediate|MESSAGEPORT|WORKER|STATWATCHER|(FSREQ|GETADDRINFO).*|(TCP|TCPSERVER|TCPCONNECT|PIPE|PIPESERVER|PIPECONNECT|PROCESS|SIGNAL|FSEVENT|UDP|TTY)WRAP)$/

/** The runner's timers, and what a library keeps as long as the process. */
const IGNORED = /node_modules\/(vitest|@vitest|vite|msw|esbuild)\/|internal\/deps\/undici|\/test\/clean-process\.ts/

/** Returns the calls that led here, unformatted: to look up their lines in source maps took a quarter of the CPU time of the suite. */
function callSites(): readonly NodeJS.CallSite[] {
  const { prepareStackTrace, stackTraceLimit } = Error
  let sites: NodeJS.CallSite[] = []
  Error.stackTraceLimit = 25
  Error.prepareStackTrace = (_, all) => {
    sites = all
    return ''
  }
  void new Error().stack
  Object.assign(Error, { prepareStackTrace, stackTraceLimit })
  return sites.slice(2)
}

/** Whether a call is not Node's; what Node includes of a library is. */
function isOwn(site: NodeJS.CallSite): boolean {
  return !/^node:(?!internal\/deps)/.test(site.getFileName() ?? '')
}

/** Whether a call creates a timer that nobody can end. */
function isUnending(site: NodeJS.CallSite): boolean {
  const [file, name] = [site.getFileName(), site.getFunctionName()]
  return (
    (file === 'node:internal/abort_controller' && name === 'timeout') ||
    (file?.startsWith('node:internal/http') === true && name === 'utcDate')
  )
}

/** Returns a line for each call, with the place in the source. */
function format(sites: readonly NodeJS.CallSite[]): string[] {
  const text =
    Error.prepareStackTrace?.(new Error(), [...sites]) ?? ['Error', ...sites.map((site) => `    at ${site}`)].join('\n')
  return String(text).split('\n').slice(1)
}

/** Records the timers, sockets, servers, processes, ports and pending operations that are created from now on. */
export function watchResources() {
  const alive = new Map<number, { readonly kind: string; readonly sites: readonly NodeJS.CallSite[] }>()
  /** Calls of `listen` that have created no server yet: with a host, it does so later. */
  const listening: (readonly NodeJS.CallSite[])[] = []
  const { listen } = Server.prototype
  Server.prototype.listen = function (this: Server, ...args: unknown[]) {
    listening.push(callSites())
    return Reflect.apply(listen, this, args)
  }
  const hook = createHook({
    init(id, kind, trigger) {
      if (kind === 'PROMISE' || !KINDS.test(kind)) return
      const sites = callSites()
      const first = sites.findIndex(isOwn)
      // Nobody can end the timer of a signal, which has no listener any more, or that of Node's `Date` header, which is shared.
      if (sites.slice(0, first === -1 ? undefined : first).some(isUnending)) return
      const listened = /SERVERWRAP$/.test(kind) ? listening.shift() : undefined
      // Node accepts a connection without a frame: its server says where it is from. What has no origin at all is of Node.
      const origin = listened ?? (first === -1 ? alive.get(trigger)?.sites : sites)
      if (origin !== undefined) alive.set(id, { kind, sites: origin })
    },
    destroy: (id) => void alive.delete(id),
  })
  hook.enable()
  return {
    /** Returns the kind and the origin of each that has not ended. */
    left: () =>
      [...alive.values()]
        .map(({ kind, sites }) => ({ kind, frames: format(sites.filter(isOwn)) }))
        .filter(({ frames }) => !IGNORED.test(frames.find((frame) => !frame.includes('<anonymous>)')) ?? ''))
        .map(({ kind, frames }) => [kind, ...frames.filter((frame) => !frame.includes('/node_modules/'))].join('\n')),
    stop() {
      hook.disable()
      Server.prototype.listen = listen
    },
  }
}

/** Fails every test of the calling file that causes an unhandled rejection before the turn of the event loop after its end; later ones fail the run. */
export function expectNoUnhandledRejections(): void {
  beforeEach(() => {
    const reasons: unknown[] = []
    const record = (reason: unknown) => void reasons.push(reason)
    process.on('unhandledRejection', record)
    return async () => {
      // Node reports what is unhandled after the promises of a turn; the second is for those that a response has settled.
      for (let turn = 0; turn < 2; turn++) await new Promise(setImmediate)
      process.off('unhandledRejection', record)
      expect(reasons).toEqual([])
    }
  })
}
