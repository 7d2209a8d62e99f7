import type { ApiPromise } from '../api-promise'
import { contract } from '../contract'
import type { AuthSessions as AuthSessionList, LogoutSessionsParams } from '../contract/sessions'
import { bindMembers } from '../internal/bind-members'
import type { RequestOptions } from '../options'
import type { Transport } from '../transport/transport'

/** Where the user is signed in. Interface, "A. Sessions". */
export class AuthSessions {
  readonly #transport: Transport

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport
    bindMembers(this)
  }

  /**
   * The active sessions of the account, up to 50. Interface, "A. Sessions".
   *
   * @example
   * import { Client } from 'rapport-sdk'
   *
   * const client = new Client({ baseUrl: 'https://service.example', token: 'a token' })
   * const { user_sessions } = await client.auth.sessions.list()
   * for (const { client_info } of user_sessions) console.log(client_info.platform, client_info.location)
   */
  list(options?: RequestOptions): ApiPromise<AuthSessionList> {
    return this.#transport.send(contract['auth.sessions'].list, [], undefined, options)
  }

  /**
   * Ends sessions, 1–64 at a time. The service may ask for a second factor first. Interface, "A. Sessions".
   *
   * @throws RequestValidationError for no hash or more than 64.
   * @throws MfaRequiredError where a second factor is due and there is no handler.
   */
  logout(params: LogoutSessionsParams, options?: RequestOptions): ApiPromise<undefined> {
    return this.#transport.send(contract['auth.sessions'].logout, [], params, options)
  }
}
