import type {
  ApiPromise,
  Client,
  Elevated,
  LoginCompleted,
  LoginResult,
  LoginSettings,
  MfaAnswer,
  MfaChallenge,
  MfaHandler,
  MfaOutcome,
  MfaPending,
  MfaPromptState,
  ResetCompleted,
  ResetResult,
} from 'rapport-sdk'
import { createMfaPrompt, explain } from 'rapport-sdk'
import { mfaDialog } from 'rapport-sdk/dialog'
import { describe, expectTypeOf, test } from 'vitest'

declare const client: Client
declare const handler: MfaHandler
declare const maybeHandler: MfaHandler | false
const credentials = { login: 'a', password: 'b' }
const reset = { token: 'a', password: 'b' }

describe('the type of login()', () => {
  test('it is narrowed by its status', () => {
    expectTypeOf(client.auth.login(credentials)).toEqualTypeOf<ApiPromise<LoginResult>>()
    const read = (result: LoginResult) => {
      // @ts-expect-error: there may be no token
      result.token
      // @ts-expect-error: nor a challenge
      result.challenge
      expectTypeOf(result.user_id).toBeString()
      if (result.status === 'mfa') {
        expectTypeOf(result).toEqualTypeOf<MfaPending<LoginCompleted>>()
        expectTypeOf(result.challenge.verify).returns.resolves.toEqualTypeOf<LoginCompleted>()
      } else {
        expectTypeOf(result).toEqualTypeOf<LoginCompleted>()
        expectTypeOf(result.token).toBeString()
        expectTypeOf(result.user_settings).toEqualTypeOf<LoginSettings | undefined>()
      }
    }
    expectTypeOf(read).parameter(0).toEqualTypeOf<LoginResult>()
  })

  test('it is that of a completed login with a handler', () => {
    expectTypeOf(client.auth.login(credentials, { onMfaRequired: handler })).resolves.toEqualTypeOf<LoginCompleted>()
    expectTypeOf(
      client.auth.login(credentials, { onMfaRequired: async () => null, timeout: 5 }),
    ).resolves.toEqualTypeOf<LoginCompleted>()
  })

  test('it is that of either result with a handler that may be false', () => {
    expectTypeOf(client.auth.login(credentials, { onMfaRequired: false })).resolves.toEqualTypeOf<LoginResult>()
    expectTypeOf(client.auth.login(credentials, { onMfaRequired: maybeHandler })).resolves.toEqualTypeOf<LoginResult>()
    expectTypeOf(client.auth.login(credentials, { timeout: 5 })).resolves.toEqualTypeOf<LoginResult>()
  })

  test('a passkey login resolves to a completed login', () => {
    expectTypeOf(client.auth.loginWithPasskey()).resolves.toEqualTypeOf<LoginCompleted>()
    expectTypeOf(
      client.auth.loginWithPasskey({ autofill: true, login_source: 'gift' }),
    ).resolves.toEqualTypeOf<LoginCompleted>()
  })
})

test('a password reset has the same result types as a login', () => {
  expectTypeOf(client.auth.resetPassword(reset)).toEqualTypeOf<ApiPromise<ResetResult>>()
  expectTypeOf(client.auth.resetPassword(reset, { onMfaRequired: handler })).resolves.toEqualTypeOf<ResetCompleted>()
  expectTypeOf(client.auth.resetPassword(reset, { onMfaRequired: false })).resolves.toEqualTypeOf<ResetResult>()
  expectTypeOf<Extract<ResetResult, { status: 'mfa' }>>().toEqualTypeOf<MfaPending<ResetCompleted>>()
})

describe('the type of an MFA answer', () => {
  test('it is a code or a credential of any type', () => {
    expectTypeOf<{ type: 'totp'; code: string }>().toExtend<MfaAnswer>()
    expectTypeOf<{ type: 'sms' | 'backup' | 'password'; code: string }>().toExtend<MfaAnswer>()
    expectTypeOf<{ type: 'webauthn'; credential: string }>().toExtend<MfaAnswer>()
    expectTypeOf<{ type: 'webauthn'; credential: { id: string } }>().toExtend<MfaAnswer>()
    expectTypeOf<{ type: 'retina'; code: string }>().toExtend<MfaAnswer>()
  })

  test('requires a type and a code or credential', () => {
    expectTypeOf<{ code: string }>().not.toExtend<MfaAnswer>()
    expectTypeOf<{ type: 'totp' }>().not.toExtend<MfaAnswer>()
    expectTypeOf<{ type: 'totp'; code: number }>().not.toExtend<MfaAnswer>()
    expectTypeOf<{ type: 'totp'; credential: string }>().not.toExtend<MfaAnswer>()
    expectTypeOf<{ type: 'webauthn'; credential: number }>().not.toExtend<MfaAnswer>()
  })

  test('an MFA handler returns an answer, a promise or null', () => {
    expectTypeOf<(challenge: MfaChallenge) => null>().toExtend<MfaHandler>()
    expectTypeOf<() => Promise<MfaAnswer | null>>().toExtend<MfaHandler>()
    expectTypeOf<() => string>().not.toExtend<MfaHandler>()
    expectTypeOf<() => undefined>().not.toExtend<MfaHandler>()
  })

  test('verify() resolves to the result of the challenge', () => {
    expectTypeOf<MfaChallenge['verify']>().returns.resolves.toEqualTypeOf<LoginCompleted | ResetCompleted | Elevated>()
    expectTypeOf<MfaChallenge<Elevated>['verify']>().returns.resolves.toEqualTypeOf<Elevated>()
    expectTypeOf<MfaChallenge['reason']>().toEqualTypeOf<'login' | 'password_reset' | 'elevation'>()
    expectTypeOf<MfaChallenge>().not.toHaveProperty('ticket')
  })
})

describe('the types of challenges and prompts', () => {
  test('the outcome of a challenge has an error unless it was accepted', () => {
    const read = (outcome: MfaOutcome) => {
      if (outcome.state === 'accepted') expectTypeOf(outcome).toEqualTypeOf<{ readonly state: 'accepted' }>()
      else expectTypeOf(outcome.error).toBeUnknown()
    }
    expectTypeOf<MfaChallenge['settled']>().resolves.toEqualTypeOf<MfaOutcome>()
    expectTypeOf(read).parameter(0).toEqualTypeOf<MfaOutcome>()
  })

  test('prompts and dialogs are handlers', () => {
    const prompt = createMfaPrompt()
    expectTypeOf(prompt.handler).toEqualTypeOf<MfaHandler>()
    expectTypeOf(prompt.current).toEqualTypeOf<MfaPromptState | null>()
    expectTypeOf(mfaDialog({ explain, words: { lang: 'de' } })).toEqualTypeOf<MfaHandler>()
    // @ts-expect-error: misspelt text
    mfaDialog({ words: { titel: () => '' } })
  })
})
