// The type of a language: complete, so that none can be half done.
import type { AuthenticatorType } from '../contract/mfa'
import type { MfaDialogWords, MfaMethodWords } from '../dialog/words'
import type { ErrorWords } from '../errors/explain'
import type { IssueCode } from '../internal/issue'
import type { MfaPromptWords } from '../node/prompt-words'

/** All texts of the package for users in one language. */
export interface Locale {
  /** Texts of `mfaDialog`: pass them as `words`. */
  readonly dialog: MfaDialogWords & {
    readonly methods: Readonly<Record<AuthenticatorType, MfaMethodWords>>
    readonly operations: Readonly<
      Record<
        | 'Logout Auth Sessions'
        | 'Create Handoff Token'
        | 'Publish Application Widget Config'
        | 'Delete Application Widget Config',
        string
      >
    >
  }
  /** Texts of `explain`: pass them as `words`. Some show the service's message, in the service's language. */
  readonly errors: ErrorWords & { readonly fields: Readonly<Record<IssueCode, string>> }
  /** Texts of `mfaPrompt` in the terminal, those of its errors included: pass them as `words`. */
  readonly prompt: MfaPromptWords
}
