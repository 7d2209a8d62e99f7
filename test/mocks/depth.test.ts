import { listen } from 'rapport-sdk/mocks/node'
import { describe, expect, it } from 'vitest'
import { problems, sender, setUp } from './calls'

const widgets = (levels: number) => `{"widgets": ${'['.repeat(levels)}${']'.repeat(levels)}}`

/** A surface whose one field falls back so many times. */
function fallingBack(times: number): string {
  const field = (fallback = '') =>
    `{"value_type": "custom_string", "value": "x", "presentation_type": "text"${fallback}}`
  let text = field()
  for (let count = 0; count < times; count++) text = field(`, "fallback": ${text}`)
  const components = `{"one": {"fields": {"title": ${text}}}}`
  return `{"display_name": "x", "surfaces": {"widget_top": {"layout": "widget_top_hero", "components": ${components}}}}`
}

describe('a body that is nested', () => {
  it.each([150, 20_000, 200_000])('%i levels deep is refused, and noted without what it held', async (levels) => {
    const { service, ada, as } = setUp()
    const { status, body } = await as(ada)('PUT /users/@me/widgets?x=1', widgets(levels))
    expect([status, body.code, problems(body)]).toEqual([400, 50035, [': TOO_DEEP']])
    expect(service.journal.requests).toMatchObject([{ status: 400, user: ada.id, params: { x: '1' } }])
    expect(() => service.restore(service.snapshot())).not.toThrow()
  })

  it('2000 times in a field that may be nested is refused too', async () => {
    const { service, ada, as } = setUp()
    const { id } = service.applications.create({ owner: ada })
    const { status, body } = await as(ada)(`POST /applications/${id}/widget-configs`, fallingBack(2000))
    expect([status, problems(body)]).toEqual([400, [': TOO_DEEP']])
    const judged = await as(ada)(`POST /applications/${id}/widget-configs`, fallingBack(90))
    expect([judged.status, problems(judged.body)]).toEqual([200, []])
  })

  it('as deep as may be is judged, kept, answered and noted', async () => {
    const { service, ada, as } = setUp()
    const application = service.applications.create({ owner: ada })
    service.identities.create({ application, user: ada, externalUserId: '1' })
    const path = `/applications/${application.id}/users/${ada.id}/identities/1/profile` as const
    const metadata = `{"a": ${'['.repeat(98)}${']'.repeat(98)}}`
    const { status } = await as(ada)(`PATCH ${path}`, `{"metadata": ${metadata}}`)
    expect(status).toBe(200)
    expect(JSON.stringify(service.journal.requests[0]?.params)).toContain('[['.repeat(40))
    service.restore(service.snapshot())
    expect((await as(ada)(`GET ${path}`)).status).toBe(200)
  })

  it('counts the brackets that are structure, not those in texts', async () => {
    const { send } = setUp()
    const password = `"\\"${'[{'.repeat(30)}`
    const { body } = await send('POST /auth/password/validate', `{"password": ${password}"}`)
    expect(body).toMatchObject({ valid: true })
  })

  it('is refused over HTTP on a connection that lives', async () => {
    const { service, ada } = setUp()
    await using server = await listen(service)
    const mine = sender(fetch, server.url, service.token(ada))
    expect((await mine('PUT /users/@me/widgets', widgets(20_000))).status).toBe(400)
    expect((await mine('GET /auth/sessions')).status).toBe(200)
  })
})
