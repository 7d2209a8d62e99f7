import { inspect } from 'node:util'
import {
  Client,
  isApiError,
  isMfaCancelledError,
  isMfaFailedError,
  isMfaRequiredError,
  type MfaAnswer,
  type MfaHandler,
} from 'rapport-sdk'
import { describe, expect, it, vi } from 'vitest'
import { json, mfaRequired, type Responder, serve } from '../servers/http-server'
import { rejectionOf } from '../transport/rejection'

const pending = json(200, { user_id: '100', mfa: true, ticket: 'ticket', totp: true })
const refused = json(400, { code: 60008, message: 'Invalid two-factor code' })
const accepted = json(200, { token: 'jwt' })
const credentials = { login: 'ada@example.test', password: 'correct horse' }

/** The operations that ask for a second factor, and their first response. */
const OPERATIONS: [string, Responder, (client: Client) => Promise<unknown>][] = [
  ['a step-up', mfaRequired(), (client) => client.relationships.list()],
  ['a sign-in', pending, (client) => client.auth.login(credentials)],
  ['a password reset', pending, (client) => client.auth.resetPassword({ token: 'mailed', password: 'correct horse' })],
]

/** Returns what a step-up sends for an answer of its handler, and for the same one passed to `verify`. */
async function sentFor(answer: MfaAnswer): Promise<unknown[]> {
  const server = await serve(mfaRequired(), accepted, json(200, []), mfaRequired(), accepted)
  const client = new Client({ baseUrl: server.url, token: 'ada' })
  await client.relationships.list({ onMfaRequired: () => answer })
  const { challenge } = await rejectionOf(client.relationships.list(), isMfaRequiredError)
  await challenge?.verify(answer)
  return [1, 4].map((index) => (server.request(index).json() as { data: unknown }).data)
}

/** The ten digits of each script that this platform knows, from 0 to 9. */
const SCRIPTS = Intl.supportedValuesOf('numberingSystem').flatMap((numberingSystem) => {
  const format = new Intl.NumberFormat('en', { numberingSystem, useGrouping: false })
  const digits = Array.from({ length: 10 }, (_, digit) => format.format(digit))
  return digits.every((digit) => /^\p{Nd}$/u.test(digit)) ? [[numberingSystem, digits.join('')] as const] : []
})

describe('the answer to a challenge', () => {
  it.each<[string, string]>([
    [' 123 456\n', '123456'],
    ['123\u00a0456', '123456'],
    ['١٢٣ ٤٥٦', '123456'],
    ['۱۲۳۴۵۶', '123456'],
    ['१२३ ४५६', '123456'],
    ['１２３\u3000４５６', '123456'],
    ['𝟷𝟸𝟹 𝟺𝟻𝟼', '123456'],
    ['12-34 ab', '12-34ab'],
    ['①②③', '①②③'],
  ])('a totp or sms code %j is sent as %j', async (code, sent) => {
    for (const type of ['totp', 'sms']) expect(await sentFor({ type, code })).toEqual([sent, sent])
  })

  it('the digits of every script become ASCII digits', async () => {
    expect(SCRIPTS.map(([name]) => name)).toEqual(
      expect.arrayContaining(['arab', 'deva', 'fullwide', 'latn', 'mathbold']),
    )
    const codes = SCRIPTS.map(([, digits]) => digits)
    const [sent] = await sentFor({ type: 'totp', code: codes.join(' ') })
    expect(sent).toBe('0123456789'.repeat(SCRIPTS.length))
  })

  it.each<[string, string, string]>([
    ['backup', '  abcd efgh٣\n', 'abcd efgh٣'],
    ['password', ' correct  horse ١ ', ' correct  horse ١ '],
    ['webauthn', ' {"id": "١"} ', ' {"id": "١"} '],
    ['carrier_pigeon', ' ١ 2 ', ' ١ 2 '],
  ])('an answer of the type %s is %j, and sent as %j', async (type, code, sent) => {
    const answer: MfaAnswer = type === 'webauthn' ? { type, credential: code } : { type, code }
    expect(await sentFor(answer)).toEqual([sent, sent])
  })

  it('errors show a code neither as it was typed nor as it was sent', async () => {
    const server = await serve(mfaRequired(), refused)
    const onMfaRequired: MfaHandler = ({ attempt }) => {
      if (attempt > 1) throw new Error('typed ١٢٣ ٤٥٦, sent 123456')
      return { type: 'totp', code: '١٢٣ ٤٥٦' }
    }
    const client = new Client({ baseUrl: server.url, token: 'ada', onMfaRequired })
    const error = await rejectionOf(client.relationships.list(), isMfaCancelledError)
    expect(inspect(error.cause)).not.toMatch(/١٢٣|123456/)
  })
})

describe.each(OPERATIONS)('a refused answer of %s', (_, required, call) => {
  it.each<[string, MfaAnswer]>([
    ['the same', { type: 'totp', code: '123456' }],
    ['the same in other digits', { type: 'totp', code: '١٢٣ ٤٥٦' }],
  ])('it is not sent again if the handler repeats %s: it ends with an MfaFailedError', async (_, repeated) => {
    const server = await serve(required, refused)
    const handler = vi.fn<MfaHandler>(({ attempt }) => (attempt === 1 ? { type: 'totp', code: '123456' } : repeated))
    const client = new Client({ baseUrl: server.url, token: 'ada', onMfaRequired: handler })

    const error = await rejectionOf(call(client), isMfaFailedError)

    expect(error.message).toBe('MFA failed: the handler repeated a refused answer.')
    expect(error).toMatchObject({ attempts: 1, cause: { code: 60008 } })
    expect(handler).toHaveBeenCalledTimes(2)
    expect(await handler.mock.calls[0]?.[0].settled).toEqual({ state: 'failed', error })
    expect(server.requests).toHaveLength(2)
  })

  it('it is not sent again after another one was refused', async () => {
    const server = await serve(required, refused, refused)
    const codes = ['111111', '222222', '111111']
    const onMfaRequired: MfaHandler = ({ attempt }) => ({ type: 'totp', code: codes[attempt - 1] ?? '' })
    const client = new Client({ baseUrl: server.url, token: 'ada', onMfaRequired })

    expect(await rejectionOf(call(client), isMfaFailedError)).toMatchObject({ attempts: 2 })
    expect(server.requests).toHaveLength(3)
  })

  it('does not prevent the same code with another kind of second factor', async () => {
    const server = await serve(required, refused, json(200, { token: 'jwt', user_id: '100' }), json(200, []))
    const onMfaRequired: MfaHandler = ({ attempt }) => ({ type: attempt === 1 ? 'totp' : 'backup', code: '123456' })
    await call(new Client({ baseUrl: server.url, token: 'ada', onMfaRequired }))
    expect(server.requests.length).toBeGreaterThanOrEqual(3)
  })
})

it('verify() sends an answer again if the app repeats it: then only the service limits the attempts', async () => {
  const server = await serve(mfaRequired(), refused, refused)
  const client = new Client({ baseUrl: server.url, token: 'ada' })
  const { challenge } = await rejectionOf(client.relationships.list(), isMfaRequiredError)
  for (let time = 0; time < 2; time++)
    await rejectionOf(challenge?.verify({ type: 'totp', code: '123456' }) ?? Promise.resolve(), isApiError)
  expect(server.requests).toHaveLength(3)
})
