// Texts of the prompt in the terminal. Languages share their types, so this file imports nothing of Node.
import type { PartialErrorWords, PartialTexts } from '../errors/explain'
import type { MfaChallenge } from '../types/mfa'

/** A second factor that can be typed. */
export type MfaPromptMethod = 'totp' | 'sms' | 'backup' | 'password'

/** Texts of {@link mfaPrompt}; each is part of one line. */
export interface MfaPromptWords {
  /** First line: what requires a second factor. */
  readonly title: (challenge: MfaChallenge) => string
  /** The methods in the list from which the user chooses. To choose `sms` sends an SMS. */
  readonly choices: Readonly<Record<MfaPromptMethod, string>>
  /** Asks for the number of a method, from 1 to `count`; Enter alone chooses `preset`. */
  readonly choose: (count: number, preset: number) => string
  /** Asks for the code or password of a method. */
  readonly prompts: Readonly<Record<MfaPromptMethod, string>>
  /** Hints after the prompt: the effect of Enter without input. */
  readonly enter: Readonly<Record<'send' | 'sendAgain' | 'otherMethod', string>>
  /** Confirms an SMS to a redacted phone number. */
  readonly sent: (phone: string) => string
  /** Refuses to send another SMS for a number of seconds. */
  readonly sendAgainIn: (seconds: number) => string
  /** Number of answers that may still be given, after a refused one. */
  readonly attemptsLeft: (count: number) => string
  /** Says that an answer was refused before, so that it is not sent again. */
  readonly repeated: string
  /** Shown if the prompt timed out or the call was aborted, so that no answer is needed. */
  readonly closed: string
  /** Texts of errors, as for `explain`. */
  readonly errors: PartialErrorWords
}

/** Replacements of single texts of {@link mfaPrompt}; all others stay, also those that are `undefined`. */
export type PartialMfaPromptWords = PartialTexts<Omit<MfaPromptWords, 'choices' | 'prompts' | 'enter'>> & {
  readonly [Name in 'choices' | 'prompts' | 'enter']?: PartialTexts<MfaPromptWords[Name]> | undefined
}

/** The default texts. */
export const ENGLISH: MfaPromptWords = {
  title: ({ reason, endpoint }) => {
    const subject = { login: 'Signing in', password_reset: 'Resetting the password', elevation: endpoint }[reason]
    return `${subject} requires a second factor.`
  },
  choices: {
    totp: 'Code of your authenticator app',
    sms: 'Send a code by SMS',
    backup: 'Backup code',
    password: 'Password',
  },
  choose: (count, preset) => `Number from 1 to ${count} [${preset}]`,
  prompts: {
    totp: 'Code of your authenticator app',
    sms: 'Code of the SMS',
    backup: 'Backup code',
    password: 'Password',
  },
  enter: { send: 'Enter sends it', sendAgain: 'Enter sends another', otherMethod: 'Enter shows other methods' },
  sent: (phone) => `Sent to ${phone}.`,
  sendAgainIn: (seconds) => `Another SMS can be sent in ${seconds} s.`,
  attemptsLeft: (count) => `${count} ${count === 1 ? 'attempt' : 'attempts'} left.`,
  repeated: 'This was refused before. Enter another one.',
  closed: 'An answer is no longer needed.',
  errors: {},
}
