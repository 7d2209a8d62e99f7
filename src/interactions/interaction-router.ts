// Dispatches verified interactions to handlers. How they arrive, and how a reply is sent, is up to the adapter of the app.
import { onAbort, setSafeTimeout, throwIfAborted } from '../abort'
import { checkedAnswers, type ModalSubmission } from '../components/answers'
import type { CustomId, SignedCustomId } from '../components/custom-id'
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
  /** Receives every error: of `read`, middleware, handlers and `reply`. Default: `handle` rejects. */
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
}

/** A kind of `custom_id`, as `customId` defines it. */
export type CustomIdKind<Params> = CustomId<Params> | SignedCustomId<Params>

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
  /**
   * Waits for one interaction of a kind, which then reaches no handler, until `timeout` (then rejects with TimeoutError) or
   * `signal`. Call it before you send the question, and no answer is too early. `handle` resolves at once for what it receives.
   */
  next<P>(id: CustomIdKind<P>, options?: NextOptions<I>): Promise<WithParams<C, P>>
  /** Waits for the answers to a modal. */
  next<Sent extends ModalInput>(sent: Sent, options?: NextOptions<I>): Promise<WithAnswers<C, Sent>>
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

type Context = InteractionContext<Interaction, unknown, unknown>
type Options = InteractionRouterOptions<unknown, Interaction, unknown, unknown>
/** Returns what a handler receives besides its context, or nothing if the interaction is not for it. */
type Match = (interaction: Interaction) => MaybePromise<object | undefined | false>
type Handler = InteractionHandler<Context>
type Middleware = (context: Context, next: () => Promise<void>) => MaybePromise<void>
type Target = CustomIdKind<object> | ModalInput

/** A call of `next`. */
interface Waiter {
  readonly match: Match
  readonly from: string | undefined
  resolve(context: Context): void
}

function createMatch(target: Target, { context }: RouteOptions<Interaction> = {}): Match {
  if (!('match' in target))
    return (interaction) => interaction.customId === target.custom_id && checkedAnswers(interaction.data, target)
  return async (interaction) => {
    if (context && !['(', '@'].some((next) => interaction.customId.startsWith(target.prefix + next))) return undefined
    const bound = context?.(interaction)
    if (context && typeof bound !== 'string') throw new TypeError('`context` must return a string.')
    const params = await target.match(interaction.customId, { context: bound })
    return params && { params }
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
export function createInteractionRouter(options: Options): unknown {
  return new Router(options)
}

class Router {
  readonly #options: Options
  readonly #routes: { readonly match: Match; readonly handler: Handler }[] = []
  readonly #middleware: Middleware[] = []
  readonly #waiters = new Set<Waiter>()
  /** When each ID was delivered, monotonic times in milliseconds, in their order. */
  readonly #delivered = new Map<string, number>()
  /** Ends of the last interactions of users. */
  readonly #ends = new Map<string, Promise<unknown>>()
  #onUnknown: Handler | undefined

  constructor(options: Options) {
    this.#options = options
  }

  on(target: Target, handler: Handler, options?: RouteOptions<Interaction>): this {
    this.#routes.push({ match: createMatch(target, options), handler })
    return this
  }

  use(middleware: Middleware): this {
    this.#middleware.push(middleware)
    return this
  }

  onUnknown(handler: Handler): this {
    this.#onUnknown = handler
    return this
  }

  next(target: Target, options: NextOptions<Interaction> = {}): Promise<Context> {
    const { from, timeout = Infinity, signal } = options
    const found = new Promise<Context>((resolve, reject) => {
      throwIfAborted(signal)
      if ('from' in options && typeof from !== 'string') throw new TypeError('`from` must be a string.')
      const end = (settle: () => void) => {
        this.#waiters.delete(waiter)
        cancel()
        unsubscribe?.()
        settle()
      }
      const match = createMatch(target, options)
      const waiter: Waiter = { match, from, resolve: (context) => end(() => resolve(context)) }
      const error = new TimeoutError('interactions.next', 'timeout', timeout, 'no such interaction was received')
      const cancel = setSafeTimeout(timeout, () => end(() => reject(error)))
      const unsubscribe = signal && onAbort(signal, () => end(() => reject(signal.reason)))
      this.#waiters.add(waiter)
    })
    // A handler that fails before it awaits this has no use for its end.
    found.catch(() => {})
    return found
  }

  readonly handle = async (raw: unknown): Promise<object> => {
    const { read, onError } = this.#options
    let interaction: Interaction | undefined
    try {
      interaction = await read(raw)
      if (typeof interaction?.customId !== 'string' || ![null, String(interaction.id)].includes(interaction.id))
        return { status: 'rejected' }
      if (interaction.id !== null && this.#isDuplicate(interaction.id)) return { status: 'duplicate' }
      return await this.#dispatch(interaction)
    } catch (error) {
      if (!onError) throw error
      await onError(error, interaction)
      return interaction ? { status: 'failed', error } : { status: 'rejected' }
    }
  }

  /** Whether an ID was delivered before. */
  #isDuplicate(id: string): boolean {
    const now = performance.now()
    if ((this.#delivered.get(id) ?? -Infinity) > now - KEPT_MS) return true
    for (const [other, time] of this.#delivered) {
      if (this.#delivered.size < MAX_KEPT && time > now - KEPT_MS) break
      this.#delivered.delete(other)
    }
    this.#delivered.set(id, now)
    return false
  }

  /** Runs middleware and handler, and resolves once they have ended and all replies are sent. */
  async #dispatch(interaction: Interaction): Promise<object> {
    /** Calls of `reply` and of the `next` of middleware that nobody waits for. */
    const ignored = new Set<unknown>()
    const track = <T>(promise: Promise<T>) => (isEnded ? promise : trackIgnored(promise, ignored))
    let value: unknown
    let isHandled = true
    let isEnded = false
    const reply = (response: unknown) =>
      track((async () => (value = await this.#options.reply(interaction, response)))())
    const context = { interaction, reply }
    const turn = this.#enter(interaction)
    let calls = 0
    const run = async (index: number): Promise<void> => {
      if (index < calls++) throw new Error('A middleware called `next` more than once.')
      const middleware = this.#middleware[index]
      if (middleware) await middleware(context, () => track(run(index + 1)))
      else isHandled = await this.#finish(context, turn.start)
    }
    try {
      await run(0)
      // It grows meanwhile.
      for (const promise of ignored) await promise
      return { status: isHandled ? 'handled' : 'unknown', value }
    } finally {
      isEnded = true
      turn.end()
    }
  }

  /** Enters the queue of a user. `start` resolves when the previous interactions have ended, `end` ends this one. */
  #enter({ user }: Interaction): { readonly start: Promise<unknown> | undefined; readonly end: () => void } {
    if (!this.#options.order || user === undefined) return { start: undefined, end: () => {} }
    const start = this.#ends.get(user)
    let end = () => {}
    const ended: Promise<unknown> = Promise.all([start, new Promise<void>((resolve) => (end = resolve))]).then(() => {
      if (this.#ends.get(user) === ended) this.#ends.delete(user)
    })
    this.#ends.set(user, ended)
    return { start, end }
  }

  /** Gives an interaction to a call of `next`, or to its handler when it is its turn. Returns whether anybody wants it. */
  async #finish(context: Context, turn: Promise<unknown> | undefined): Promise<boolean> {
    const { interaction } = context
    for (const waiter of this.#waiters) {
      const found = (waiter.from ?? interaction.user) === interaction.user && (await waiter.match(interaction))
      // It may have ended meanwhile.
      if (!found || !this.#waiters.has(waiter)) continue
      waiter.resolve({ ...context, ...found })
      return true
    }
    await turn
    for (const { match, handler } of this.#routes) {
      const found = await match(interaction)
      if (!found) continue
      await handler({ ...context, ...found })
      return true
    }
    await this.#onUnknown?.(context)
    return false
  }
}
