import { Client, isMfaRequiredError, isWebAuthnError, type MfaChallenge } from 'rapport-sdk'
import { describe, expect, it, vi } from 'vitest'
import { json, mfaRequired, serve } from '../servers/http-server'
import { CODE, MFA_HEADER } from '../servers/step-up-service'
import { reasonOf, rejectionOf } from '../transport/rejection'

const OPTIONS = { challenge: 'Y2hhbGxlbmdl' }

/** What a step-up with these methods offers. */
async function offered(methods: readonly unknown[]) {
  const server = await serve(mfaRequired('ticket', methods as object[]), json(200, { token: 'jwt' }), json(200, []))
  const seen = vi.fn<(challenge: MfaChallenge) => void>()
  const client = new Client({
    baseUrl: server.url,
    token: 'ada',
    onMfaRequired: (challenge) => {
      seen(challenge)
      return { type: 'totp', code: CODE }
    },
  })
  await client.relationships.list()
  expect(server.request(2).headers[MFA_HEADER]).toBe('jwt')
  const [challenge] = seen.mock.calls[0] ?? []
  if (challenge === undefined) throw new Error('there was no prompt')
  return challenge
}

describe('a step-up with a malformed method', () => {
  it.each<[string, unknown, object[]]>([
    ['whose challenge is null', { type: 'webauthn', challenge: null }, [{ type: 'webauthn' }]],
    ['whose challenge is a number', { type: 'sms', challenge: 5 }, [{ type: 'sms' }]],
    ['whose backup_codes_allowed is null', { type: 'sms', backup_codes_allowed: null }, [{ type: 'sms' }]],
    ['that is null', null, []],
    ['that is a string', 'sms', []],
    ['that has no type', { challenge: '{}' }, []],
    ['whose type is null', { type: null }, []],
  ])('a step-up with %s still offers the other methods', async (_, malformed, extra) => {
    const { methods } = await offered([malformed, { type: 'totp', challenge: null, backup_codes_allowed: true }])

    expect(methods).toEqual([...extra, { type: 'totp', backup_codes_allowed: true }])
  })

  it('a WebAuthn method without a challenge runs no ceremony and throws an error that says so', async () => {
    const challenge = await offered([{ type: 'webauthn', challenge: null }, { type: 'totp' }])

    expect(challenge.allows('webauthn')).toBe(true)
    expect(await reasonOf(challenge.webauthn())).toSatisfy(isWebAuthnError)
  })

  it('a WebAuthn method without a challenge does not hide another one that has it', async () => {
    const challenge = await offered([
      { type: 'webauthn', challenge: null },
      { type: 'webauthn', challenge: JSON.stringify(OPTIONS) },
      { type: 'totp' },
    ])

    expect(challenge.webauthnOptions()).toEqual(OPTIONS)
  })

  it.each<[string, unknown]>([
    ['if none of them can be read', [null, {}]],
    ['if they are no array', { type: 'totp' }],
    ['if they are missing', undefined],
  ])('a step-up with %s has no method to verify with', async (_, methods) => {
    const body = { code: 60003, message: 'Two factor is required', mfa: { ticket: 'ticket', methods } }
    const server = await serve(json(401, body))
    const onMfaRequired = vi.fn(() => null)
    const client = new Client({ baseUrl: server.url, token: 'ada', onMfaRequired })

    const error = await rejectionOf(client.relationships.list(), isMfaRequiredError)

    expect(error.message).toContain('The service named nothing to verify.')
    expect(onMfaRequired).not.toHaveBeenCalled()
  })
})
