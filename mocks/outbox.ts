import { type Duration, MAX_TIMER_MS, milliseconds } from './clock'
import { type ServiceContext, toTimestamp } from './core'
import type { MailKind, Message, MessageContents, MessageHead, SmsKind } from './database'

/** Mails or SMS sent by the service. */
export interface Outbox<K extends keyof MessageContents> {
  /** Returns all messages, oldest first. */
  all(): Message<K>[]
  /**
   * Returns the last message to an address.
   * @param kind kind of message. Default: all kinds.
   * @throws Error if there is none.
   */
  last<Kind extends K = K>(to: string, kind?: Kind): Message<Kind>
  /**
   * Waits until a message was sent. Resolves at once if there is one already; `clear()` first to wait for a new one.
   * @throws Error (as a rejection) if there is none in time, or if the signal is aborted.
   * @example
   * const { token } = await service.mail.waitFor({ to: 'ada@example.com', kind: 'password_reset' })
   */
  waitFor<Kind extends K = K>(options?: WaitForMessageOptions<Kind>): Promise<Message<Kind>>
  /** Deletes all messages. */
  clear(): void
  /**
   * Calls `callback` with each message when it is sent, before the response to the request that caused it.
   * @returns an unsubscribe function.
   */
  onSent(callback: (message: Message<K>) => void): () => void
}

/** Options of `waitFor`. */
export interface WaitForMessageOptions<Kind> {
  /** E-mail address or phone number of the recipient. Default: everyone. */
  readonly to?: string
  /** Kind of message. Default: all kinds. */
  readonly kind?: Kind
  /** Real time to wait. @default '5s' */
  readonly timeout?: Duration
  /** Ends the wait. */
  readonly signal?: AbortSignal
}

type Draft<K extends keyof MessageContents> = { [Kind in K]: Omit<MessageHead<Kind>, 'at'> & MessageContents[Kind] }[K]

export function sendMail(core: ServiceContext, draft: Draft<MailKind>): void {
  const message = { ...draft, at: toTimestamp(core.clock.now()) }
  send(core.db.mail, core.outboxListeners.mail, message)
  core.emit({ type: 'mail', message })
}

export function sendSms(core: ServiceContext, draft: Draft<SmsKind>): void {
  const message = { ...draft, at: toTimestamp(core.clock.now()) }
  send(core.db.sms, core.outboxListeners.sms, message)
  core.emit({ type: 'sms', message })
}

/** Listeners run in microtasks, so that their errors are reported and do not affect the response. */
function send<T extends object>(sent: T[], listeners: ReadonlySet<(message: T) => void>, message: T): void {
  sent.push(message)
  for (const listener of listeners) queueMicrotask(() => listener({ ...message }))
}

/** Creates an outbox. `sent` is called on each use, because restoring a snapshot replaces the messages. */
export function createOutbox<K extends keyof MessageContents>(
  name: string,
  sent: () => Message<K>[],
  listeners: Set<(message: Message<K>) => void>,
  onCleared: () => void,
): Outbox<K> {
  const matcher =
    <Kind extends K>(to?: string, kind?: Kind) =>
    (message: Message<K>): message is Message<Kind> =>
      (to === undefined || message.to.toLowerCase() === to.toLowerCase()) &&
      (kind === undefined || message.kind === kind)
  const missingError = (to: string | undefined, kind: K | undefined) => {
    const others = sent().map((other) => `${other.kind} to ${other.to}`)
    const hint = others.length === 0 ? 'none was sent at all' : `sent were: ${[...new Set(others)].join(', ')}`
    const recipient = to === undefined ? '' : ` to ${to}`
    return new Error(`no ${name} ${kind === undefined ? '' : `of kind ${kind} `}was sent${recipient}; ${hint}`)
  }
  return {
    all: () => structuredClone(sent()),
    last<Kind extends K = K>(to: string, kind?: Kind) {
      const message = sent().findLast(matcher(to, kind))
      if (message !== undefined) return { ...message }
      throw missingError(to, kind)
    },
    waitFor<Kind extends K = K>({ to, kind, timeout = '5s', signal }: WaitForMessageOptions<Kind> = {}) {
      const isMatch = matcher(to, kind)
      return new Promise<Message<Kind>>((resolve, reject) => {
        const settle = (callback: () => void) => {
          clearTimeout(timer)
          listeners.delete(onMessage)
          signal?.removeEventListener('abort', onAbort)
          callback()
        }
        const onMessage = (message: Message<K>) => {
          if (isMatch(message)) settle(() => resolve({ ...message }))
        }
        const onAbort = () => settle(() => reject(signal?.reason))
        const limit = Math.min(milliseconds(timeout), MAX_TIMER_MS)
        const timer = setTimeout(() => settle(() => reject(missingError(to, kind))), limit)
        listeners.add(onMessage)
        signal?.addEventListener('abort', onAbort)
        const message = sent().findLast(isMatch)
        if (signal?.aborted) onAbort()
        else if (message !== undefined) onMessage(message)
      })
    },
    clear() {
      sent().length = 0
      onCleared()
    },
    onSent(callback) {
      listeners.add(callback)
      return () => listeners.delete(callback)
    },
  }
}
