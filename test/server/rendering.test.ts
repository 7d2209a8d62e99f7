import vm from 'node:vm'
import { Client } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'
import { createSessionHandler, dehydrate, serialize } from 'rapport-sdk/server'
import { expect, onTestFinished, test } from 'vitest'
import { keys, login, ORIGIN, Page, setUp } from './page'

/** A renderer of pages: what it returns is the data block of a page. */
function createRenderer(page: Page, baseUrl: string, fetch: typeof globalThis.fetch) {
  const parent = new Client({ baseUrl, fetch })
  onTestFinished(() => parent.dispose())
  return async (cookie: string | undefined) => {
    const request = new Request(`${ORIGIN}/friends`, { headers: cookie === undefined ? {} : { cookie } })
    const client = await page.handler.client(request, parent)
    const initial = await dehydrate(client, { live: ['relationships'], signal: request.signal })
    return { client, initial, html: `<script type="application/json" id="initial">${serialize(initial)}</script>` }
  }
}

const cookiesOf = (page: Page) => [...page.jar.values()].join('; ')

test('a handler creates a client for the session of a request, whose user is known', async () => {
  const { service, user, page, signIn } = setUp()
  const render = createRenderer(page, service.baseUrl, service.fetch)
  expect((await render(undefined)).client).toBeUndefined()
  await signIn()
  const { client, initial } = await render(cookiesOf(page))
  expect(client?.session.user).toEqual({ id: user.id })
  expect(await client?.relationships.list()).toEqual([])
  expect(initial.session).toEqual({ status: 'signedIn', user: { id: user.id } })
})

test('a cookie that is cut, altered, of another key or signed out yields no client', async () => {
  const { service, page, create, signIn } = setUp()
  const render = createRenderer(page, service.baseUrl, service.fetch)
  await signIn()
  const cookie = cookiesOf(page)
  const [name = ''] = cookie.split('=')
  const other = new Page(create({ keys: [{ id: 'k2', key: crypto.getRandomValues(new Uint8Array(32)) }] }))
  await other.call('POST', '/auth/login', { body: login })
  for (const bad of [
    cookie.slice(0, -8),
    `${cookie.slice(0, -8)}AAAAAAAA`,
    cookiesOf(other),
    `${name}=`,
    `${cookie}; ${cookie}`,
  ])
    expect((await render(bad)).initial.session).toEqual({ status: 'signedOut', user: null })
  await page.call('POST', '/auth/logout', { body: {} })
  expect((await render(cookie)).initial).toMatchObject({ session: { status: 'signedOut' }, live: {} })
})

test('a rendered page has no token, verification, ticket or cookie', async () => {
  const { service, user, page, requests } = setUp({}, ['totp'])
  const friend = service.users.create({ login: 'grace@example.com' })
  service.relationships.befriend(user, friend)
  const { json } = await page.call('POST', '/auth/login', { body: login })
  const verified = await page.call('POST', '/auth/mfa/totp', {
    body: { ticket: json.ticket, code: service.users.totp(user) },
  })
  expect(verified.status).toBe(200)
  const endOthers = () => page.call('POST', '/auth/sessions/logout', { body: { session_id_hashes: ['other'] } })
  const { ticket } = (await endOthers()).json.mfa
  await page.call('POST', '/mfa/finish', { body: { ticket, mfa_type: 'totp', data: service.users.totp(user) } })
  expect((await endOthers()).status).toBe(204)
  const verification = requests.at(-1)?.headers.get('x-service-mfa-authorization') ?? ''
  const { client, html } = await createRenderer(page, service.baseUrl, service.fetch)(cookiesOf(page))
  expect(html).toContain(friend.id)
  const token = client?.session.token ?? ''
  const secrets = [
    token,
    verification,
    json.ticket,
    ticket,
    ...cookiesOf(page)
      .split('; ')
      .flatMap((pair) => [pair, pair.split('=')[1] ?? '']),
  ]
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(10)
    expect(html).not.toContain(secret)
  }
})

test('100 concurrent renders of two users never mix, whatever the order of the answers', async () => {
  const service = createMockService()
  const people = ['ada', 'grace'].map((username) => {
    const user = service.users.create({ login: `${username}@example.com`, password: 'correct horse', username })
    const friend = service.users.create({
      login: `friend-of-${username}@example.com`,
      username: `friend-of-${username}`,
    })
    service.relationships.befriend(user, friend)
    return {
      user,
      friend,
      page: new Page(createSessionHandler({ baseUrl: service.baseUrl, keys, origin: ORIGIN, fetch: service.fetch })),
    }
  })
  for (const { page, user } of people)
    await page.call('POST', '/auth/login', {
      body: { login: `${user.username}@example.com`, password: 'correct horse' },
    })
  // The answers come in another order than the requests.
  const waiting: (() => void)[] = []
  const late: typeof fetch = async (url, init) => {
    const answer = await service.fetch(url, init)
    await new Promise<void>((resolve) => waiting.push(resolve))
    return answer
  }
  const [first] = people
  if (!first) throw new Error('There is no page.')
  const render = createRenderer(first.page, service.baseUrl, late)
  const renders = Array.from({ length: 100 }, (_, index) => {
    const { page, user, friend } = people[(index * 7) % 3 === 0 ? 0 : 1] ?? first
    return { user, friend, rendered: render(cookiesOf(page)) }
  })
  // At most ten calls of an account are in flight.
  await expect.poll(() => waiting.length).toBe(20)
  const answerAll = async () => {
    let isDone = false
    const all = Promise.all(renders.map(({ rendered }) => rendered)).finally(() => {
      isDone = true
    })
    while (!isDone) {
      waiting.splice(Math.floor((waiting.length * 5) / 8), 1)[0]?.()
      await new Promise(setImmediate)
    }
    return all
  }
  const results = await answerAll()
  results.forEach(({ initial, html }, index) => {
    const { user, friend } = renders[index] ?? { user: first.user, friend: first.friend }
    expect(initial.session.user).toEqual({ id: user.id })
    expect(initial.live.relationships?.map(({ id }) => id)).toEqual([friend.id])
    const others = people.filter((each) => each.user !== user).flatMap((each) => [each.user.id, each.friend.id])
    for (const id of others) expect(html).not.toContain(id)
  })
})

test('serialize keeps a nickname that looks like markup a string, as a data block and as an expression', async () => {
  const { service, user, page, signIn } = setUp()
  const nickname = '</script><script>alert(1)&\u2028\u2029'
  const friend = service.users.create({ login: 'grace@example.com' })
  service.relationships.befriend(user, friend)
  await signIn()
  const render = createRenderer(page, service.baseUrl, service.fetch)
  await (await render(cookiesOf(page))).client?.relationships.update(friend.id, { nickname })
  const { initial: state } = await render(cookiesOf(page))
  expect(state.live.relationships?.map((each) => each.nickname)).toEqual([nickname])
  const text = serialize(state)
  expect(text).not.toMatch(/[<>&\u2028\u2029]/)
  expect(JSON.parse(text)).toEqual(state)
  expect(JSON.stringify(vm.runInNewContext(`(${text})`))).toBe(JSON.stringify(state))
  expect(serialize(null)).toBe('null')
})

test('serialize leaves out keys that would set a prototype in an expression', async () => {
  const state = JSON.parse(
    '{"session":{"status":"signedOut","user":null,"__proto__":{"isAdmin":true}},"time":1,"live":{}}',
  )
  const text = serialize(state)
  expect(text).toBe('{"session":{"status":"signedOut","user":null},"time":1,"live":{}}')
  expect(vm.runInNewContext(`(${text}).session.isAdmin`)).toBeUndefined()
})

test('a service that is down rejects the render, and the page can be rendered without data', async () => {
  const { service, page, signIn } = setUp()
  await signIn()
  const down = createRenderer(page, service.baseUrl, () => Promise.reject(new TypeError('down')))
  await expect(down(cookiesOf(page))).rejects.toThrow('Get Relationships')
})
