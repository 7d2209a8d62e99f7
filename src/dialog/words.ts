import type { AuthenticatorType } from '../contract/mfa'
import type { MfaChallenge } from '../types/mfa'

/** Texts of a kind of second factor. */
export interface MfaMethodWords {
  /** Name in the choice of methods. */
  readonly name: string
  /** Instruction for the user. */
  readonly hint: string
  /** Label of the input; none for a passkey. */
  readonly label?: string | undefined
  /** Button that submits the form, if it is not {@link MfaDialogWords.verify}. */
  readonly verify?: string | undefined
}

/** Texts of the dialog. */
export interface MfaDialogWords {
  /** Language of the texts, as a BCP 47 tag such as `de`; screen readers choose their voice by it. Times to wait are in it. */
  readonly lang: string
  /** Direction of the texts. */
  readonly dir: 'ltr' | 'rtl'
  /** Returns the heading; `challenge.reason` and `challenge.endpoint` name the operation. */
  readonly title: (challenge: MfaChallenge) => string
  /** What a sensitive call does, by the name of its endpoint; shown below the heading. Others show nothing. */
  readonly operations: { readonly [endpoint: string]: string | undefined }
  /** Heading of the choice of methods. */
  readonly choose: string
  /** Texts of the kinds of second factors. A kind without texts is shown by its wire name. */
  readonly methods: Readonly<Partial<Record<AuthenticatorType, MfaMethodWords>>> & {
    readonly [type: string]: MfaMethodWords | undefined
  }
  /** Shown if the service offers no method. */
  readonly noMethod: string
  /** Button that sends the first SMS. */
  readonly send: string
  /** Button that sends another SMS. */
  readonly sendAgain: string
  /** Text of that button during the cool-down; `when` is its end, such as `in 30 seconds`. */
  readonly sendAgainIn: (when: string) => string
  /** Status while an SMS is requested. */
  readonly sending: string
  /** Status after an SMS to a redacted phone number. */
  readonly sent: (phone: string) => string
  /** Button that submits the form. */
  readonly verify: string
  /** Text of that button after too many attempts; `when` another one is accepted, such as `in 2 hours`. */
  readonly verifyIn: (when: string) => string
  /** Status while the service verifies an answer. */
  readonly verifying: string
  /** Button that cancels. */
  readonly cancel: string
  /** Error if the input is empty. Nothing is sent. */
  readonly empty: string
  /** Error if the input is not a code, which has at least `count` digits. Nothing is sent. */
  readonly digits: (count: number) => string
  /** Error if the service refused an answer without a message of its own. */
  readonly refused: string
  /** Error if the user repeats an answer that was refused, which is not sent again. */
  readonly repeated: string
  /** Number of answers that may still be given. */
  readonly attemptsLeft: (count: number) => string
  /** Error after too many attempts, while {@link MfaDialogWords.verifyIn} counts down. */
  readonly rateLimited: string
  /** Error if the service did not answer, or has a problem. The answer can be sent again. */
  readonly unavailable: string
  /** Error if the ticket expired and was renewed: a new answer completes the operation. */
  readonly expired: string
  /** Error if an SMS or a passkey failed without a message of the service. */
  readonly failed: string
}

/** The default texts. */
export const ENGLISH: MfaDialogWords = {
  lang: 'en',
  dir: 'ltr',
  title: ({ reason }) =>
    reason === 'login'
      ? 'Confirm your sign-in'
      : reason === 'password_reset'
        ? 'Confirm your new password'
        : 'Confirm that it’s you',
  operations: {
    'Logout Auth Sessions': 'Sign out of devices',
    'Create Handoff Token': 'Sign in on another device',
    'Publish Application Widget Config': 'Publish a widget',
    'Delete Application Widget Config': 'Delete a widget',
  },
  choose: 'Confirm with',
  methods: {
    totp: { name: 'Authenticator app', hint: 'Enter the code from your authenticator app.', label: 'Code' },
    sms: { name: 'SMS', hint: 'Request a code by SMS, then enter it.', label: 'Code' },
    backup: { name: 'Backup code', hint: 'Enter an unused code.', label: 'Backup code' },
    password: { name: 'Password', hint: 'Enter your password.', label: 'Password' },
    webauthn: { name: 'Passkey', hint: 'Use your passkey or security key.', verify: 'Use passkey' },
  },
  noMethod: 'This account has no method to confirm with.',
  send: 'Send a code',
  sendAgain: 'Send again',
  sendAgainIn: (when) => `Send again ${when}`,
  sending: 'Sending…',
  sent: (phone) => `Code sent to ${phone}.`,
  verify: 'Verify',
  verifyIn: (when) => `Try again ${when}`,
  verifying: 'Verifying…',
  cancel: 'Cancel',
  empty: 'Fill in this field.',
  digits: (count) => `Enter the ${count} digits of the code.`,
  refused: 'This was not accepted.',
  repeated: 'This was refused before. Enter another one.',
  attemptsLeft: (count) => (count === 1 ? '1 attempt left.' : `${count} attempts left.`),
  rateLimited: 'Too many attempts.',
  unavailable: 'The service cannot be reached. Try again.',
  expired: 'That took too long. Confirm again to go on.',
  failed: 'That did not work. Try again.',
}
