import type { WithResponse } from '../api-promise'
import type { Endpoint } from '../contract/endpoint'
import type { LoginResponse, MfaFlags } from '../contract/login'
import type { MfaMethod } from '../contract/mfa'
import { issuedSecrets, sentSecrets } from '../internal/redact'
import type { RequestOptions } from '../options'
import type { Transport } from '../transport/transport'
import type { MfaChallenge, MfaHandler } from './challenge'
import { askHandler, Challenge, type ChallengeSource, expectExpiry, type WireAnswer } from './prompt'
import { SessionHold } from './session-hold'

/** A sign-in or a reset that needs a second factor. */
export interface MfaPending<T> {
  /** Tells it from one that is completed. */
  status: 'mfa'
  /** Verify it to complete. */
  challenge: MfaChallenge<T>
  /** ID of the user. */
  user_id: string
}

/** What a flow ends in. */
interface Signed {
  /** The token that the session takes over. */
  readonly token: string
}

/** A call that answers either a token or what second factors may earn one. */
export interface MfaFlow<First extends MfaFlags & Pick<Partial<LoginResponse>, 'user_id'>, Done extends Signed> {
  readonly row: Endpoint
  /** What the caller gave. */
  readonly params: unknown
  readonly reason: MfaChallenge['reason']
  /** Makes the call. */
  start(options: RequestOptions): Promise<WithResponse<First>>
  /** Makes the result of an answer that has a token, else nothing. */
  complete(first: First): Done | undefined
  /** Gives a second factor. */
  submit(first: First, ticket: string, answer: WireAnswer, options: RequestOptions): Promise<Done>
}

/**
 * Runs a flow to its end where there is a handler, else as far as the challenge. A ticket that has expired meanwhile is
 * renewed once. Interface, "Login and multi-factor flow".
 */
export async function runFlow<First extends MfaFlags & { user_id?: string }, Done extends Signed>(
  transport: Transport,
  flow: MfaFlow<First, Done>,
  given: RequestOptions,
): Promise<WithResponse<Done | MfaPending<Done>>> {
  const { name, method, path } = flow.row
  return transport.together(name, given, async (lifetime, shared, options) => {
    const handler = options.onMfaRequired ?? transport.config.onMfaRequired
    const hold = new SessionHold(transport.session)
    for (let isRestart = false; ; isRestart = true) {
      const { data: first, response } = await flow.start(shared)
      const done = flow.complete(first)
      if (done !== undefined) {
        await hold.replace(name, done.token, options.timeout)
        return { data: done, response }
      }

      // A challenge without a handler outlives this call, its signal and its deadline.
      const source = flowSource(transport, flow, first, hold, handler ? shared : options)
      const methods = source.methods.map(({ type }) => ({ type }))
      transport.events.emit('mfaRequired', { endpoint: name, method, path, attempt: response.attempts, methods })
      if (!handler) {
        return { data: { status: 'mfa', challenge: new Challenge(source), user_id: first.user_id ?? '' }, response }
      }
      const ask: MfaHandler = (challenge) => lifetime.pausedFor(async () => handler(challenge))
      hold.watch(lifetime)
      try {
        return { data: await askHandler(source, ask, lifetime.signal), response }
      } catch (error) {
        expectExpiry(error, isRestart)
      } finally {
        hold.release()
      }
    }
  })
}

function flowSource<First extends MfaFlags, Done extends Signed>(
  transport: Transport,
  flow: MfaFlow<First, Done>,
  first: First,
  hold: SessionHold,
  options: RequestOptions,
): ChallengeSource<Done> {
  const ticket = first.ticket ?? ''
  return {
    transport,
    endpoint: flow.row.name,
    reason: flow.reason,
    methods: methodsOf(first),
    ticket,
    secrets: () => [...sentSecrets(flow.params), ...issuedSecrets(first)],
    options,
    submit: async (answer, bypass) => {
      hold.throwIfChanged()
      const done = await flow.submit(first, ticket, answer, bypass)
      hold.throwIfChanged()
      await hold.replace(flow.row.name, done.token, options.timeout)
      return done
    },
  }
}

/** A login and a reset name second factors by flags, a 60003 by a list; here all are lists. */
function methodsOf({ totp, sms, backup, webauthn }: MfaFlags): MfaMethod[] {
  const methods: MfaMethod[] = []
  if (totp) methods.push({ type: 'totp', ...(backup && { backup_codes_allowed: true }) })
  if (sms) methods.push({ type: 'sms' })
  if (backup) methods.push({ type: 'backup' })
  if (webauthn) methods.push({ type: 'webauthn', challenge: webauthn })
  return methods
}
