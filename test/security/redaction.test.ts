import { inspect } from 'node:util'
import {
  Client,
  type ClientOptions,
  isApiError,
  isConnectionError,
  isRequestValidationError,
  isResponseMismatchError,
  type RapportError,
} from 'rapport-sdk'
import { describe, expect, it } from 'vitest'
import { json, serve } from '../servers/http-server'
import { rejectionOf } from '../transport/rejection'

const TOKEN = 'a-token-2f81c0d7e6'

/** Returns the error of a login with this password that the service rejects with this body. */
async function rejectLogin(password: string, body: unknown, options: Partial<ClientOptions> = {}) {
  const server = await serve(json(400, body))
  const client = new Client({ baseUrl: server.url, retry: 0, ...options })
  return rejectionOf(client.auth.login({ login: 'ada@example.test', password }), isApiError)
}

const envelope = (field: string, message = 'is wrong') => ({
  code: 50035,
  message: 'Invalid Form Body',
  errors: { [field]: { _errors: [{ code: 'INVALID_LOGIN', message }] } },
})

describe('redaction of names', () => {
  it('keeps the path of a form error if the field is named like the password', async () => {
    const error = await rejectLogin('password', envelope('password', 'the password is wrong'))
    expect(error.fieldErrors).toEqual([
      { path: ['password'], code: 'INVALID_LOGIN', message: 'the [redacted] is wrong' },
    ])
    expect(error.body).toMatchObject({ errors: { password: { _errors: [{ message: 'the [redacted] is wrong' }] } } })
    expect(error.message).toContain('\n  password: the [redacted] is wrong')
  })

  it.each(['password', 'username', 'gift_code_sku_id', 'newPassword', 'messages'])(
    'keeps every key of a body if the password is %s',
    async (password) => {
      const body = envelope(password)
      const { body: shown } = await rejectLogin(password, {
        ...body,
        [`${password}_again`]: 1,
        messages: [],
        username: 2,
      })
      const keys = Object.keys(Object(shown))
      expect(keys).toEqual(['code', 'message', 'errors', `${password}_again`, 'messages', 'username'].filter(unique))
    },
  )

  it('keeps the field names of a request and its response in a log line', async () => {
    const bodies: unknown[] = []
    const debug = (_: string, details: unknown) => void bodies.push(Reflect.get(Object(details), 'body'))
    await rejectLogin('password', { password: 'no' }, { logger: { debug } })
    expect(bodies).toEqual([{ login: 'ada@example.test', password: '[redacted]' }, { password: '[redacted]' }])
  })

  it('replaces a secret in a cause wherever it occurs', async () => {
    const fetch = () => Promise.reject(new Error('the password is password'))
    const client = new Client({ baseUrl: 'https://service.example', retry: 0, fetch })
    const call = client.auth.login({ login: 'ada@example.test', password: 'password' })
    const { cause } = await rejectionOf(call, isConnectionError)
    expect(cause).toHaveProperty('message', 'the [redacted] is [redacted]')
  })

  it.each([
    ['a token', TOKEN],
    ['a password with digits', 'correct-horse-42'],
    ['a password with punctuation', 'correct horse!'],
    ['a code', '123456'],
  ])('replaces %s that the service uses as a field name', async (_, secret) => {
    const error = await rejectLogin(secret.padEnd(8, '0'), envelope(secret.padEnd(8, '0')), { token: TOKEN })
    expect(error.fieldErrors[0]?.path).toEqual(['[redacted]'])
    expect(Object.keys(Object(Reflect.get(Object(error.body), 'errors')))).toEqual(['[redacted]'])
  })

  it('keeps the field names in the issues of a response mismatch', async () => {
    const server = await serve(json(200, { user_id: 7, user_settings: { theme: 7, locale: 'en' } }))
    const client = new Client({ baseUrl: server.url, onResponseMismatch: 'throw' })
    const call = client.auth.login({ login: 'ada@example.test', password: 'user_settings' })
    const { issues, message } = await rejectionOf(call, isResponseMismatchError)
    expect(issues.map(({ path }) => path.join('.'))).toEqual(['user_id', 'user_settings.theme'])
    expect(message).toContain('user_settings.theme')
  })
})

describe('redaction of values', () => {
  it('replaces the values of secret fields that are arrays', async () => {
    const error = await rejectLogin('long-enough', {
      token: ['one-secret', 'another'],
      credential: [{ id: 'x' }],
      key: 5,
    })
    expect(error.body).toEqual({ token: ['[redacted]', '[redacted]'], credential: '[redacted]', key: 5 })
  })

  it('replaces overlapping secrets as one', async () => {
    const error = await rejectLogin('abc-def-123', { message: 'abc-def-123-ghi and 123-ghi' }, { token: '123-ghi' })
    expect(error.serviceMessage).toBe('[redacted] and [redacted]')
  })

  it('replaces a secret that is longer than the searched excerpt', async () => {
    const data = `${'x'.repeat(10_000)}-the-end`
    const server = await serve(json(400, { message: `not ${data}` }))
    const client = new Client({ baseUrl: server.url })
    const call = client.request({ method: 'POST', path: '/x', body: { data } })
    expect((await rejectionOf(call, isApiError)).serviceMessage).toBe('not [redacted]')
  })

  it('truncates a value after a million characters without splitting a secret', async () => {
    const message = `${'x'.repeat(2 ** 20 - 5)}${TOKEN} and so on`
    const { serviceMessage } = await rejectLogin('long-enough', { message }, { token: TOKEN })
    expect(serviceMessage).toBe(`${'x'.repeat(2 ** 20 - 5)}[reda…`)
  })

  it('truncates a name after 4,096 characters without splitting a secret', async () => {
    const name = `${'x'.repeat(4091)}${TOKEN} and so on`
    const { fieldErrors } = await rejectLogin('long-enough', envelope(name), { token: TOKEN })
    expect(fieldErrors[0]?.path).toEqual([`${'x'.repeat(4091)}[reda…`])
  })

  it('replaces all values of a response that has too many secrets to search for', async () => {
    const tokens = Array.from({ length: 5000 }, (_, index) => ({ token: `token-number-${index}` }))
    const error = await rejectLogin('long-enough', { message: 'token-number-4999', code: 7, tokens, level: 1 })
    expect(error.serviceMessage).toBe('[redacted]')
    expect(error.body).toMatchObject({ message: '[redacted]', level: '[redacted]', tokens: expect.anything() })
  })

  it.each(['api_key', 'apiKey', 'client_secret', 'new_password'])(
    'replaces the value of the field %s that a request sends and the service repeats',
    async (field) => {
      const server = await serve(json(400, { message: 'refused a-value-9f3c' }))
      const client = new Client({ baseUrl: server.url, retry: 0 })
      const call = client.request({
        method: 'POST',
        path: '/partners',
        auth: 'none',
        body: { [field]: 'a-value-9f3c' },
      })
      expect((await rejectionOf(call, isApiError)).serviceMessage).toBe('refused [redacted]')
    },
  )

  it('finds a secret that the service issues at any depth', async () => {
    let deep: unknown = { token: 'issued-in-the-depth' }
    for (let depth = 0; depth < 1000; depth++) deep = { deep }
    const error = await rejectLogin('long-enough', { message: 'it is issued-in-the-depth', deep })
    expect(error.serviceMessage).toBe('it is [redacted]')
  })
})

function unique(key: string, index: number, keys: readonly string[]): boolean {
  return keys.indexOf(key) === index
}

/** Returns the `cause` of the error of a call whose `fetch` rejects with `reason`. */
async function causeFor(reason: unknown): Promise<unknown> {
  const client = new Client({
    baseUrl: 'https://service.example',
    token: TOKEN,
    retry: 0,
    fetch: () => Promise.reject(reason),
  })
  return (await rejectionOf(client.relationships.list(), isConnectionError)).cause
}

describe('redaction of encoded secrets', () => {
  const password = 'Pä$$ wörd&1<2/"q"'
  const json = JSON.stringify(password)
  const escaped = (text: string, characters: RegExp) =>
    text.replace(characters, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  const exact = 'echo: [redacted] end'

  it.each([
    ['JavaScript encodes it in JSON', json.slice(1, -1), exact],
    ['PHP encodes it in JSON', json.slice(1, -1).replaceAll('/', '\\/'), '[redacted]'],
    ['Python encodes it in JSON', escaped(json.slice(1, -1), /[^ -~]/g), '[redacted]'],
    ['Go encodes it in JSON', escaped(json.slice(1, -1), /[<>&]/g), '[redacted]'],
    ['Java encodes it in JSON', escaped(json.slice(1, -1), /[^ -~]/g).replaceAll('u00e4', 'u00E4'), '[redacted]'],
    ['JavaScript encodes it in JSON in JSON', JSON.stringify(json).slice(3, -3), '[redacted]'],
    ['a form encodes it', String(new URLSearchParams([['', password]])).slice(1), exact],
    ['JavaScript encodes it in a URL', encodeURIComponent(password), exact],
    ['JavaScript encodes it in a whole URL', encodeURI(password), '[redacted]'],
    ['.NET encodes it in a URL', encodeURIComponent(password).toLowerCase().replace('p', 'P'), '[redacted]'],
    ['it is encoded twice in a URL', encodeURIComponent(encodeURIComponent(password)), '[redacted]'],
    ['it is encoded in JSON in a URL', encodeURIComponent(json), '[redacted]'],
    ['it is encoded in a URL in JSON in JSON', JSON.stringify(JSON.stringify(encodeURI(password))), '[redacted]'],
  ])('replaces a secret as %s', async (_, encoded, shown) => {
    const error = await rejectLogin(password, { message: `echo: ${encoded} end`, trace: { echo: encoded } })
    expect(error.serviceMessage).toBe(shown)
    expect(inspect(error, { depth: 9 })).not.toContain(encoded)
    expect(JSON.stringify(error.body)).not.toContain(JSON.stringify(encoded).slice(1, -1))
  })

  it('replaces a secret that looks encoded itself', async () => {
    const encoded = JSON.stringify('100%25/"safe"').slice(1, -1).replaceAll('/', '\\/')
    const error = await rejectLogin('100%25/"safe"', { message: `echo: ${encoded}` })
    expect(error.serviceMessage).toBe('[redacted]')
  })

  it('keeps a text with escapes that has no secret', async () => {
    const message = 'C:\\users\\new, 100%, %zz, %u12, \\u00, a%2Fb, "\\\\", %C3%A4'
    expect((await rejectLogin(password, { message })).serviceMessage).toBe(message)
  })

  it('does not search for the short decoded form of a secret', async () => {
    const message = 'a table of ABC and %41%42%43'
    expect((await rejectLogin('%41%42%43', { message })).serviceMessage).toBe('a table of ABC and [redacted]')
  })
})

describe('the cause of an error', () => {
  const cyclic = Object.assign(new Error('failed'), { self: {} as unknown })
  cyclic.self = { cyclic }

  it.each<[string, unknown]>([
    ['an error', new TypeError('fetch failed')],
    ['a code', Object.assign(new Error('failed'), { code: 'ECONNRESET', errno: -104 })],
    ['a cause', new Error('failed', { cause: new Error('ECONNREFUSED') })],
    ['an array', Object.assign(new Error('failed'), { addresses: ['::1', '127.0.0.1'] })],
    ['a map', Object.assign(new Error('failed'), { timings: new Map([['dns', 5]]) })],
    ['a plain object', Object.assign(new Error('failed'), { details: { tries: 3, at: null } })],
    ['a symbol', Object.assign(new Error('failed'), { kind: Symbol('network') })],
    ['a circular reference', cyclic],
    ['a string', 'fetch failed'],
    ['a number', 5],
  ])('one of a failed fetch without a secret is kept unchanged: %s', async (_, reason) => {
    expect(await causeFor(reason)).toBe(reason)
  })

  it('with a secret is replaced by one with its name, code and redacted message', async () => {
    const reason = Object.assign(new RangeError(`no response for ${TOKEN}!`), { code: 'ECONNRESET', sent: TOKEN })
    const cause = await causeFor(reason)
    expect(cause).toBeInstanceOf(Error)
    expect(cause).toMatchObject({ name: 'RangeError', message: 'no response for [redacted]!', code: 'ECONNRESET' })
    expect(cause).not.toHaveProperty('sent')
    expect(cause).not.toHaveProperty('cause')
  })

  it('has a code only if the original has a string as code', async () => {
    expect(await causeFor(new Error(TOKEN))).not.toHaveProperty('code')
    expect(await causeFor(Object.assign(new Error(TOKEN), { code: 5 }))).not.toHaveProperty('code')
    expect(await causeFor(Object.assign(new Error('failed'), { code: TOKEN }))).toHaveProperty('code', '[redacted]')
  })

  it('it is redacted down to eight levels, and harmless ones are kept', async () => {
    const harmless = new Error('ECONNREFUSED')
    const shallow = await causeFor(new Error(TOKEN, { cause: harmless }))
    expect(shallow).toHaveProperty('cause', harmless)

    let deep: Error = new Error(TOKEN)
    for (let depth = 0; depth < 20; depth++) deep = new Error(`${depth}`, { cause: deep })
    const messages: string[] = []
    for (let at = (await causeFor(deep)) as Error | undefined; at !== undefined; at = at.cause as Error | undefined)
      messages.push(at.message)
    expect(messages).toEqual(['19', '18', '17', '16', '15', '14', '13', '12', '11'])
  })

  it('a thrown string is redacted, and any other thrown value that is not an error is dropped', async () => {
    expect(await causeFor(`sent ${TOKEN}`)).toBe('sent [redacted]')
    expect(await causeFor({ sent: TOKEN })).toBe('[redacted]')
    expect(await causeFor([TOKEN])).toBe('[redacted]')
  })

  it.each<[string, object]>([
    ['a function', { retry: () => {} }],
    ['an accessor', Object.defineProperty({}, 'sent', { enumerable: true, get: () => 'x' })],
    ['a toJSON method', { toJSON: () => TOKEN }],
    ['a class instance', { request: new URL('https://service.example') }],
    ['too many parts to search', { parts: Array.from({ length: 501 }, () => ({})) }],
  ])('it is reduced to its message if it holds %s', async (_, more) => {
    const reason = Object.defineProperties(new Error('failed'), Object.getOwnPropertyDescriptors(more))
    const cause = await causeFor(reason)
    expect(cause).not.toBe(reason)
    expect(cause).toMatchObject({ name: 'Error', message: 'failed' })
  })

  it('with many parts and no secret is kept unchanged', async () => {
    const reason = Object.assign(new Error('failed'), { parts: Array.from({ length: 400 }, () => ({})) })
    expect(await causeFor(reason)).toBe(reason)
  })
})

const client = new Client({ baseUrl: 'https://service.example', fetch: () => new Promise(() => {}) })
const SECRET = 'correct-horse-battery'

it.each([
  ['in place of the parameters', () => client.auth.authorizeIp(SECRET as never)],
  ['in place of the options', () => client.relationships.list(SECRET as never)],
  ['one argument too early', () => client.auth.verifyMfaLogin('totp', SECRET as never, 1 as never)],
  ['in the path of a custom request', () => client.request({ path: `/verify?token=${SECRET}` })],
])('the error of a call does not show a secret that is passed %s', async (_, call) => {
  const error: RapportError = await call().then(
    () => expect.unreachable(),
    (reason) => reason,
  )
  expect(`${error.stack}${inspect(error, { depth: 9, showHidden: true })}${JSON.stringify(error)}`).not.toContain(
    SECRET,
  )
})

describe('redaction of a misplaced session token', () => {
  it.each<[string, (client: Client) => Promise<unknown>]>([
    ['as a value', (app) => app.relationships.create('101', { type: SECRET as never })],
    ['as a longer value', (app) => app.relationships.create('101', { type: `Bearer ${SECRET}` as never })],
    ['as a name', (app) => app.relationships.create('101', { [SECRET]: 1 } as never)],
    ['as an option', (app) => app.relationships.list({ [SECRET]: 1 } as never)],
    ['as the name of a header', (app) => app.relationships.list({ headers: { [SECRET]: '\n' } })],
    ['as a query', (app) => app.request({ path: '/x', query: { [SECRET]: {} as never } })],
  ])('the error of a call does not show the session token that is passed %s', async (_, call) => {
    const app = new Client({ baseUrl: 'https://service.example', token: SECRET })
    const error = await rejectionOf(call(app), isRequestValidationError)
    expect(inspect(error, { depth: 9, showHidden: true }) + JSON.stringify(error)).not.toContain(SECRET)
    expect(error.message).toContain('[redacted]')
  })

  it('keeps a field name that equals the token', async () => {
    const app = new Client({ baseUrl: 'https://service.example', token: 'password' })
    const call = app.auth.login({ login: 'ada', password: 'short' })
    const error = await rejectionOf(call, isRequestValidationError)
    expect(error.message).toContain('password: 5 characters, at least 8')
    expect(error.issues[0]?.path).toEqual(['password'])
  })
})

const failing = async (input: RequestInfo | URL): Promise<Response> => {
  throw new Error(`request to ${new Request(input).url} failed`)
}

it.each([
  ['with spaces in a query', { path: '/x', query: { password: 'correct horse! ~' } }, /correct.horse/],
  ['in an array in a query', { path: '/x', query: { token: ['secret-one', 'secret-two'] } }, /secret-(one|two)/],
  ['in the path', { path: '/x/{token}', pathParams: { token: 'path-secret' } }, /path-secret/],
])('an error of fetch that quotes the URL shows no secret %s', async (_, request, secret) => {
  const app = new Client({ baseUrl: 'https://service.example', fetch: failing, retry: 0 })
  const error: Error = await app.request(request).then(
    () => expect.unreachable(),
    (reason) => reason,
  )
  expect(inspect(error, { depth: 9, showHidden: true })).not.toMatch(secret)
})
