import { listen } from 'rapport-sdk/mocks/node'
import { describe, expect, it, onTestFinished } from 'vitest'
import { eventually, inspectorOpener, list, live, text } from './inspector-page'

const openInspector = inspectorOpener()

describe('the inspector', () => {
  it('shows each request with its status, user and reason, and its body without secrets', async () => {
    const { page, client, service } = await openInspector()
    await live(page)
    await client.auth.login({ login: 'ada@example.com', password: 'wrong password' }).catch(() => {})
    await client.relationships.list()
    const rows = list(page, 'Requests').getByRole('listitem')
    await eventually(async () => expect(await rows.count()).toBe(2))
    expect(await rows.nth(0).innerText()).toMatch(/200\s+GET \/users\/@me\/relationships\s+Get Relationships\s+ada/)
    const refused = rows.nth(1)
    expect(await refused.innerText()).toMatch(/400\s+POST \/auth\/login\s+Login Account/)
    expect(await refused.innerText()).toContain(service.journal.requests[0]?.reason?.message)
    await refused.locator('summary').press('Enter')
    await eventually(async () => expect(await refused.innerText()).toContain('"password": "[redacted]"'))
    expect(await refused.innerText()).not.toContain('wrong password')
  })

  it('filters the requests, and clears them', async () => {
    const { page, client } = await openInspector()
    await live(page)
    await client.relationships.list()
    await client.auth.sessions.list()
    await eventually(async () => expect(await text(page, 'Requests')).toContain('Get Auth Sessions'))
    await page.getByLabel('Words').fill('relationships')
    expect(await text(page, 'Requests')).not.toContain('Get Auth Sessions')
    await page.getByRole('button', { name: 'Clear requests' }).click()
    await eventually(async () => expect(await text(page, 'Requests')).toContain('No requests yet.'))
  })

  it('says that there are no requests if they are cleared as soon as one arrives', async () => {
    const { page, client, service } = await openInspector()
    await live(page)
    for (let time = 1; time <= 3; time += 1) {
      await client.relationships.list()
      service.journal.clear()
      // The page shows what it was sent in that order.
      service.faults.on('Get Auth Sessions', { status: 503 })
      await eventually(async () => expect(await list(page, 'Faults').getByRole('listitem').count()).toBe(time))
      expect(await text(page, 'Requests')).toContain('No requests yet.')
    }
  })

  it('shows requests that were sent before it was opened', async () => {
    const { page, client } = await openInspector()
    await live(page)
    await client.relationships.list()
    await page.reload()
    await eventually(async () => expect(await text(page, 'Requests')).toContain('Get Relationships'))
  })

  it('shows a mail with the token in it', async () => {
    const { page, client, service } = await openInspector()
    await live(page)
    await client.auth.forgotPassword({ login: 'ada@example.com' })
    const { token } = service.mail.last('ada@example.com') as unknown as { token: string }
    await eventually(async () => expect(await text(page, 'Mails and SMS')).toContain(token))
    expect(await list(page, 'Mails and SMS').getByRole('button', { name: 'Copy token' }).count()).toBe(1)
  })

  it('shows the current TOTP code of an account, and the next one when the clock moves', async () => {
    const { page, service, ada } = await openInspector()
    await live(page)
    await eventually(async () =>
      expect(await text(page, 'Accounts')).toMatch(new RegExp(`TOTP\\s+${service.users.totp(ada)}\\s+\\d+ s`)),
    )
    const before = service.users.totp(ada)
    await page.getByRole('button', { name: 'Advance the clock by 1m' }).click()
    await eventually(async () => expect(await text(page, 'Accounts')).not.toContain(before))
    await eventually(async () => expect(await text(page, 'Accounts')).toContain(service.users.totp(ada)))
  })

  it('creates and locks accounts', async () => {
    const { page, service, ada } = await openInspector()
    await live(page)
    await page.getByLabel('Login', { exact: true }).fill('grace@example.com')
    await page.getByRole('button', { name: 'Create' }).click()
    await eventually(async () => expect(await text(page, 'Accounts')).toContain('grace@example.com'))
    await page.getByRole('button', { name: 'Lock ada' }).click()
    await eventually(async () => expect(service.users.get(ada).status).toBe('locked'))
    await eventually(async () => expect(await text(page, 'Accounts')).toContain('locked'))
  })

  it('says why an action was refused', async () => {
    const { page } = await openInspector()
    await live(page)
    await page.getByLabel('Login', { exact: true }).fill('ada@example.com')
    await page.getByRole('button', { name: 'Create' }).click()
    await eventually(async () =>
      expect(await page.getByRole('alert').innerText()).toContain('belongs to another account'),
    )
  })

  it('cuts the connection of a gateway session, which then resumes', async () => {
    const { page, client, service } = await openInspector()
    await live(page)
    await client.gateway.connect()
    await eventually(async () => expect(await text(page, 'Gateway sessions')).toContain('connected'))
    await page.getByRole('button', { name: 'Cut the session of ada' }).click()
    await eventually(async () => expect(service.gateway.journal.map(({ op }) => op)).toContain('resume'))
  })

  it('adds a fault, shows how often it still applies, and removes it', async () => {
    const { page, client } = await openInspector()
    await live(page)
    await page.getByLabel('Endpoint', { exact: true }).fill('Get Relationships')
    await page.getByLabel('Times').fill('2')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await eventually(async () => expect(await text(page, 'Faults')).toContain('2 more'))
    await expect(client.relationships.list({ retry: 0 })).rejects.toMatchObject({ status: 503 })
    await eventually(async () => expect(await text(page, 'Faults')).toContain('1 more'))
    await page.getByRole('button', { name: 'Remove the fault of Get Relationships' }).click()
    await eventually(async () => expect(await text(page, 'Faults')).toBe('No faults.'))
    await client.relationships.list({ retry: 0 })
  })

  it('freezes the clock', async () => {
    const { page, service } = await openInspector()
    await live(page)
    await page.getByRole('button', { name: 'Freeze', exact: true }).click()
    await page.getByRole('button', { name: 'Unfreeze' }).waitFor()
    expect(service.clock.isFrozen).toBe(true)
  })

  it('shows all buttons that move the clock in one line at 1440 pixels', async () => {
    const { page } = await openInspector({ service: { now: '2026-11-27T09:30:00Z' } })
    await page.setViewportSize({ width: 1440, height: 844 })
    await live(page)
    await page.getByRole('button', { name: 'Unfreeze' }).waitFor()
    const buttons = await page.getByRole('button', { name: /^(?:Unfreeze|Advance the clock)/ }).all()
    const tops = await Promise.all(buttons.map(async (button) => (await button.boundingBox())?.y))
    expect(buttons).toHaveLength(5)
    expect(new Set(tops).size).toBe(1)
  })

  it('saves and restores a snapshot, and resets the service', async () => {
    const { page, service } = await openInspector()
    await live(page)
    await page.getByRole('textbox', { name: 'Snapshot' }).fill('one')
    await page.getByRole('button', { name: 'Save' }).click()
    const restore = page.getByRole('button', { name: 'Restore one' })
    await restore.waitFor()
    service.users.create({ login: 'grace@example.com', username: 'grace' })
    await restore.click()
    await eventually(async () => expect(service.users.find('grace@example.com')).toBeUndefined())
    service.users.create({ login: 'grace@example.com', username: 'grace' })
    page.on('dialog', (dialog) => void dialog.accept())
    await page.getByRole('button', { name: 'Reset' }).click()
    await eventually(async () => expect(service.users.find('grace@example.com')).toBeUndefined())
    await eventually(async () => expect(await text(page, 'Accounts')).not.toContain('grace'))
  })

  it('shows the requests of the namespace that is selected', async () => {
    const { page, origin } = await openInspector()
    await live(page)
    await fetch(`${origin}/auth/location-metadata`, { headers: { 'x-mock-namespace': 'worker-3' } })
    await page.reload()
    await live(page)
    await page.getByLabel('Namespace').selectOption('worker-3')
    await eventually(async () => expect(await text(page, 'Requests')).toContain('Get Location Metadata'))
    await page.getByLabel('Namespace').selectOption('default')
    await eventually(async () => expect(await text(page, 'Requests')).toContain('No requests yet.'))
  })

  it('shows hostile values as text', async () => {
    const { page, service, server, problems } = await openInspector()
    await live(page)
    const hostile = '<img src=x onerror="document.title=1"><script>document.title=2</script>'
    service.users.create({ login: 'eve@example.com', username: hostile })
    await fetch(`${server.url}/${encodeURIComponent(hostile)}`)
    await eventually(async () => expect(await text(page, 'Accounts')).toContain(hostile))
    await eventually(async () => expect(await list(page, 'Requests').getByRole('listitem').count()).toBe(1))
    expect(await page.locator('main img, main script').count()).toBe(0)
    expect(await page.title()).toBe('rapport-mock')
    expect(problems).toEqual([])
  })

  it('loads nothing from elsewhere and violates no rule of its policy', async () => {
    const { page, origin, problems } = await openInspector()
    const urls: string[] = []
    page.on('request', (request) => urls.push(request.url()))
    await page.reload()
    await live(page)
    expect(urls.filter((url) => !url.startsWith(`${origin}/_mock/`) && !url.startsWith('data:'))).toEqual([])
    expect(problems).toEqual([])
  })

  it('connects again after the connection was lost', async () => {
    const { page, service, server, ada } = await openInspector()
    await live(page)
    await fetch(`${server.url}/auth/location-metadata`)
    await eventually(async () => expect(await text(page, 'Requests')).toContain('Get Location Metadata'))
    await server.close()
    await page.getByText('disconnected, trying again').waitFor()
    const again = await listen(service, { port: server.port })
    onTestFinished(() => again.close())
    await live(page)
    await fetch(`${again.url}/users/@me/relationships`, { headers: { authorization: service.token(ada) } })
    await eventually(async () => expect(await text(page, 'Requests')).toContain('Get Relationships'))
    expect(await text(page, 'Requests')).toContain('Get Location Metadata')
  })

  it.each(['', 'namespaces/worker-3/'])(
    'asks at /_mock/%s for the control token if the server has one',
    async (path) => {
      const { page, origin } = await openInspector({ control: { token: 'a-control-token' } })
      await page.goto(`${origin}/_mock/${path}`)
      await page.getByText('needs the control token').waitFor()
      await page.getByRole('form', { name: 'Control token' }).locator('input').fill('a-control-token')
      await page.getByRole('button', { name: 'Connect', exact: true }).click()
      await live(page)
      await eventually(async () => expect(await text(page, 'Accounts')).toContain('ada@example.com'))
    },
  )

  it('keeps the keyboard focus in the row of an action', async () => {
    const { page, client, service } = await openInspector()
    await live(page)
    await client.gateway.connect()
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '')
    await page.getByRole('button', { name: 'Freeze the session of ada' }).press('Enter')
    await eventually(async () => expect(await text(page, 'Gateway sessions')).toContain('frozen'))
    expect(await focused()).toBe('Unfreeze the session of ada')
    await page.getByRole('button', { name: 'Lock ada' }).press('Enter')
    await eventually(async () => expect(await text(page, 'Accounts')).toContain('locked'))
    expect(await focused()).toBe('Enable ada')
    service.faults.on('Get Relationships', { status: 503 })
    await page.getByRole('button', { name: 'Remove the fault of Get Relationships' }).press('Enter')
    await eventually(async () => expect(await text(page, 'Faults')).toBe('No faults.'))
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-labelledby'))).toBe('faults-title')
  })

  it('shows a refusal once, in view, until it is dismissed', async () => {
    const { page } = await openInspector()
    await live(page)
    await page.setViewportSize({ width: 390, height: 800 })
    await page.getByLabel('Endpoint', { exact: true }).fill('Get Nothing')
    await page.getByLabel('Endpoint', { exact: true }).press('Enter')
    const alert = page.getByRole('alert')
    await eventually(async () => expect(await alert.innerText()).toContain('Get Nothing'))
    expect((await alert.innerText()).split('Get Nothing')).toHaveLength(2)
    const { y = -1, height = 0 } = (await alert.boundingBox()) ?? {}
    expect(y).toBeGreaterThanOrEqual(0)
    expect(y + height).toBeLessThan(400)
    await page.getByRole('button', { name: 'Dismiss' }).click()
    expect(await alert.isVisible()).toBe(false)
  })

  it('lists a namespace that is created while it is open', async () => {
    const { page, origin } = await openInspector()
    await live(page)
    await fetch(`${origin}/_mock/users`, { headers: { 'x-mock-namespace': 'worker-3' } })
    await eventually(async () =>
      expect(await page.getByLabel('Namespace').locator('option').allInnerTexts()).toEqual(['default', 'worker-3']),
    )
  })

  it('leaves a namespace that is removed, and does not create it again', async () => {
    const { page, origin, server } = await openInspector()
    await page.goto(`${origin}/_mock/namespaces/worker-3/`)
    await live(page)
    await eventually(async () => expect(await page.getByLabel('Namespace').inputValue()).toBe('worker-3'))
    await fetch(`${origin}/_mock/namespaces/worker-3`, { method: 'DELETE' })
    await eventually(async () => expect(await page.getByLabel('Namespace').inputValue()).toBe('default'))
    expect(Object.keys(server.snapshots())).toEqual(['default'])
  })

  it('shows the requests of a restored snapshot', async () => {
    const { page, client, service } = await openInspector()
    await live(page)
    await client.relationships.list()
    await eventually(async () => expect(await text(page, 'Requests')).toContain('Get Relationships'))
    const snapshot = service.snapshot()
    await page.getByRole('button', { name: 'Clear requests' }).click()
    await eventually(async () => expect(await text(page, 'Requests')).toContain('No requests yet.'))
    service.restore(snapshot)
    await eventually(async () => expect(await text(page, 'Requests')).toContain('Get Relationships'))
  })

  it('wraps long names, and isolates the direction of text', async () => {
    const { page, service } = await openInspector()
    await live(page)
    service.users.create({ login: `${'a'.repeat(400)}@example.com`, username: '\u202egnp.exe' })
    await page.setViewportSize({ width: 390, height: 800 })
    await eventually(async () => expect(await text(page, 'Accounts')).toContain('gnp.exe'))
    const accounts = list(page, 'Accounts')
    expect(await accounts.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true)
    const name = accounts.locator('strong', { hasText: 'gnp.exe' })
    expect(await name.evaluate((element) => getComputedStyle(element).unicodeBidi)).toBe('isolate')
  })

  it('copies without the clipboard API, which pages without TLS lack', async () => {
    const { page, service } = await openInspector({ isAlone: true })
    await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
    await page.reload()
    await live(page)
    await page.getByRole('button', { name: 'Copy a new token of ada' }).click()
    await page.getByText('Copied').waitFor()
    await page.getByLabel('Find').press('Control+V')
    const token = await page.getByLabel('Find').inputValue()
    const reply = await service.fetch(`${service.baseUrl}/users/@me/relationships`, {
      headers: { authorization: token },
    })
    expect(reply.status).toBe(200)
  })

  it('asks again after a wrong control token', async () => {
    const { page } = await openInspector({ control: { token: 'a-control-token' } })
    const field = page.getByRole('form', { name: 'Control token' }).locator('input')
    await field.fill('another token')
    await field.press('Enter')
    await eventually(async () => expect(await page.getByRole('alert').innerText()).toContain('control token'))
    await field.fill('a-control-token')
    await field.press('Enter')
    await live(page)
    expect(await page.getByRole('alert').isVisible()).toBe(false)
  })
})
