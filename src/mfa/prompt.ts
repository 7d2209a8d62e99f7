import { isRateLimitError, isServerError } from '../errors/api-errors'
import { isConnectionError, isTimeoutError } from '../errors/client-errors'
import { Emitter } from '../internal/emitter'
import { readField } from '../internal/json'
import type { MfaAnswer, MfaChallenge, MfaHandler } from '../types/mfa'

/**
 * State of a challenge, for a UI: an answer is needed in `waiting` and `refused`. With `keepOpen`, `lastError` in `waiting` is a
 * failure that does not concern the answer. Frozen; replaced by another object when something in it changes.
 */
export interface MfaPromptState extends Pick<MfaChallenge, 'state' | 'attempt' | 'attemptsLeft' | 'lastError'> {
  /** The challenge: `reason`, `endpoint`, `methods`, `allows`, `sendSms`, `webauthn`. */
  readonly challenge: MfaChallenge
}

/** Options of {@link createMfaPrompt}. */
export interface CreateMfaPromptOptions {
  /**
   * Whether a prompt stays open after a lost connection, a status 5xx, a rate limit or a `timeout` while an answer is
   * verified: `current` is then `waiting` again, with the error as `lastError`, and the user can send the same answer. Do
   * not use it if a program answers: it would repeat a failing call until `mfaTimeout`.
   * @default false: the call rejects
   */
  readonly keepOpen?: boolean | undefined
}

/** Connects a handler to a UI. All methods work detached. */
export interface MfaPrompt {
  /** Handler to pass as `onMfaRequired`. It stays one prompt until its challenge is settled, across attempts. */
  readonly handler: MfaHandler
  /**
   * The challenge to show, or `null`. The same object until something in it changes. Prompts that open meanwhile, for
   * another account or another client, wait for their turn.
   */
  readonly current: MfaPromptState | null
  /** Calls `listener` after each change of `current`. Returns an unsubscribe function. */
  subscribe(listener: () => void): () => void
  /**
   * Answers the current challenge. Does nothing if there is none, or while an answer is being verified.
   * @param challenge The challenge that was shown when the user answered: if it is no longer the current one, which may be
   * of another account, nothing is sent.
   */
  answer(answer: MfaAnswer, challenge?: MfaChallenge): void
  /**
   * Cancels the current challenge: `current` changes at once, and its call rejects with `MfaCancelledError`. An answer
   * that is being verified still completes the call if the service accepts it.
   */
  cancel(): void
}

/** A challenge, and the promise of its next answer. */
interface Entry extends PendingAnswer {
  readonly challenge: MfaChallenge
}

interface PendingAnswer {
  promise: Promise<MfaAnswer | null>
  resolve: (answer: MfaAnswer | null) => void
}

/**
 * Creates a handler whose prompts a UI shows: a store of the challenge that needs an answer, and the functions that
 * answer or cancel it. The dialog can stay open from the first attempt to the last. It closes by itself, because
 * `current` becomes `null`, if the call is aborted, the client is disposed or `mfaTimeout` passes.
 *
 * @example
 * import { Client, createMfaPrompt } from 'rapport-sdk'
 *
 * const prompt = createMfaPrompt()
 * const client = new Client({ baseUrl: 'https://service.example', onMfaRequired: prompt.handler })
 * prompt.subscribe(() => {
 *   console.log(prompt.current?.state, prompt.current?.attemptsLeft)
 * })
 * // In the listener of the dialog's form:
 * prompt.answer({ type: 'totp', code: '123456' })
 */
export function createMfaPrompt(options: CreateMfaPromptOptions = {}): MfaPrompt {
  const keepOpen = readField(options, 'keepOpen')
  const entries = new WeakMap<MfaChallenge, Entry>()
  let queue: Entry[] = []
  let current: MfaPromptState | null = null
  const changes = new Emitter<{ change: undefined }>((error) => {
    queueMicrotask(() => {
      throw error
    })
  })

  const update = (): void => {
    const { challenge } = queue[0] ?? {}
    current = challenge ? snapshot(challenge) : null
    changes.emit('change', undefined)
  }

  const remove = (entry: Entry): void => {
    const isCurrent = queue[0] === entry
    queue = queue.filter((other) => other !== entry)
    if (isCurrent) update()
  }

  const open = (challenge: MfaChallenge): Entry => {
    const entry: Entry = { challenge, ...pendingAnswer() }
    entries.set(challenge, entry)
    queue.push(entry)
    const stayOpen: unknown = keepOpen && Reflect.get(challenge, 'stayOpen')
    if (typeof stayOpen === 'function') stayOpen(isTemporary)
    challenge.onChange((state) => {
      const needsAnswer = (state === 'refused' || state === 'waiting') && queue.includes(entry)
      // Before the listeners are notified: one of them may answer at once.
      if (needsAnswer) Object.assign(entry, pendingAnswer())
      if (queue[0] === entry) update()
    })
    challenge.settled.then(() => remove(entry))
    if (queue.length === 1) update()
    return entry
  }

  return {
    handler: (challenge) => (entries.get(challenge) ?? open(challenge)).promise,
    get current() {
      return current
    },
    subscribe: (listener) => changes.on('change', listener),
    answer(answer, challenge) {
      const [entry] = queue
      if (challenge === undefined || entry?.challenge === challenge) entry?.resolve(answer)
    },
    cancel() {
      const [entry] = queue
      if (!entry) return
      entry.resolve(null)
      // If an answer is being verified and then refused, the handler is called once more.
      entry.promise = Promise.resolve(null)
      remove(entry)
    },
  }
}

/** Whether a failure concerns neither the answer nor the ticket, so that the same answer may be accepted later. */
function isTemporary(error: Error): boolean {
  if (isTimeoutError(error)) return error.limit === 'timeout'
  return isConnectionError(error) || isServerError(error) || isRateLimitError(error)
}

function pendingAnswer(): PendingAnswer {
  let resolve: PendingAnswer['resolve'] = () => {}
  const promise = new Promise<MfaAnswer | null>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}

function snapshot(challenge: MfaChallenge): MfaPromptState {
  const { state, attempt, attemptsLeft, lastError } = challenge
  return Object.freeze({ challenge, state, attempt, attemptsLeft, lastError })
}
