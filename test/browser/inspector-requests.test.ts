import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { deferred } from '../deferred'
import { axeViolations } from './axe'
import { eventually, inspectorOpener, list, live, password, text } from './inspector-page'

const openInspector = inspectorOpener()
const requests = (page: Page) => list(page, 'Requests').getByRole('listitem')
const count = (page: Page) => page.getByRole('region', { name: 'Requests' }).locator('h2 + span').innerText()

/** Makes copying readable: the clipboard of a headless browser needs permissions. */
async function catchCopies(page: Page): Promise<() => Promise<string>> {
  await page.evaluate(() => {
    const writeText = (text: string) => Promise.resolve(void Object.assign(window, { copied: text }))
    Object.defineProperty(navigator, 'clipboard', { value: { writeText } })
  })
  return () => page.evaluate(() => String(Reflect.get(window, 'copied')))
}

describe('a request in the inspector', () => {
  it('shows its parameters, headers, answer and time when it is opened', async () => {
    const { page, server, client } = await openInspector()
    await live(page)
    await fetch(`${server.url}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-app': 'my app' },
      body: JSON.stringify({ login: 'ada@example.com', password: 'wrong password' }),
    })
    await client.relationships.list()
    const row = requests(page).nth(1)
    await row.locator('summary').click()
    await eventually(async () => expect(await row.innerText()).toContain('Headers of the answer'))
    const shown = await row.innerText()
    expect(shown).toMatch(/x-app\s+my app/)
    expect(shown).toContain('"login": "ada@example.com"')
    expect(shown).toContain('"code": 50035')
    expect(shown).toMatch(/Reason, from the service\s+Invalid Form Body \(code 50035\)\s+login/)
    expect(shown).toMatch(/answered after \d+ ms/)
    expect(shown).not.toContain('wrong password')
  })

  it('it is copied as a curl command that has no secret and can be run', async () => {
    const { page, service, server } = await openInspector()
    await live(page)
    const note = `it's <b>\u0007 $(id) \`id\` "x" \\`
    const headers = { 'content-type': 'application/json', authorization: 'a-secret', 'x-note': "it's", 'x-empty': '' }
    const login = { login: note, password }
    await fetch(`${server.url}/auth/login`, { method: 'POST', headers, body: JSON.stringify(login) })
    const copied = await catchCopies(page)
    await requests(page).first().locator('summary').click()
    await page.getByRole('button', { name: 'Copy as curl' }).click()
    await eventually(async () => expect(await copied()).toContain('curl'))
    const command = await copied()
    expect(command).not.toContain(password)
    expect(command).not.toContain('a-secret')
    await promisify(execFile)('sh', ['-c', `${command} --silent`])
    const [first, second] = service.journal.requests
    expect(second).toMatchObject({ method: 'POST', path: first?.path, status: 400, params: first?.params })
    expect(second?.headers).toMatchObject({ 'x-note': "it's", 'x-empty': '', authorization: '[redacted]' })
  })

  it('it is copied as a fault that answers in the same way once', async () => {
    const { page, server, service, origin, ada } = await openInspector()
    await live(page)
    service.faults.on('Get Relationships', { status: 429, retryAfter: 7, body: { message: 'Slow down' }, times: 1 })
    const headers = { authorization: service.token(ada) }
    await fetch(`${server.url}/users/@me/relationships`, { headers })
    const copied = await catchCopies(page)
    await requests(page).first().locator('summary').click()
    await page.getByRole('button', { name: 'Copy as a fault' }).click()
    await eventually(async () => expect(await copied()).toContain('{'))
    const body = await copied()
    expect(JSON.parse(body)).toMatchObject({ endpoint: 'Get Relationships', status: 429, retryAfter: 7, times: 1 })
    await fetch(`${origin}/_mock/faults`, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
    const reply = await fetch(`${server.url}/users/@me/relationships`, { headers })
    expect([reply.status, reply.headers.get('retry-after'), (await reply.json()).message]).toEqual([
      429,
      '7',
      'Slow down',
    ])
    expect((await fetch(`${server.url}/users/@me/relationships`, { headers })).status).toBe(200)
  })

  it('stays open, and where it is, when others arrive', async () => {
    const { page, client } = await openInspector()
    await live(page)
    await client.relationships.list()
    const first = requests(page).last()
    await first.locator('summary').focus()
    await page.keyboard.press('Enter')
    await client.auth.sessions.list()
    await eventually(async () => expect(await requests(page).count()).toBe(2))
    expect(await first.locator('details').getAttribute('open')).toBe('')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Get Relationships')
  })
})

describe('the filters of the inspector', () => {
  it('show the requests of a status, an endpoint, a user and some words, and count them', async () => {
    const { page, client, server, service } = await openInspector()
    await live(page)
    const grace = service.users.create({ login: 'grace@example.com', username: 'grace', password })
    await client.relationships.list()
    await fetch(`${server.url}/users/@me/relationships`, { headers: { authorization: service.token(grace) } })
    await fetch(`${server.url}/users/@me/relationships`)
    await fetch(`${server.url}/nowhere`, { headers: { 'x-app': 'needle' } })
    await eventually(async () => expect(await requests(page).count()).toBe(4))
    expect(await count(page)).toBe('4')
    const choose = (label: string, name: string) =>
      page.getByLabel(`${label} of the requests`).selectOption({ label: name })
    await choose('Status', '4xx')
    expect([await count(page), await requests(page).count()]).toEqual(['2 of 4', 2])
    await choose('Endpoint', 'Get Relationships')
    expect(await count(page)).toBe('1 of 4')
    await page.getByLabel('Words').fill('nothing at all')
    expect(await text(page, 'Requests')).toContain('No request matches.')
    await page.getByRole('button', { name: 'Show all' }).click()
    expect(await count(page)).toBe('4')
    await choose('User', 'grace')
    expect(await text(page, 'Requests')).toContain('grace')
    expect(await count(page)).toBe('1 of 4')
    await choose('User', 'all')
    await page.getByLabel('Words').fill('needle x-app')
    expect(await text(page, 'Requests')).toContain('GET /nowhere')
    expect(await count(page)).toBe('1 of 4')
  })

  it('count all requests of the mock, of which 200 more are shown at a time', async () => {
    const { page, service } = await openInspector({ service: { maxJournalEntries: 2500 } })
    await live(page)
    for (let number = 1; number <= 2000; number += 1) {
      await service.fetch(`${service.baseUrl}/${number % 4 === 0 ? 'fourth' : 'other'}/${number}`)
    }
    await page.reload()
    await eventually(async () => expect(await count(page)).toBe('200 of 2,000'))
    await page.getByLabel('Words').fill('/fourth')
    expect(await count(page)).toBe('200 of 500 of 2,000')
    await page.getByRole('button', { name: 'Show 200 more' }).click()
    expect(await count(page)).toBe('400 of 500 of 2,000')
    await page.getByRole('button', { name: 'Show 200 more' }).click()
    expect(await count(page)).toBe('500 of 2,000')
    expect(await page.getByRole('button', { name: 'Show 200 more' }).count()).toBe(0)
  })

  it('count requests that the mock no longer has, and say that they are gone', async () => {
    const { page, service } = await openInspector({ service: { maxJournalEntries: 3 } })
    await live(page)
    for (let number = 1; number <= 5; number += 1) await service.fetch(`${service.baseUrl}/${number}`)
    await page.reload()
    await eventually(async () => expect(await count(page)).toBe('3 of 5'))
    expect(await text(page, 'Requests')).toContain('The mock no longer has 2 earlier ones.')
    await page.getByRole('button', { name: 'Clear requests' }).click()
    await eventually(async () => expect(await text(page, 'Requests')).toContain('No requests yet.'))
    await service.fetch(`${service.baseUrl}/6`)
    await eventually(async () => expect(await count(page)).toBe('1'))
  })
})

it('an answer about a namespace that arrives after another one was selected is not shown', async () => {
  const { page, origin } = await openInspector()
  const create = (login: string) =>
    fetch(`${origin}/_mock/users`, {
      method: 'POST',
      headers: { 'x-mock-namespace': 'worker-3', 'content-type': 'application/json' },
      body: JSON.stringify({ login }),
    })
  await create('eve@example.com')
  await live(page)
  const held = deferred<void>()
  await page.route('**/_mock/users', async (route) => {
    const isDefault = route.request().headers()['x-mock-namespace'] === 'default'
    const response = await route.fetch()
    if (isDefault) await held.promise
    await route.fulfill({ response })
  })
  const asked = page.waitForRequest('**/_mock/users')
  await page.reload()
  await asked
  await page.getByLabel('Namespace').evaluate((select) => {
    if (!(select instanceof HTMLSelectElement)) throw new Error('no select')
    select.append(new Option('worker-3', 'worker-3', true, true))
    select.dispatchEvent(new Event('change'))
  })
  await eventually(async () => expect(await text(page, 'Accounts')).toContain('eve@example.com'))
  const shown = await list(page, 'Accounts').evaluateHandle((accounts) => {
    const texts: string[] = []
    new MutationObserver(() => texts.push(accounts.textContent ?? '')).observe(accounts, { childList: true })
    return texts
  })
  const late = page.waitForResponse('**/_mock/users')
  held.resolve()
  await late
  await create('mallory@example.com')
  await eventually(async () => expect(await text(page, 'Accounts')).toContain('mallory@example.com'))
  expect((await shown.jsonValue()).filter((accounts) => !accounts.includes('eve@example.com'))).toEqual([])
})

describe('the inspector', () => {
  it('says what is missing, and where the service is, while it is empty', async () => {
    const { page, server } = await openInspector()
    await live(page)
    await eventually(async () => expect(await text(page, 'Requests')).toContain(`Send one to ${server.url}`))
    expect(await text(page, 'Mails and SMS')).toContain('No mail or SMS yet.')
    expect(await text(page, 'Gateway sessions')).toContain('No sessions.')
    await page.getByLabel('Find').fill('nobody')
    expect(await text(page, 'Accounts')).toBe('No account matches.')
  })

  it('says that the mock does not answer, and keeps what is shown', async () => {
    const { page, client, server } = await openInspector()
    await live(page)
    await client.relationships.list()
    await eventually(async () => expect(await text(page, 'Requests')).toContain('Get Relationships'))
    await server.close()
    await page.getByText('The mock does not answer. Is it still running?').waitFor()
    expect(await text(page, 'Requests')).toContain('Get Relationships')
    await page.getByRole('button', { name: 'Lock ada' }).click()
    await eventually(async () => expect(await page.getByRole('alert').innerText()).toBe('The mock does not answer.'))
  })

  it('says why a section could not be loaded', async () => {
    const { page } = await openInspector()
    const body = JSON.stringify({ detail: 'The disk is full.' })
    await page.route('**/_mock/faults', (route) => route.fulfill({ status: 500, body }))
    await page.reload()
    await live(page)
    await eventually(async () => expect(await text(page, 'Faults')).toBe('Could not be loaded: The disk is full.'))
    await eventually(async () => expect(await text(page, 'Accounts')).toContain('ada@example.com'))
  })
})

describe('messages in the inspector', () => {
  it('a mail has its subject and a link to open, and an SMS its code', async () => {
    const { page, client, service } = await openInspector()
    await live(page)
    service.changePolicy({ links: { password_reset: 'http://localhost:5173/reset' } })
    await client.auth.forgotPassword({ login: 'ada@example.com' })
    const messages = list(page, 'Mails and SMS')
    const link = messages.getByRole('link')
    await link.waitFor()
    expect(await link.getAttribute('href')).toBe(service.mail.last('ada@example.com').link)
    expect(await link.getAttribute('rel')).toBe('noreferrer')
    expect(await messages.getByRole('heading').innerText()).toBe('Reset your password')
    expect(await messages.innerText()).toMatch(/Mail to ada@example\.com/)
  })

  it('a link of another scheme, such as of a snapshot, is text', async () => {
    const { page, client, service } = await openInspector()
    await live(page)
    await client.auth.forgotPassword({ login: 'ada@example.com' })
    const { link } = service.mail.last('ada@example.com')
    service.restore(JSON.parse(JSON.stringify(service.snapshot()).replaceAll(link, 'javascript:alert(1)')))
    await eventually(async () => expect(await text(page, 'Mails and SMS')).toContain('javascript:alert(1)'))
    expect(await list(page, 'Mails and SMS').getByRole('link').count()).toBe(0)
  })
})

it('frames show what a session sent and received, without its token, and one more can be sent', async () => {
  const { page, client, service, ada } = await openInspector()
  await live(page)
  await client.gateway.connect()
  await page.getByText('Frames', { exact: true }).click()
  const frames = page.getByRole('list', { name: 'Frames of ada' })
  await eventually(async () =>
    expect(await frames.innerText()).toMatch(/sent\s+READY, sequence 1[\s\S]+received\s+Identify/),
  )
  expect(await frames.innerText()).toContain('"token":"[redacted]"')
  await page.getByLabel('Frame', { exact: true }).fill('{"op":0,"t":"MY_EVENT","s":2,"d":{"x":1}}')
  await page.getByRole('button', { name: 'Send' }).click()
  await eventually(async () => expect(await frames.innerText()).toContain('MY_EVENT, sequence 2'))
  service.gateway.emit('Relationship Add', { id: '1' }, { to: ada })
  await eventually(async () => expect(await frames.innerText()).toContain('RELATIONSHIP_ADD'))
  expect(await page.getByText('Frames', { exact: false }).first().innerText()).toMatch(/Frames \d+/)
})

it('the inspector shows hostile paths, headers, bodies, frames and names as text', async () => {
  const { page, client, service, server, ada, problems } = await openInspector()
  await live(page)
  const hostile = '</script><img src=x onerror="document.title=1"><script>document.title=2</script>'
  await client.gateway.connect()
  service.users.create({ login: 'eve@example.com', username: hostile })
  await client.auth.forgotPassword({ login: 'eve@example.com' })
  service.stubs.on('POST /hostile', { status: 400, body: { message: hostile, code: 1 } })
  await fetch(`${server.url}/hostile?x=${encodeURIComponent(hostile)}`, {
    method: 'POST',
    headers: { 'x-b': hostile, 'content-type': 'application/json' },
    body: JSON.stringify({ [hostile]: hostile }),
  })
  service.gateway.sendRaw({ op: 99, t: hostile, d: hostile }, { user: ada })
  await requests(page).locator('summary').filter({ hasText: '/hostile' }).click()
  await page.getByText('Frames').first().click()
  await eventually(async () => expect(await text(page, 'Requests')).toContain('Headers of the answer'))
  await eventually(async () =>
    expect(await page.getByRole('list', { name: 'Frames of ada' }).innerText()).toContain(hostile),
  )
  expect(await page.locator('main img, main script').count()).toBe(0)
  expect(await page.title()).toBe('rapport-mock')
  expect(problems).toEqual([])
})

it('the inspector has no axe violation and no sideways scrolling, light and dark, at 390 and 1440 pixels', async () => {
  const { page, client } = await openInspector()
  await live(page)
  await client.auth.forgotPassword({ login: 'ada@example.com' })
  await client.gateway.connect()
  await client.auth.login({ login: 'ada@example.com', password: 'wrong password' }).catch(() => {})
  await eventually(async () => expect(await text(page, 'Gateway sessions')).toContain('connected'))
  await requests(page).first().locator('summary').click()
  await page.getByText('Frames').first().click()
  await page.getByRole('list', { name: 'Frames of ada' }).getByText('Identify').waitFor()
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [390, 1440]) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 844 })
      expect(await axeViolations(page), `${colorScheme} at ${width}`).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    }
})
