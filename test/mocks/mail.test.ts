import { createMockControl } from 'rapport-sdk/mocks/control'
import { expect, it } from 'vitest'
import { type Problem, startControl } from './control'
import { baseUrl, setUp } from './set-up'

const to = 'ada@example.com'

it('a mail has an ID, a subject, a text, HTML, and a link with its contents in the query', async () => {
  const { service, send } = setUp()
  await send('POST /auth/forgot', { login: to })
  const mail = service.mail.last(to, 'password_reset')
  const link = new URL(mail.link)
  expect([mail.id, mail.subject]).toEqual([expect.stringMatching(/^\d+$/), 'Reset your password'])
  expect(link.origin + link.pathname).toBe(`${new URL(baseUrl).origin}/password_reset`)
  expect(Object.fromEntries(link.searchParams)).toEqual({ token: mail.token, ticket: mail.ticket })
  expect(mail.html).toBe(
    `<p>${mail.text}</p>\n<p><a href="${mail.link.replace('&', '&#38;')}">Reset your password</a></p>`,
  )
})

it('`links` of the policy sets the pages that mails link to', async () => {
  const { service, ada, send } = setUp({ policy: { verifyNewLocation: () => true } })
  const page = 'http://localhost:5173/#/recover'
  service.changePolicy({ links: { account_recovery: page } })
  service.changePolicy({ links: { password_reset: 'http://localhost:5173/reset?lang=de' } })
  await send('POST /auth/forgot', { login: to })
  expect(service.mail.last(to).link).toMatch(/^http:\/\/localhost:5173\/reset\?lang=de&token=/)
  service.users.changeEmail(ada, '"><b>@example.com')
  const { link, html, token } = service.mail.last(to)
  expect(link).toBe(`http://localhost:5173/?token=${token}#/recover`)
  expect(html).not.toContain('<b>')
  expect(() => service.changePolicy({ links: { new_location: 'javascript:alert(1)' } })).toThrow(
    'links.new_location: expected an absolute http: or https: URL',
  )
})

it('waitFor() with `after` waits for a message that is sent later, also after that one was deleted', async () => {
  const { service, send } = setUp()
  await send('POST /auth/forgot', { login: to })
  const first = service.mail.last(to)
  const waiting = service.mail.waitFor({ to, after: first.id })
  expect([service.mail.remove(first.id), service.mail.remove(first.id)]).toEqual([true, false])
  expect(service.mail.all()).toEqual([])
  await send('POST /auth/forgot', { login: to })
  const second = await waiting
  expect(second.token).not.toBe(first.token)
  expect(BigInt(second.id) > BigInt(first.id)).toBe(true)
})

it('messages of a restored snapshot keep their IDs, and later ones have larger IDs', async () => {
  const { service, send } = setUp()
  await send('POST /auth/forgot', { login: to })
  const snapshot = service.snapshot()
  service.reset()
  service.restore(snapshot)
  const [{ id } = { id: '' }] = service.mail.all()
  await send('POST /auth/forgot', { login: to })
  expect(service.mail.all().map((mail) => BigInt(mail.id) > BigInt(id))).toEqual([false, true])
})

it('the control API waits for the mail after an ID, and deletes one', async () => {
  const { call, control } = await startControl()
  const forgot = () => call('POST /api/auth/forgot', { login: to })
  await forgot()
  const { id, link, token } = (await control(`GET /mail/last?to=${to}`)).body
  expect(String(link)).toContain(`token=${token}`)
  const waiting = control<{ id: string }>(`GET /mail/last?to=${to}&after=${id}&wait=30s`)
  await forgot()
  const next = (await waiting).body
  expect((await control(`GET /mail?after=${id}`)).body).toMatchObject({ items: [{ id: next.id }] })
  expect((await control(`DELETE /mail/${id}`)).status).toBe(204)
  expect((await control('GET /mail')).body).toMatchObject({ items: [{ id: next.id }] })
  const missing = await control<Problem>(`DELETE /mail/${id}`)
  expect([missing.status, missing.body.errors[0]]).toMatchObject([404, { path: 'id', allowed: [next.id] }])
  expect((await control('GET /mail/last?after=x')).status).toBe(400)
  const none = await control<Problem>(`GET /mail/last?to=${to}&after=${next.id}`)
  expect([none.status, none.body.detail]).toEqual([
    404,
    `No mail was sent to ${to} after that with the ID ${next.id}; sent before or to others were: password_reset to ${to}.`,
  ])
  expect((await control('DELETE /sms/1')).status).toBe(404)
})

it('the typed client waits for the mail after an ID, and deletes one', async () => {
  const { server, call } = await startControl()
  const { mail } = createMockControl(server.url)
  const forgot = () => call('POST /api/auth/forgot', { login: to })
  await forgot()
  const first = await mail.last({ to, kind: 'password_reset' })
  const waiting = mail.last({ to, kind: 'password_reset', after: first.id, wait: '30s' })
  await forgot()
  const second = await waiting
  expect(new URL(second.link).searchParams.get('token')).toBe(second.token)
  await mail.remove(first.id)
  expect(await mail.all({ to })).toEqual([second])
})
