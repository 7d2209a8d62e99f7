// Which secrets of a session a request to the service carries, and for how long.
import { afterEach, expect, test, vi } from 'vitest'
import { login, setUp } from './page'

const MINUTE_MS = 60_000

afterEach(() => void vi.useRealTimers())

/** A page that has verified its second factor, with the headers of its next call as the service receives them. */
async function setUpVerified() {
  const { page, signIn, service, user, requests } = setUp({}, ['totp'])
  const { json } = await signIn()
  await page.call('POST', '/auth/mfa/totp', { body: { ticket: json.ticket, code: service.users.totp(user) } })
  const body = { session_id_hashes: ['other'] }
  const required = await page.call('POST', '/auth/sessions/logout', { body })
  const answer = { ticket: required.json.mfa.ticket, mfa_type: 'totp', data: service.users.totp(user) }
  await page.call('POST', '/mfa/finish', { body: answer })
  const secretsOf = async (method: string, path: string, given?: object) => {
    await page.call(method, path, given && { body: given })
    const { headers } = requests.at(-1) ?? {}
    return ['authorization', 'x-service-mfa-authorization'].map((name) => headers?.has(name))
  }
  return { page, secretsOf, body }
}

test.each([
  ['/auth/login', login],
  ['/auth/forgot', { login: login.login }],
])(
  'a call that needs no token carries neither the token of the session nor its verification: %s',
  async (path, body) => {
    const { secretsOf } = await setUpVerified()

    expect(await secretsOf('GET', '/users/@me/relationships')).toEqual([true, true])
    expect(await secretsOf('POST', path, body)).toEqual([false, false])
  },
)

test('a verification is no longer sent after five minutes less a margin', async () => {
  const { secretsOf, body } = await setUpVerified()
  vi.useFakeTimers({ toFake: ['Date'] })

  vi.advanceTimersByTime(4 * MINUTE_MS)
  expect(await secretsOf('POST', '/auth/sessions/logout', body)).toEqual([true, true])
  vi.advanceTimersByTime(MINUTE_MS - 9_000)
  expect(await secretsOf('POST', '/auth/sessions/logout', body)).toEqual([true, false])
})

test.each([
  ['has expired', (ticket: string) => ticket, 60 * MINUTE_MS],
  ['was altered', (ticket: string) => ticket.replace(/.{4}$/, 'AAAA'), 0],
])('a sealed ticket that %s does not reach the service', async (_, change, ms) => {
  const { page, signIn, service, user, requests } = setUp({}, ['totp'])
  const { json } = await signIn()
  const code = service.users.totp(user)
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.advanceTimersByTime(ms)

  const { status } = await page.call('POST', '/auth/mfa/totp', { body: { ticket: change(json.ticket), code } })

  expect(status).toBe(401)
  expect(requests).toHaveLength(1)
})

test('the recovery of an account signs the page out', async () => {
  const { page, signIn, service, user } = setUp()
  await signIn()
  service.users.changeEmail(user, 'other@example.com')
  const token = service.mail.last(login.login)?.token

  const { status } = await page.call('POST', '/auth/revert', { body: { token, password: 'a new password' } })

  expect([status, page.jar.size]).toEqual([200, 0])
})
