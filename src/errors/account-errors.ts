import { ApiError, type ApiFailure } from './api-error'
import { declareKind, guardFor } from './rapport-error'

/** The account is out of use but can be had back: repeat the login with `undelete: true`. Interface, "Errors". */
export class AccountRecoverableError extends ApiError {
  declare readonly name: string

  /** @internal */
  static override readonly kind: string = /*@__PURE__*/ declareKind(AccountRecoverableError, 'AccountRecoverableError')

  constructor(failure: ApiFailure) {
    super(failure, 'Repeat the call with `undelete: true` to restore the account.')
  }
}
/** Whether an error is an {@link AccountRecoverableError}: disabled, or marked for deletion. */
export const isAccountRecoverableError: (error: unknown) => error is AccountRecoverableError =
  /*@__PURE__*/ guardFor('AccountRecoverableError')

/** Code 20013: the user has disabled the account. Interface, "Errors". */
export class AccountDisabledError extends AccountRecoverableError {
  declare readonly name: 'AccountDisabledError'

  /** @internal */
  static override readonly kind: string = /*@__PURE__*/ declareKind(AccountDisabledError, 'AccountDisabledError')
}
/** Whether an error is an {@link AccountDisabledError}. */
export const isAccountDisabledError: (error: unknown) => error is AccountDisabledError =
  /*@__PURE__*/ guardFor('AccountDisabledError')

/** Code 20011: the account is marked for deletion. Interface, "Errors". */
export class AccountDeletionScheduledError extends AccountRecoverableError {
  declare readonly name: 'AccountDeletionScheduledError'

  /** @internal */
  static override readonly kind: string = /*@__PURE__*/ declareKind(
    AccountDeletionScheduledError,
    'AccountDeletionScheduledError',
  )
}
/** Whether an error is an {@link AccountDeletionScheduledError}. */
export const isAccountDeletionScheduledError: (error: unknown) => error is AccountDeletionScheduledError =
  /*@__PURE__*/ guardFor('AccountDeletionScheduledError')
