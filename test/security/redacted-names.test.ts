import { Client, type ClientOptions, isApiError, isConnectionError, isResponseMismatchError } from 'rapport-sdk'
import { describe, expect, it } from 'vitest'
import { json, serve } from '../servers/http-server'
import { rejectionOf } from '../transport/rejection'

const TOKEN = 'a-token-2f81c0d7e6'

/** The error of a login with a password, which the service refuses with a body. */
async function refusal(password: string, body: unknown, options: Partial<ClientOptions> = {}) {
  const server = await serve(json(400, body))
  const client = new Client({ baseUrl: server.url, retry: 0, ...options })
  return rejectionOf(client.auth.login({ login: 'ada@example.test', password }), isApiError)
}

const envelope = (field: string, message = 'is wrong') => ({
  code: 50035,
  message: 'Invalid Form Body',
  errors: { [field]: { _errors: [{ code: 'INVALID_LOGIN', message }] } },
})

describe('redaction replaces values and keeps names', () => {
  it('a form error keeps its path if the field is named like the password', async () => {
    const error = await refusal('password', envelope('password', 'the password is wrong'))
    expect(error.fieldErrors).toEqual([
      { path: ['password'], code: 'INVALID_LOGIN', message: 'the [redacted] is wrong' },
    ])
    expect(error.body).toMatchObject({ errors: { password: { _errors: [{ message: 'the [redacted] is wrong' }] } } })
    expect(error.message).toContain('\n  password: the [redacted] is wrong')
  })

  it.each(['password', 'username', 'gift_code_sku_id', 'newPassword', 'messages'])(
    'redaction keeps every key of a body if the password is %s',
    async (password) => {
      const body = envelope(password)
      const { body: shown } = await refusal(password, { ...body, [`${password}_again`]: 1, messages: [], username: 2 })
      const keys = Object.keys(Object(shown))
      expect(keys).toEqual(['code', 'message', 'errors', `${password}_again`, 'messages', 'username'].filter(unique))
    },
  )

  it('a log line keeps the field names of a request and of its response', async () => {
    const bodies: unknown[] = []
    const debug = (_: string, details: unknown) => void bodies.push(Reflect.get(Object(details), 'body'))
    await refusal('password', { password: 'no' }, { logger: { debug } })
    expect(bodies).toEqual([{ login: 'ada@example.test', password: '[redacted]' }, { password: '[redacted]' }])
  })

  it('redaction keeps a name in a cause that shows a secret elsewhere', async () => {
    const fetch = () => Promise.reject(new Error('the password is password'))
    const client = new Client({ baseUrl: 'https://service.example', retry: 0, fetch })
    const call = client.auth.login({ login: 'ada@example.test', password: 'password' })
    const { cause } = await rejectionOf(call, isConnectionError)
    expect(cause).toHaveProperty('message', 'the [redacted] is [redacted]')
  })

  it.each([
    ['a token', TOKEN],
    ['a password with digits', 'correct-horse-42'],
    ['a password with other signs', 'correct horse!'],
    ['a code', '123456'],
  ])(
    'redaction replaces %s if the service uses it as a field name, because no field is named like that',
    async (_, secret) => {
      const error = await refusal(secret.padEnd(8, '0'), envelope(secret.padEnd(8, '0')), { token: TOKEN })
      expect(error.fieldErrors[0]?.path).toEqual(['[redacted]'])
      expect(Object.keys(Object(Reflect.get(Object(error.body), 'errors')))).toEqual(['[redacted]'])
    },
  )

  it('a response mismatch keeps the field names in its issues', async () => {
    const server = await serve(json(200, { user_id: 7, user_settings: { theme: 7, locale: 'en' } }))
    const client = new Client({ baseUrl: server.url, onResponseMismatch: 'throw' })
    const call = client.auth.login({ login: 'ada@example.test', password: 'user_settings' })
    const { issues, message } = await rejectionOf(call, isResponseMismatchError)
    expect(issues.map(({ path }) => path.join('.'))).toEqual(['user_id', 'user_settings.theme'])
    expect(message).toContain('user_settings.theme')
  })
})

describe('redaction replaces every secret value', () => {
  it('redaction replaces the values of secret fields that are arrays', async () => {
    const error = await refusal('long-enough', { token: ['one-secret', 'another'], credential: [{ id: 'x' }], key: 5 })
    expect(error.body).toEqual({ token: ['[redacted]', '[redacted]'], credential: '[redacted]', key: 5 })
  })

  it('redaction replaces overlapping secrets as one', async () => {
    const error = await refusal('abc-def-123', { message: 'abc-def-123-ghi and 123-ghi' }, { token: '123-ghi' })
    expect(error.serviceMessage).toBe('[redacted] and [redacted]')
  })

  it('redaction replaces a secret that is longer than the searched excerpt', async () => {
    const data = `${'x'.repeat(10_000)}-the-end`
    const server = await serve(json(400, { message: `not ${data}` }))
    const client = new Client({ baseUrl: server.url })
    const call = client.request({ method: 'POST', path: '/x', body: { data } })
    expect((await rejectionOf(call, isApiError)).serviceMessage).toBe('not [redacted]')
  })

  it('cuts a value behind a million characters, and no secret in half', async () => {
    const message = `${'x'.repeat(2 ** 20 - 5)}${TOKEN} and so on`
    const { serviceMessage } = await refusal('long-enough', { message }, { token: TOKEN })
    expect(serviceMessage).toBe(`${'x'.repeat(2 ** 20 - 5)}[reda…`)
  })

  it('cuts a name behind 4,096 characters, and no secret in half', async () => {
    const name = `${'x'.repeat(4091)}${TOKEN} and so on`
    const { fieldErrors } = await refusal('long-enough', envelope(name), { token: TOKEN })
    expect(fieldErrors[0]?.path).toEqual([`${'x'.repeat(4091)}[reda…`])
  })

  it('a response with more secrets than can be searched for shows no values at all', async () => {
    const tokens = Array.from({ length: 5000 }, (_, index) => ({ token: `token-number-${index}` }))
    const error = await refusal('long-enough', { message: 'token-number-4999', code: 7, tokens, level: 1 })
    expect(error.serviceMessage).toBe('[redacted]')
    expect(error.body).toMatchObject({ message: '[redacted]', level: '[redacted]', tokens: expect.anything() })
  })

  it('redaction finds a secret that the service issues at any depth', async () => {
    let deep: unknown = { token: 'issued-in-the-depth' }
    for (let depth = 0; depth < 1000; depth++) deep = { deep }
    const error = await refusal('long-enough', { message: 'it is issued-in-the-depth', deep })
    expect(error.serviceMessage).toBe('it is [redacted]')
  })
})

function unique(key: string, index: number, keys: readonly string[]): boolean {
  return keys.indexOf(key) === index
}
