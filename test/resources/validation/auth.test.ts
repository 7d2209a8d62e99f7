import { expect, test } from 'vitest'
import { issuesOf, sentBody, validationErrorOf } from './param-table'

// API, "C. Registration".

const call = 'client.auth.register'

test.each([
  [{ username: 'ada' }],
  [{ global_name: 'Ada' }],
  [{ username: 'ada', global_name: null }],
  [{ username: '', email: 'ada@example.test' }],
])('register() accepts %o, which has a name', async (params) => {
  expect(await sentBody(call, params)).toEqual(params)
})

test.each([[undefined], [{}], [{ global_name: null }], [{ username: undefined }]])(
  'register() rejects %o, which has no name',
  async (params) => {
    expect(await issuesOf(call, params)).toEqual(['username: required'])
    expect((await validationErrorOf(call, params)).message).toContain('a username or a global_name')
  },
)

test('register() reports a missing name and all other problems at once', async () => {
  const params = { password: 'short', date_of_birth: '1990', consent: 'yes', invite: 5, referrer: 'x' }
  expect((await issuesOf(call, params)).sort()).toEqual(
    [
      'username: required',
      'password: too_short, limit 8, actual 5',
      'date_of_birth: invalid_format, actual "1990"',
      'consent: invalid_type, actual "yes"',
      'invite: invalid_type, actual 5',
      'referrer: unknown_field',
    ].sort(),
  )
})

test.each(['1990-12-10', '2000-02-29', '0001-01-01', '9999-12-31'])(
  'register() accepts the date %s',
  async (date_of_birth) => {
    const params = { username: 'ada', date_of_birth }
    expect(await sentBody(call, params)).toEqual(params)
  },
)

test.each([
  '2001-02-29',
  '1990-13-01',
  '1990-00-10',
  '1990-04-31',
  '1990-1-1',
  '10.12.1990',
  '1990-12-10T00:00:00Z',
  '1990-12-10\n',
  ' 1990-12-10',
  '+001990-12-10',
  '',
])('register() rejects the date %j', async (date_of_birth) => {
  const params = { username: 'ada', date_of_birth }
  expect(await issuesOf(call, params)).toEqual([
    `date_of_birth: invalid_format, actual ${JSON.stringify(date_of_birth)}`,
  ])
})

test.each(['+15550100', '+12', '+123456789012345'])('registerPhone() accepts the number %s', async (phone) => {
  expect(await sentBody('client.auth.registerPhone', { phone })).toEqual({ phone })
})

test.each([
  '15550100',
  '+0555010',
  '+1',
  '+',
  '',
  '+1234567890123456',
  '+1 555 0100',
  '+1555-0100',
  '+15550100\n',
  'tel:+15550100',
  '+１５５５',
])('registerPhone() rejects the number %j, which is not in E.164 form', async (phone) => {
  expect(await issuesOf('client.auth.registerPhone', { phone })).toEqual([
    `phone: invalid_format, actual ${JSON.stringify(phone)}`,
  ])
})

// API, "Enumerations of the authentication area".

test.each(['totp', 'sms', 'backup', 'webauthn', 'password', 'retina'])(
  'a second factor can have the type %s',
  async (type) => {
    const finish = { ticket: 't', mfa_type: type, data: '1' }
    expect(await sentBody('client.mfa.finish', finish)).toEqual(finish)
    const reset = { token: 't', password: 'correct horse', method: type, ticket: 't', code: '1' }
    expect(await sentBody('client.auth.resetPassword', reset)).toEqual(reset)
    const login = { ticket: 't', code: '1' }
    expect(await sentBody('client.auth.verifyMfaLogin', type, login)).toEqual(login)
  },
)

test.each(['gift', 'guild_template', 'guild_invite', 'dm_invite', 'friend_invite', 'role_subscription'])(
  'login() accepts the source %s',
  async (login_source) => {
    const params = { login: 'ada@example.test', password: 'correct horse', login_source }
    expect(await sentBody('client.auth.login', params)).toEqual(params)
  },
)

test('login() rejects an unknown source', async () => {
  const params = { login: 'ada@example.test', password: 'correct horse', login_source: 'billboard' }
  expect(await issuesOf('client.auth.login', params)).toEqual(['login_source: invalid_value, actual "billboard"'])
  expect((await validationErrorOf('client.auth.login', params)).message).toContain('role_subscription_setting')
})

// A query is UTF-8, in which a lone surrogate would become U+FFFD.
test.each(['\ud800', 'Ada \udc00', '😀\ud83d'])(
  'suggestUsername() rejects %j, which has a lone surrogate',
  async (global_name) => {
    expect(await issuesOf('client.auth.suggestUsername', { global_name })).toEqual([
      `global_name: invalid_format, actual ${JSON.stringify(global_name)}`,
    ])
  },
)

test('suggestUsername() accepts any well-formed Unicode', async () => {
  expect(await sentBody('client.auth.suggestUsername', { global_name: 'Ada 😀 & + %' })).toBeUndefined()
})
