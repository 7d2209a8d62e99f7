import { createHook } from 'node:async_hooks'
import { Server } from 'node:net'
import { MessagePort } from 'node:worker_threads'
import { beforeEach, expect } from 'vitest'

/** Resources that act until someone ends them. A promise alone is none: what would settle it is. */
const KINDS =
  /^(Timeout|Immediate|MESSAGEPORT|WORKER|STATWATCHER|(FSREQ|GETADDRINFO).*|(TCP|TCPSERVER|TCPCONNECT|PIPE|PIPESERVER|PIPECONNECT|PROCESS|SIGNAL|FSEVENT|UDP|TTY)WRAP)$/

/** The runner's timers, and what a library keeps as long as the process. */
const IGNORED = /node_modules\/(vitest|@vitest|vite|msw|esbuild)\/|internal\/deps\/undici|\/test\/clean-process\.ts/

/** Records the calls that lead here. V8 formats them when they are asked for: for every resource, it took a tenth of the CPU time of a file. */
function recordCalls(): Error {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 25
  const record = new Error('created here')
  Error.stackTraceLimit = stackTraceLimit
  return record
}

/** Returns the calls of a record, once, unformatted. */
function callSites(record: Error): readonly NodeJS.CallSite[] {
  const { prepareStackTrace } = Error
  let sites: NodeJS.CallSite[] = []
  Error.prepareStackTrace = (_, all) => {
    sites = all
    return ''
  }
  void record.stack
  Error.prepareStackTrace = prepareStackTrace
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

/** Where a resource was created: by a call, or, if only Node's are known, where the one was whose event led to it. */
class Origin {
  readonly #calls: Error
  #cause: Origin | undefined
  #sites: readonly NodeJS.CallSite[] | undefined
  #isKnown = false

  constructor(calls: Error, cause?: Origin) {
    this.#calls = calls
    this.#cause = cause
    // Otherwise a timer that starts the next one, and so on, would keep all of them.
    if (cause !== undefined && cause.#cause !== undefined) cause.sites()
  }

  /** Returns the calls, unless Node alone made them or nobody can end what they created. */
  sites(): readonly NodeJS.CallSite[] | undefined {
    if (this.#isKnown) return this.#sites
    this.#isKnown = true
    const sites = callSites(this.#calls)
    const first = sites.findIndex(isOwn)
    // Nobody can end the timer of a signal, which has no listener any more, or that of Node's `Date` header, which is shared.
    const isShared = sites.slice(0, first === -1 ? undefined : first).some(isUnending)
    this.#sites = isShared ? undefined : first === -1 ? this.#cause?.sites() : sites
    this.#cause = undefined
    return this.#sites
  }
}

/** Whether a resource has ended. Node would say so by a hook, for which it tracks every promise: a twentieth of the CPU time of a file. */
function hasEnded(resource: object | undefined, id: number): boolean {
  if (resource === undefined) return true
  if ('_destroyed' in resource) return resource._destroyed === true
  return 'getAsyncId' in resource && typeof resource.getAsyncId === 'function' && resource.getAsyncId() !== id
}

/** Returns the handle of a socket that an agent uses again, which counts as a new resource, or the resource. */
const handleOf = (resource: object): object =>
  'handle' in resource && typeof resource.handle === 'object' && resource.handle !== null ? resource.handle : resource

/** Fewest resources among which those that have ended are looked for. */
const MIN_SWEPT = 256

/** Records the timers, sockets, servers, processes, ports and pending operations that are created from now on. */
export function watchResources() {
  const alive = new Map<number, { readonly kind: string; readonly resource: WeakRef<object> }>()
  /** Of those that are not collected. */
  const origins = new WeakMap<object, Origin>()
  /** Calls of `listen` that have created no server yet: with a host, it does so later. */
  const listening: Error[] = []
  let maxUnswept = MIN_SWEPT
  const { listen } = Server.prototype
  Server.prototype.listen = function (this: Server, ...args: unknown[]) {
    listening.push(recordCalls())
    return Reflect.apply(listen, this, args)
  }
  const sweep = () => {
    for (const [id, { resource }] of alive) if (hasEnded(resource.deref(), id)) alive.delete(id)
    maxUnswept = Math.max(MIN_SWEPT, 2 * alive.size)
  }
  const originOf = (id: number): Origin | undefined => {
    const resource = alive.get(id)?.resource.deref()
    return resource && !hasEnded(resource, id) ? origins.get(resource) : undefined
  }
  const hook = createHook({
    init(id, kind, trigger, created) {
      if (kind === 'PROMISE' || !KINDS.test(kind)) return
      const resource = handleOf(created)
      if (alive.size >= maxUnswept) sweep()
      // Node accepts a connection without a frame: its server says where it is from. What has no origin at all is of Node.
      const listened = /SERVERWRAP$/.test(kind) ? listening.shift() : undefined
      origins.set(resource, new Origin(listened ?? recordCalls(), originOf(trigger)))
      alive.set(id, { kind, resource: new WeakRef(resource) })
      // A port does not tell its number.
      if (resource instanceof MessagePort)
        queueMicrotask(() => resource.addEventListener('close', () => alive.delete(id)))
    },
  })
  hook.enable()
  return {
    /** Returns the kind and the origin of each that has not ended. */
    left() {
      sweep()
      return [...alive]
        .map(([id, { kind }]) => ({ kind, frames: format((originOf(id)?.sites() ?? []).filter(isOwn)) }))
        .filter(({ frames }) => frames.length > 0)
        .filter(({ frames }) => !IGNORED.test(frames.find((frame) => !frame.includes('<anonymous>)')) ?? ''))
        .map(({ kind, frames }) => [kind, ...frames.filter((frame) => !frame.includes('/node_modules/'))].join('\n'))
    },
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
