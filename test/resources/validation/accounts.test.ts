import { describe, expect, test } from 'vitest'
import { problems, refusal, sentBody } from './refusal'

// Interface, "C. Registration".
describe('registration', () => {
  const call = 'client.auth.register'

  test.each([
    [{ username: 'ada' }],
    [{ global_name: 'Ada' }],
    [{ username: 'ada', global_name: null }],
    [{ username: '', email: 'ada@example.test' }],
  ])('takes %o: one of the two names is enough', async (given) => {
    expect(await sentBody(call, given)).toEqual(given)
  })

  test.each([[undefined], [{}], [{ global_name: null }], [{ username: undefined }]])(
    'does not take %o: it has no name',
    async (given) => {
      expect(await problems(call, given)).toEqual(['username: required'])
      expect((await refusal(call, given)).message).toContain('a username or a global_name')
    },
  )

  test('tells of the missing name beside everything else that is wrong', async () => {
    const given = { password: 'short', date_of_birth: '1990', consent: 'yes', invite: 5, referrer: 'x' }
    expect((await problems(call, given)).sort()).toEqual(
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

  test.each(['1990-12-10', '2000-02-29', '0001-01-01', '9999-12-31'])('takes the date %s', async (date_of_birth) => {
    const given = { username: 'ada', date_of_birth }
    expect(await sentBody(call, given)).toEqual(given)
  })

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
  ])('does not take the date %j', async (date_of_birth) => {
    const given = { username: 'ada', date_of_birth }
    expect(await problems(call, given)).toEqual([
      `date_of_birth: invalid_format, actual ${JSON.stringify(date_of_birth)}`,
    ])
  })

  test.each(['+15550100', '+12', '+123456789012345'])('takes the number %s', async (phone) => {
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
    '+１５５５',
  ])('does not take the number %j: it is not in E.164 form', async (phone) => {
    expect(await problems('client.auth.registerPhone', { phone })).toEqual([
      `phone: invalid_format, actual ${JSON.stringify(phone)}`,
    ])
  })
})

// Interface, "Enumerations of the authentication area".
describe('authenticator types are open, since a service may add some', () => {
  test.each(['totp', 'sms', 'backup', 'webauthn', 'password', 'retina'])('%s', async (type) => {
    const finish = { ticket: 't', mfa_type: type, data: '1' }
    expect(await sentBody('client.mfa.finish', finish)).toEqual(finish)
    const reset = { token: 't', password: 'correct horse', method: type, ticket: 't', code: '1' }
    expect(await sentBody('client.auth.resetPassword', reset)).toEqual(reset)
    const login = { ticket: 't', code: '1' }
    expect(await sentBody('client.auth.verifyMfaLogin', type, login)).toEqual(login)
  })
})

test.each(['gift', 'guild_template', 'guild_invite', 'dm_invite', 'friend_invite', 'role_subscription'])(
  'a login may come from %s',
  async (login_source) => {
    const given = { login: 'ada@example.test', password: 'correct horse', login_source }
    expect(await sentBody('client.auth.login', given)).toEqual(given)
  },
)

test('a login may come from nowhere else', async () => {
  const given = { login: 'ada@example.test', password: 'correct horse', login_source: 'billboard' }
  expect(await problems('client.auth.login', given)).toEqual(['login_source: invalid_value, actual "billboard"'])
  expect((await refusal('client.auth.login', given)).message).toContain('role_subscription_setting')
})

// A query is UTF-8, which has no place for half a character: it would arrive as another one.
test.each(['\ud800', 'Ada \udc00', '😀\ud83d'])('a name for a suggestion is not %j', async (global_name) => {
  expect(await problems('client.auth.suggestUsername', { global_name })).toEqual([
    `global_name: invalid_format, actual ${JSON.stringify(global_name)}`,
  ])
})

test('a name for a suggestion may have any whole character', async () => {
  expect(await sentBody('client.auth.suggestUsername', { global_name: 'Ada 😀 & + %' })).toBeUndefined()
})
