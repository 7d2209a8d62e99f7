// Dispatches verified interactions to handlers. How they arrive, and how a reply is sent, is up to the adapter of the app.
import { onAbort, setSafeTimeout, throwIfAborted } from '../abort'
import { checkedAnswers, type ModalSubmission } from '../components/answers'
import type { SignatureContext } from '../components/custom-id'
import type { ModalInput } from '../components/messages'
import { TimeoutError } from '../errors/client-errors'
import type { MaybePromise } from '../types/options'

/** An interaction, as the adapter reads it. It may have more fields, which handlers receive. */
export interface Interaction {
  /** The same if it is delivered again: it is handled once. `null`: it has no ID, and nothing is deduplicated. */
  readonly id: string | null
  /** `custom_id` of the component or modal. */
  readonly customId: string
  /** ID of its user; needed for `from` and `order`. */
  readonly user?: string | undefined
  /** Its data, for the readers of selects and modals. */
  readonly data?: unknown
}

/** Adapter of the app, and options of {@link createInteractionRouter}. */
export interface InteractionRouterOptions<Raw, I extends Interaction, Response, Result> {
  /** Returns the interaction of a request or event. Must verify that the service sent it; else returns `undefined` or throws. */
  read(raw: Raw): MaybePromise<I | undefined>
  /** Sends a reply. Handlers receive what it returns. */
  reply(interaction: I, response: Response): MaybePromise<Result>
  /** Receives every error: of `read`, middleware, handlers and `reply`. Default: `handle` rejects. `context.next` needs it. */
  onError?(error: unknown, interaction: I | undefined): unknown
  /** With `'user'`, the handlers of a user run one after another; what `next` waits for does not. Default: all at once. */
  readonly order?: 'user' | undefined
}

/** What handlers and middleware receive. */
export interface InteractionContext<I extends Interaction, Response, Result> {
  /** The interaction, as `read` returned it. */
  readonly interaction: I
  /** Sends a reply. Returns what the `reply` of the adapter returns. */
  reply(response: Response): Promise<Result>
  /**
   * Waits as `next` of the router, at most until the handler ends. `handle` resolves once the replies so far are sent; that
   * of the received interaction when the handler ends or calls `next` again. Later errors reach `onError` only.
   */
  readonly next: NextFunction<InteractionContext<I, Response, Result>, AskOptions<I, Response>>
}

/** Waits for one interaction of a kind, or one answer to a modal, which then reaches no handler. */
export interface NextFunction<C, Options> {
  <Params>(id: CustomIdKind<Params>, options?: Options): Promise<WithParams<C, Params>>
  <Sent extends ModalInput>(sent: Sent, options?: Options): Promise<WithAnswers<C, Sent>>
}

/** A kind of `custom_id`, as `customId` defines it. */
export interface CustomIdKind<Params> {
  /** Name of the kind. */
  readonly prefix: string
  /** Returns the parameters of a `custom_id`, or `undefined`. */
  match(id: unknown, bound?: SignatureContext): MaybePromise<Params | undefined>
}

/** What handlers of a kind of `custom_id` receive. */
export type WithParams<Context, Params> = Context & { readonly params: Params }

/** What handlers of a modal receive. Answers that `readModalAnswers` refuses are a ComponentError, which reaches `onError`. */
export type WithAnswers<Context, Sent extends ModalInput> = Context & ModalSubmission<Sent>

/** Handler of interactions. An exception reaches `onError`. */
export type InteractionHandler<Context> = (context: Context) => unknown

/** Options for signed kinds of `custom_id`. */
export interface RouteOptions<I extends Interaction> {
  /** Returns what the signature is bound to. Called for IDs of this kind. Anything but a string is an error. */
  readonly context?: (interaction: I) => string
}

/** Options of `next`, and which interaction to wait for. */
export interface NextOptions<I extends Interaction> extends RouteOptions<I> {
  /** ID of the user to wait for. Default: any user; `undefined` is an error. */
  readonly from?: string
  /** Maximum time to wait, in milliseconds. Default: none. */
  readonly timeout?: number | undefined
  /** Stops waiting; `next` then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/** Options of `next` of a context. */
export interface AskOptions<I extends Interaction, Response> extends NextOptions<I> {
  /** Reply to send first. `next` also receives what arrives before it is sent. */
  readonly reply?: Response
}

/** What has become of an interaction. `value` is what the last `reply` of the handler returned. */
export type InteractionOutcome<I extends Interaction, Result> =
  | { readonly status: 'handled' | 'unknown'; readonly value: Result | undefined }
  | { readonly status: 'rejected' }
  | { readonly status: 'failed'; readonly error: unknown }
  | (I['id'] extends null ? never : { readonly status: 'duplicate' })

/** Dispatches interactions; see {@link createInteractionRouter}. Methods that add something return the router. */
export interface InteractionRouter<Raw, I extends Interaction, Result, C> {
  /** Calls `handler` for a kind of `custom_id`, with its parameters. The first handler that matches is called. */
  on<P>(id: CustomIdKind<P>, handler: InteractionHandler<WithParams<C, P>>, options?: RouteOptions<I>): this
  /** Calls `handler` for a modal, with its answers. */
  on<Sent extends ModalInput>(sent: Sent, handler: InteractionHandler<WithAnswers<C, Sent>>): this
  /** Calls `handler` for a modal with a kind of `custom_id`, with parameters and answers. */
  on<Params, Sent extends ModalInput>(
    id: CustomIdKind<Params>,
    sent: Sent,
    handler: InteractionHandler<WithAnswers<WithParams<C, Params>, Sent>>,
    options?: RouteOptions<I>,
  ): this
  /** Waits outside of handlers, until the interaction, `timeout` (then rejects with TimeoutError) or `signal`. */
  readonly next: NextFunction<C, NextOptions<I>>
  /** Adds a function that is called before the handler of any interaction, which `next` calls. It has to wait for `next`. */
  use(middleware: (context: C, next: () => Promise<void>) => MaybePromise<void>): this
  /** Calls `handler` for interactions that no other handler matches. */
  onUnknown(handler: InteractionHandler<C>): this
  /** Reads a request or event, and calls its handler. Rejects only if there is no `onError`, or if that throws. */
  readonly handle: (raw: Raw) => Promise<InteractionOutcome<I, Result>>
}

/** Time for which IDs are kept, in milliseconds, and their maximum number. */
const KEPT_MS = 900_000
const MAX_KEPT = 10_000

type Context = Omit<InteractionContext<Interaction, unknown, unknown>, 'next'> & { readonly next: unknown }
/** Returns what a handler receives besides its context, or nothing if the interaction is not for it. */
type Match = (interaction: Interaction) => MaybePromise<object | undefined | false>
type Handler = InteractionHandler<Context>
type Middleware = (context: Context, next: () => Promise<void>) => MaybePromise<void>

type Failure = { readonly error: unknown }
const toFailure = (error: unknown): Failure => ({ error })
type Settle = (failure?: Failure) => void
/** What the interactions of one handler share. `open` resolves `handle` of those without a reply, `waits` ends calls of `next`. */
type Scope = {
  readonly open: Set<Settle>
  readonly waits: Set<Settle>
  readonly replies: Set<unknown>
  /** Replies that nobody waits for. */
  readonly ignored: Set<unknown>
  isEnded: boolean
}
type Waiter = { match: Match; from: string | undefined; scope: Scope | undefined; resolve(context: Context): void }
/** An interaction that waits for its turn. `start` runs it: beside the others if it skips them. */
type Queued = { readonly interaction: Interaction; readonly start: (isBeside: boolean) => void }
type Target = CustomIdKind<object> | ModalInput

/** Resolves when `handle` may resolve for an interaction, with the error of its handler. */
const turnOf = ({ open }: Scope) => new Promise<Failure | undefined>((resolve) => void open.add(resolve))

function createMatch(target: Target, sent: ModalInput | undefined, { context }: RouteOptions<Interaction> = {}): Match {
  if (!('match' in target))
    return (interaction) => interaction.customId === target.custom_id && checkedAnswers(interaction.data, target)
  return async (interaction) => {
    if (context && !['(', '@'].some((next) => interaction.customId.startsWith(target.prefix + next))) return undefined
    const bound = context?.(interaction)
    if (context && typeof bound !== 'string') throw new TypeError('`context` must return a string.')
    const params = await target.match(interaction.customId, { context: bound })
    return params && { params, ...(sent && checkedAnswers(interaction.data, sent)) }
  }
}

/** Returns a promise, which `ignored` has until somebody uses it. Its rejection is then theirs, and never an unhandled one. */
function trackIgnored<T>(promise: Promise<T>, ignored: Set<unknown>): Promise<T> {
  ignored.add(promise)
  promise.catch(() => {})
  return new Proxy(promise, {
    get(target, key) {
      ignored.delete(promise)
      const value: unknown = Reflect.get(target, key)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/**
 * Returns a router for interactions with components. The API document shows neither their transport, nor how to verify them
 * or to reply: the app describes it. What `read` rejects reaches no handler.
 *
 * @example
 * import { customId, param } from 'rapport-sdk/components/custom-id'
 * import { createInteractionRouter } from 'rapport-sdk/interactions'
 *
 * interface Press { token: string; id: string; custom_id: string; user: string }
 * const vote = customId('vote', { choice: param.oneOf('tea', 'coffee') })
 * const bot = createInteractionRouter({
 *   read: ({ token, id, custom_id, user }: Press) => (token === 'secret' ? { id, customId: custom_id, user } : undefined),
 *   reply: (_, text: string) => console.log(text),
 * })
 * bot.on(vote, ({ params, reply }) => reply(`You like ${params.choice}.`))
 * await bot.handle({ token: 'secret', id: '1', custom_id: 'vote(tea)', user: '7' })
 */
export function createInteractionRouter<Raw, I extends Interaction, Response, Result>(
  options: InteractionRouterOptions<Raw, I, Response, Result>,
): InteractionRouter<Raw, I, Result, InteractionContext<I, Response, Result>>
export function createInteractionRouter(
  options: InteractionRouterOptions<unknown, Interaction, unknown, unknown>,
): unknown {
  const routes: { readonly match: Match; readonly handler: Handler }[] = []
  const middleware: Middleware[] = []
  const waiting = new Set<Waiter>()
  const delivered = new Map<string, number>()
  const queues = new Map<string, Promise<unknown>>()
  const queued = new Set<Queued>()
  let onUnknown: Handler | undefined
  if (typeof options.read !== 'function' || typeof options.reply !== 'function')
    throw new TypeError('createInteractionRouter needs `read`, which verifies what it receives, and `reply`.')

  /** Whether an ID was delivered before. */
  function isDuplicate(id: string): boolean {
    const now = performance.now()
    if ((delivered.get(id) ?? -Infinity) > now - KEPT_MS) return true
    for (const [other, time] of delivered) {
      if (delivered.size < MAX_KEPT && time > now - KEPT_MS) break
      delivered.delete(other)
    }
    delivered.set(id, now)
    return false
  }

  async function findWaiter(interaction: Interaction, waiters: Iterable<Waiter> = waiting) {
    for (const waiter of waiters) {
      const found = (waiter.from ?? interaction.user) === interaction.user && (await waiter.match(interaction))
      if (found) return { waiter, found }
    }
    return undefined
  }

  /** Lets the first one that a call of `next` waits for skip the others. An error is reported in its turn. */
  async function skipQueue(entries: Iterable<Queued>, waiters?: Iterable<Waiter>): Promise<void> {
    for (const entry of entries)
      if ((await findWaiter(entry.interaction, waiters).catch(() => {})) && queued.delete(entry))
        return entry.start(true)
  }

  /** Calls the first handler that matches. Returns whether there is one. */
  async function route(context: Context): Promise<boolean> {
    for (const { match, handler } of routes) {
      const found = await match(context.interaction)
      if (!found) continue
      await handler({ ...context, ...found })
      return true
    }
    await onUnknown?.(context)
    return false
  }

  /** Runs a task of a user once the previous ones have ended, or beside them for a call of `next`. */
  function inOrder(interaction: Interaction, user: string, task: (isBeside: boolean) => Promise<void>): Promise<void> {
    let start: Queued['start'] = () => {}
    const turn = new Promise<boolean>((resolve) => {
      start = resolve
    })
    const entry: Queued = { interaction, start }
    queued.add(entry)
    const current = turn.then(task)
    const ended: Promise<unknown> = (queues.get(user) ?? Promise.resolve()).then(async () => {
      if (queued.delete(entry)) start(false)
      if (!(await turn)) await current.catch(() => {})
      if (queues.get(user) === ended) queues.delete(user)
    })
    queues.set(user, ended)
    skipQueue([entry])
    return current
  }

  function wait(target: Target, options: NextOptions<Interaction>, scope?: Scope, send?: () => Promise<unknown>) {
    const { from, timeout = Infinity, signal } = options
    return new Promise<Context>((resolve, reject) => {
      throwIfAborted(signal)
      if ('from' in options && typeof from !== 'string') throw new TypeError('`from` must be a string.')
      const end = (settle: () => void) => {
        waiting.delete(waiter)
        cancel()
        unsubscribe?.()
        settle()
      }
      const stop = (failure = toFailure(new Error('The handler has ended.'))) => end(() => reject(failure.error))
      const match = createMatch(target, undefined, options)
      const waiter: Waiter = { match, from, scope, resolve: (found) => end(() => resolve(found)) }
      const error = new TimeoutError('interactions.next', 'timeout', timeout, 'no such interaction was received')
      const cancel = setSafeTimeout(timeout, () => stop({ error }))
      const unsubscribe = signal && onAbort(signal, () => stop({ error: signal.reason }))
      if (scope?.isEnded) return stop()
      waiting.add(waiter)
      scope?.waits.add(stop)
      send?.().catch((error) => stop(toFailure(error)))
      skipQueue(queued, [waiter])
    })
  }

  async function dispatch(interaction: Interaction): Promise<object> {
    let value: unknown
    let isHandled = true
    const own: Scope = { open: new Set(), waits: new Set(), replies: new Set(), ignored: new Set(), isEnded: false }
    const answered = turnOf(own)
    const [answer] = own.open
    // Of the handler that may reply: another one's if its `next` receives the interaction.
    let scope: Scope | undefined = own
    let received: Promise<Failure | undefined> | undefined
    const report = (error: unknown) => options.onError?.(error, interaction)
    const reply = (response: unknown) => {
      const sent = (async () => (value = await options.reply(interaction, response)))()
      const { replies } = scope ?? own
      replies.add(sent)
      const done = sent.finally(() => replies.delete(sent))
      return scope && !scope.isEnded ? trackIgnored(done, scope.ignored) : done
    }
    const next = (target: Target, { reply: first, ...rest }: AskOptions<Interaction, unknown> = {}) => {
      if (!options.onError) throw new TypeError('`context.next` needs `onError`: `handle` resolves before it.')
      const current = scope
      const released = [...(current?.open ?? [])]
      const found = wait(target, rest, current, first === undefined ? undefined : () => reply(first))
      // Waits for a reply of the same turn too. If one fails, the interaction stays open until the handler ends.
      const release = async () => {
        await Promise.resolve()
        await Promise.all(current?.replies ?? [])
        for (const settle of released) if (current?.open.delete(settle)) settle()
      }
      Promise.allSettled([release(), found])
      return found
    }
    const context: Context = { interaction, reply, next }
    const user = options.order && interaction.user
    const finish = async (isBeside: boolean): Promise<void> => {
      let waited = await findWaiter(interaction)
      // It may have received another interaction meanwhile.
      while (waited && !waiting.delete(waited.waiter)) waited = await findWaiter(interaction)
      if (waited) {
        scope = waited.waiter.scope
        received = scope && turnOf(scope)
        waited.waiter.resolve({ ...context, ...waited.found })
      } else if (isBeside && user !== undefined) await inOrder(interaction, user, finish)
      else isHandled = await route(context)
    }
    let calls = 0
    const run = async (isBeside: boolean, index = 0): Promise<void> => {
      if (index < calls++) throw new Error('A middleware called `next` more than once.')
      const current = middleware[index]
      if (!current) return finish(isBeside)
      const ignored = new Set<unknown>()
      let isEnded = false
      const next = () => {
        const called = run(isBeside, index + 1)
        if (isEnded) called.catch(report)
        return trackIgnored(called, ignored)
      }
      try {
        await current(context, next)
      } finally {
        isEnded = true
        await Promise.all(ignored)
      }
    }
    const end = (failure?: Failure) => {
      if (scope === own) own.isEnded = true
      for (const settle of [...own.open, ...own.waits]) settle(failure)
      return failure && answer && !own.open.has(answer) && report(failure.error)
    }
    const running = user === undefined ? run(false) : inOrder(interaction, user, run)
    const done = running.then(() => Promise.all(own.ignored)).then(() => undefined, toFailure)
    done.then(end)
    const failure = await answered
    if (failure) throw failure.error
    const failed = await received
    return failed ? { status: 'failed', ...failed } : { status: isHandled ? 'handled' : 'unknown', value }
  }

  const router = {
    on(target: Target, second: ModalInput | Handler, ...rest: (Handler | RouteOptions<Interaction> | undefined)[]) {
      const [sent, handler] = typeof second === 'function' ? [undefined, second] : [second, rest.shift()]
      if (typeof handler !== 'function' || typeof rest[0] === 'function')
        throw new TypeError('The handler must be a function.')
      routes.push({ match: createMatch(target, sent, rest[0]), handler })
      return router
    },
    next: (target: Target, options: NextOptions<Interaction> = {}) => wait(target, options),
    use: (run: Middleware) => middleware.push(run) && router,
    onUnknown(handler: Handler) {
      onUnknown = handler
      return router
    },
    async handle(raw: unknown) {
      let interaction: Interaction | undefined
      try {
        interaction = await options.read(raw)
        if (typeof interaction?.customId !== 'string' || ![null, String(interaction.id)].includes(interaction.id))
          return { status: 'rejected' }
        if (interaction.id !== null && isDuplicate(interaction.id)) return { status: 'duplicate' }
        return await dispatch(interaction)
      } catch (error) {
        if (!options.onError) throw error
        await options.onError(error, interaction)
        return interaction ? { status: 'failed', error } : { status: 'rejected' }
      }
    },
  }
  return router
}
