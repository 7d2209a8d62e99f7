// Options of the dialog.
import { formatWait } from '../errors/explain'
import { omitUndefined, readField } from '../internal/json'
import type { MfaChallenge } from '../types/mfa'
import { ENGLISH, type MfaDialogWords, type MfaMethodWords } from './words'

/** Options of {@link mfaDialog}. */
export interface MfaDialogOptions {
  /**
   * Texts that replace the default ones, for example in another language: see `rapport-sdk/locales`. `methods` are merged
   * by type.
   * @default English
   */
  readonly words?: { readonly [Name in keyof MfaDialogWords]?: MfaDialogWords[Name] | undefined } | undefined
  /**
   * Returns the message of an error: pass `explain` of `rapport-sdk` to show every error in words for users.
   * @default the message of the service, else `words.refused` or `words.failed`
   */
  readonly explain?: ((error: unknown) => { readonly message: string }) | undefined
  /**
   * Returns the name of the account that the challenge is about, which is shown below the heading, such as
   * `() => client.session.user?.username`.
   * @default none
   */
  readonly account?: ((challenge: MfaChallenge) => string | null | undefined) | undefined
  /**
   * Minimum number of digits of an authenticator app's or SMS code, a convention. What has fewer, or other characters, is
   * not sent. With 0, all but an empty input is.
   * @default 6
   */
  readonly codeLength?: number | undefined
  /**
   * Whether a code of an authenticator app or an SMS is sent as soon as it has `codeLength` digits. Never a backup code or
   * a password.
   * @default false
   */
  readonly autoSubmit?: boolean | undefined
  /**
   * Returns the element to which the dialog is appended, such as the app's own modal dialog.
   * @default document.body
   */
  readonly parent?: (() => Element) | undefined
  /**
   * Returns content to show below the form, such as a link for users who lost their device. It becomes a child of
   * `<rapport-mfa-dialog>`, so the styles of the page apply to it. The page sees its clicks and keys, but not its focus.
   * @default none
   */
  readonly footer?: ((challenge: MfaChallenge) => Node) | undefined
  /**
   * Time until another SMS can be requested, in milliseconds. If the service demands a longer time, that applies.
   * @default 30_000
   */
  readonly resendAfterMs?: number | undefined
}

/** The texts of the dialog, and those of each kind of second factor. */
export interface DialogTexts {
  readonly words: MfaDialogWords
  readonly wordsOf: (type: string) => MfaMethodWords
  /** Returns the text of a button that waits, by default the longest one; `undefined` if it does not wait. */
  readonly waiting: (text: (when: string) => string, seconds?: number) => string | undefined
}

/** Merges the texts of the options into the default ones. */
export function readTexts(options: MfaDialogOptions): DialogTexts {
  const words: MfaDialogWords = { ...ENGLISH, ...omitUndefined({ ...readField(options, 'words') }) }
  // Without a prototype, because a type may be named `constructor`.
  const methodWords: Record<string, MfaMethodWords> = Object.assign(Object.create(null), ENGLISH.methods)
  const wordsOf = (type: string): MfaMethodWords => methodWords[type] ?? { name: type, hint: '', label: type }
  for (const [type, texts = {}] of Object.entries(words.methods))
    methodWords[type] = { ...wordsOf(type), ...omitUndefined(texts) }
  // With the same digits as its other texts.
  const whenIn = (seconds: number) => formatWait(seconds, `${words.lang}-u-nu-latn`) ?? ''
  const waiting: DialogTexts['waiting'] = (text, seconds = 119) =>
    seconds > 0 ? attempt(() => text(whenIn(seconds))) : undefined
  return { words, wordsOf, waiting }
}

/** Returns what a function of the app returns; `undefined` if it throws, because the user can do nothing about it. */
export function attempt<T>(call: () => T): T | undefined {
  try {
    return call()
  } catch {
    return undefined
  }
}
