import {
  type FinishMfaParams,
  type FinishMfaResponse,
  finishMfa,
  type SendMfaSmsParams,
  type SendMfaSmsResponse,
  sendMfaSms,
} from '../contract/mfa'
import { bindMembers } from '../internal/bind-members'
import { keepVerification } from '../mfa/step-up'
import type { ApiPromise } from '../transport/call'
import type { Transport } from '../transport/transport'
import type { RequestOptions } from '../types/options'

/**
 * Steps of a multi-factor verification, for manual flows with a ticket of your own; the ticket of a challenge is
 * private to it. API, "G. Multi-factor verification".
 */
export class Mfa {
  readonly #transport: Transport

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport
    bindMembers(this)
  }

  /**
   * Verifies a second factor. The client stores the returned JWT and sends it with every call of the account for 5 minutes. Most apps
   * use an `onMfaRequired` handler instead. API, "G. Multi-factor verification".
   *
   * @throws ApiError if the service rejects the code.
   *
   * @example
   * await client.mfa.finish({ ticket: 'the ticket of a 60003', mfa_type: 'totp', data: '123456' })
   */
  finish(params: FinishMfaParams, options?: RequestOptions): ApiPromise<FinishMfaResponse> {
    const requestedAt = performance.now()
    return this.#transport.send(finishMfa, options, params, undefined, async (response, call) => {
      await keepVerification(this.#transport, call, response, requestedAt)
      return response
    })
  }

  /**
   * Sends a code by SMS for a ticket. API, "G. Multi-factor verification".
   *
   * @returns Redacted phone number that the SMS was sent to.
   *
   * @example
   * const { phone } = await client.mfa.sendSms({ ticket: 'the ticket of a 60003' })
   * console.log(`Code sent to ${phone}`)
   */
  sendSms(params: SendMfaSmsParams, options?: RequestOptions): ApiPromise<SendMfaSmsResponse> {
    return this.#transport.send(sendMfaSms, options, params)
  }
}
