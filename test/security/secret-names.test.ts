import { Client, type ClientOptions, isApiError } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'
import { expect, it } from 'vitest'
import { json, serve } from '../servers/http-server'
import { rejectionOf } from '../transport/rejection'

const VALUE = 'value-9f3c'

/** Returns what the error of a refused call shows of this body and these headers. */
async function shownBy(fields: object, headers: Record<string, string>, options: Partial<ClientOptions> = {}) {
  const server = await serve(json(400, fields, headers))
  const client = new Client({ baseUrl: server.url, retry: 0, ...options })
  const error = await rejectionOf(client.relationships.list(), isApiError)
  return { body: Object(error.body), headers: error.headers }
}

const SECRET_NAMES = [
  ...[
    'password',
    'new_password',
    'newPassword',
    'password2',
    'passphrase',
    'passcode',
    'pwd',
    'token',
    'tokens',
    'accessToken',
    'accesstoken',
    'refresh_tokens',
  ],
  ...[
    'id_token',
    'token_value',
    'ticket',
    'tickets',
    'secret',
    'secrets',
    'clientSecret',
    'client_secrets',
    'secret_key',
  ],
  ...['credential', 'credentials', 'otp', 'otps', 'totp', 'otp_code', 'OTPCode', 'pin', 'pins', 'userPIN', 'pin_code'],
  ...['jwt', 'jwts', 'JWTs', 'authorization', 'Authorization', 'auth', 'basic_auth', 'cookie', 'cookies', 'setCookie'],
  ...[
    'api_key',
    'apiKey',
    'APIKeys',
    'apikey',
    'private_key',
    'privateKeys',
    'access_key',
    'signingKey',
    'csrf',
    'bearer',
  ],
  ...['backup_code', 'backup_codes', 'backupCodes', 'recovery-codes', 'verification_code', 'mfa_code', 'fingerprint'],
  ...['password_confirmation', 'password_hash', 'code', 'codes', 'data', 'key', 'challenge', 'webauthn'],
]

const SECRET_HEADERS = [
  ...['x-password', 'x-otp', 'x-pin', 'x-tokens', 'x-jwt', 'x-passphrase', 'x-private-key', 'x-backup-codes', 'x-csrf'],
  ...[
    'x-auth',
    'x-auth-user',
    'x-authtoken',
    'x-apikey',
    'x-api-keys',
    'set-cookie',
    'www-authenticate',
    'x-key',
    'x-secret',
  ],
  ...['proxy-authorization', 'x-service-mfa-authorization', 'x-device-fingerprint', 'x-goog-iap-jwt'],
  ...['x-amz-security-token', 'x-client-secret', 'x-code'],
]

const READABLE_NAMES = [
  ...[
    'backup_codes_allowed',
    'max_tokens',
    'maxTokens',
    'token_type',
    'pinned',
    'shipping',
    'otp_enabled',
    'token_count',
  ],
  ...[
    'token_expires_at',
    'expires_in',
    'password_min_length',
    'author',
    'authority',
    'authenticator_types',
    'secretary',
  ],
  ...[
    'tokenizer',
    'ticketing',
    'public_key',
    'key_id',
    'keyboard',
    'country_code',
    'error_code',
    'opinion',
    'spin',
    'id',
  ],
  ...['auth_session_id_hash', 'cookie_count', 'total_tokens', 'codec', 'metadata', 'required_actions', 'status'],
]

it.each(SECRET_NAMES)('redaction replaces the value of the field %s', async (name) => {
  const { body } = await shownBy({ [name]: VALUE, more: [{ [name]: [VALUE] }] }, {})
  expect(body).toEqual({ [name]: '[redacted]', more: [{ [name]: expect.toSatisfy(isHidden) }] })
})

it.each([...SECRET_HEADERS, ...SECRET_NAMES.filter((name) => /^[a-z_-]+$/.test(name) && name !== 'data')])(
  'redaction replaces the value of the header %s',
  async (name) => {
    expect((await shownBy({}, { [name]: VALUE })).headers.get(name)).toBe('[redacted]')
  },
)

it.each(READABLE_NAMES)('redaction keeps the value of the field and of the header %s', async (name) => {
  // Headers have no capitals that could separate words.
  const header = name.replace(/(?=[A-Z])/g, '-')
  const { body, headers } = await shownBy({ [name]: VALUE }, { [`x-${header}`]: VALUE })
  expect(body).toEqual({ [name]: VALUE })
  expect(headers.get(`x-${header}`)).toBe(VALUE)
})

it('redaction keeps booleans, whatever their name', async () => {
  const fields = { password: true, otp: false, token: [true], pin: null }
  expect((await shownBy(fields, {})).body).toEqual(fields)
})

it('redaction replaces a number with the name of a secret, but not the code of an error', async () => {
  const { body } = await shownBy({ pin: 4711, otp: 123456, code: 50035, max_tokens: 4096 }, {})
  expect(body).toEqual({ pin: '[redacted]', otp: '[redacted]', code: 50035, max_tokens: 4096 })
})

it('a value that the caller sends under a secret name is replaced where the service repeats it', async () => {
  const server = await serve(json(400, { message: 'refused first-one-1, second-one-2 and 471100' }))
  const client = new Client({ baseUrl: server.url, retry: 0 })
  const body = { backup_codes: ['first-one-1', 'second-one-2'], pin: 471100 }
  const error = await rejectionOf(client.request({ method: 'POST', path: '/x', auth: 'none', body }), isApiError)
  expect(error.serviceMessage).toBe('refused [redacted], [redacted] and [redacted]')
})

it('the journal of the mock redacts the same names, and keeps booleans', async () => {
  const service = createMockService({ baseUrl: 'https://service.example' })
  const body = JSON.stringify({
    login: 'ada',
    passphrase: VALUE,
    otp: 123456,
    undelete: true,
    otp_enabled: true,
    jwt: false,
  })
  const headers = { 'content-type': 'application/json' }
  await service.fetch('https://service.example/auth/login', { method: 'POST', body, headers })
  expect(service.journal.requests[0]?.params).toEqual({
    ...{ login: 'ada', passphrase: '[redacted]', otp: '[redacted]', undelete: true, otp_enabled: true, jwt: false },
  })
  service.close()
})

/** Whether redaction has replaced a value: a document as a whole, an array item by item. */
function isHidden(value: unknown): boolean {
  return value === '[redacted]' || (Array.isArray(value) && value.every((item) => item === '[redacted]'))
}
