import { type Duration, MAX_TIMER_MS, milliseconds } from './clock'
import { type ServiceContext, toTimestamp } from './core'
import type { MailKind, Message, MessageContents, MessageHead, SmsKind } from './database'
import { addListener, anyValue, assertOptions, check, duration, type OptionChecks, text } from './settings'

/** Mails or SMS sent by the service; `Parts` are what they have in addition to the contents of their kind. */
export interface Outbox<K extends keyof MessageContents, Parts = unknown> {
  /** Returns all messages, oldest first. */
  all(): (Message<K> & Parts)[]
  /**
   * Returns the last message to an address.
   * @param kind kind of message. Default: all kinds.
   * @throws Error if there is none.
   */
  last<Kind extends K = K>(to: string, kind?: Kind): Message<Kind> & Parts
  /**
   * Waits until a message was sent. Resolves at once if there is one already; `after` waits for a new one.
   * @throws Error (as a rejection) if there is none in time, or if the signal is aborted.
   * @example
   * const { token } = await service.mail.waitFor({ to: 'ada@example.com', kind: 'password_reset' })
   */
  waitFor<Kind extends K = K>(options?: WaitForMessageOptions<Kind>): Promise<Message<Kind> & Parts>
  /** Deletes a message by its `id`. @returns whether there was one. */
  remove(id: string): boolean
  /** Deletes all messages. */
  clear(): void
}

/** Which messages are meant. */
export interface MessageQuery<Kind> {
  /** E-mail address or phone number of the recipient. Default: all. */
  readonly to?: string
  /** Kind of message. Default: all. */
  readonly kind?: Kind
  /** ID of a message; only later ones are meant. Default: all. */
  readonly after?: string
}

/** Options of `waitFor`. */
export interface WaitForMessageOptions<Kind> extends MessageQuery<Kind> {
  /** Real time to wait. @default '5s' */
  readonly timeout?: Duration
  /** Ends the wait. */
  readonly signal?: AbortSignal
}

const WAIT_OPTIONS: OptionChecks = {
  to: text,
  kind: text,
  after: check('the ID of a message', (value) => /^\d{1,20}$/.test(String(value))),
  timeout: duration(),
  signal: anyValue,
}

type Draft<K extends keyof MessageContents> = {
  [Kind in K]: Omit<MessageHead<Kind>, 'id' | 'at'> & MessageContents[Kind]
}[K]

const SUBJECTS: Readonly<Record<MailKind, string>> = {
  password_reset: 'Reset your password',
  account_recovery: 'Your e-mail address was changed',
  new_location: 'Sign-in from a new location',
}

export function sendMail(core: ServiceContext, draft: Draft<MailKind>): void {
  const { to: _, kind, text, ...contents } = draft
  const subject = SUBJECTS[kind]
  const url = new URL(core.policy.links[kind] ?? `/${kind}`, core.baseUrl)
  // "A link with a one-time login token in the URL query parameters". API, "Enumerations of the
  // authentication area".
  for (const [name, value] of Object.entries<string>(contents)) url.searchParams.set(name, value)
  const link = url.href
  const html = `<p>${escapeHtml(text)}</p>\n<p><a href="${escapeHtml(link)}">${subject}</a></p>`
  const message = { id: core.random.snowflake(), ...draft, subject, html, link, at: toTimestamp(core.clock.now()) }
  core.db.mail.push(message)
  core.emit({ type: 'mail', message })
}

const escapeHtml = (text: string) => text.replaceAll(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)

export function sendSms(core: ServiceContext, draft: Draft<SmsKind>): void {
  const message = { id: core.random.snowflake(), ...draft, at: toTimestamp(core.clock.now()) }
  core.db.sms.push(message)
  core.emit({ type: 'sms', message })
}

type Query<Kind> = { readonly [N in keyof MessageQuery<Kind>]?: MessageQuery<Kind>[N] | undefined }

/** Returns whether a message is one of those that are meant. */
export const messageMatcher =
  <K extends keyof MessageContents, Parts, Kind extends K>({ to, kind, after = '0' }: Query<Kind>) =>
  (message: Message<K> & Parts): message is Message<Kind> & Parts =>
    BigInt(message.id) > BigInt(after) &&
    (to === undefined || message.to.toLowerCase() === to.toLowerCase()) &&
    (kind === undefined || message.kind === kind)

/** Creates an outbox. `sent` is called on each use, because restoring a snapshot replaces the messages. */
export function createOutbox<K extends keyof MessageContents, Parts = unknown>(
  core: ServiceContext,
  list: 'mail' | 'sms',
  sent: () => (Message<K> & Parts)[],
): Outbox<K, Parts> {
  const onCleared = () => core.emit({ type: 'clear', list })
  const missingError = ({ to, kind, after }: Query<K>) => {
    const others = sent().map((other) => `${other.kind} to ${other.to}`)
    const sentWere = after === undefined ? 'sent were' : 'sent before or to others were'
    const hint = others.length === 0 ? 'none was sent at all' : `${sentWere}: ${[...new Set(others)].join(', ')}`
    const recipient = `${to === undefined ? '' : ` to ${to}`}${after === undefined ? '' : ` after that with the ID ${after}`}`
    const name = list === 'sms' ? 'SMS' : list
    return new Error(`no ${name} ${kind === undefined ? '' : `of kind ${kind} `}was sent${recipient}; ${hint}`)
  }
  return {
    all: () => structuredClone(sent()),
    last<Kind extends K = K>(to: string, kind?: Kind) {
      assertOptions(`${list}.last`, { to, kind }, WAIT_OPTIONS)
      const message = sent().findLast(messageMatcher<K, Parts, Kind>({ to, kind }))
      if (message !== undefined) return { ...message }
      throw missingError({ to, kind })
    },
    waitFor<Kind extends K = K>(options: WaitForMessageOptions<Kind> = {}) {
      return new Promise<Message<Kind> & Parts>((resolve, reject) => {
        const read = assertOptions(`${list}.waitFor`, options, WAIT_OPTIONS)
        const { timeout = '5s', signal, ...query } = read
        const isMatch = messageMatcher<K, Parts, Kind>(query)
        const settle = (callback: () => void) => {
          clearTimeout(timer)
          unsubscribe()
          signal?.removeEventListener('abort', onAbort)
          callback()
        }
        const onEvent = () => {
          const message = sent().findLast(isMatch)
          if (message !== undefined) settle(() => resolve({ ...message }))
        }
        const onAbort = () => settle(() => reject(signal?.reason))
        const limit = Math.min(milliseconds(timeout), MAX_TIMER_MS)
        const timer = setTimeout(() => settle(() => reject(missingError(query))), limit)
        const unsubscribe = addListener(`${list}.waitFor`, core.eventListeners, onEvent)
        signal?.addEventListener('abort', onAbort)
        if (signal?.aborted) onAbort()
        else onEvent()
      })
    },
    remove(id) {
      const index = sent().findIndex((message) => message.id === id)
      if (index === -1) return false
      sent().splice(index, 1)
      onCleared()
      return true
    },
    clear() {
      sent().length = 0
      onCleared()
    },
  }
}
