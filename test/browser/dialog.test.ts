import type { MfaDialogOptions } from 'rapport-sdk/dialog'
import { describe, expect, it, vi } from 'vitest'
import { closed, login, openDialogPage, password } from './dialog-page'
import { answer, shows, use } from './dialog-view'
import { browserHarness } from './harness/browser-harness'

const harness = browserHarness({ shared: {} })
const totp = { user: { mfa: ['totp'] } } as const

describe('the dialog', () => {
  it('stays open after a refused code, with the message of the service and the attempts left', async () => {
    const world = await openDialogPage(harness, totp)
    const { page, service, ada, dialog } = world
    await world.stepUp()
    await page.evaluate(() => document.querySelector('rapport-mfa-dialog')?.setAttribute('data-first', ''))
    await page.keyboard.type('000000')
    await page.keyboard.press('Enter')
    await vi.waitFor(async () =>
      expect(await world.error.innerText()).toBe('Invalid two-factor code\n2 attempts left.'),
    )
    expect(await dialog.getByRole('textbox').inputValue()).toBe('')
    expect(await page.locator('[data-first]').count()).toBe(1)

    await page.keyboard.type('000001')
    await page.keyboard.press('Enter')
    await vi.waitFor(async () => expect(await world.error.innerText()).toBe('Invalid two-factor code\n1 attempt left.'))
    await page.keyboard.type(service.users.totp(ada))
    await page.keyboard.press('Enter')
    await closed(world)
    expect(await world.outcomes()).toEqual(['done'])
  })

  it('does not send a refused code that is entered again, and says so', async () => {
    const world = await openDialogPage(harness, totp)
    const { page, service, ada } = world
    await world.stepUp()
    await page.keyboard.type('000000')
    await page.keyboard.press('Enter')
    await shows(world, { error: /2 attempts left\.$/ })
    await page.keyboard.type('000-000')
    await page.keyboard.press('Enter')
    await shows(world, { error: 'This was refused before. Enter another one.' })

    await page.keyboard.type(service.users.totp(ada))
    await page.keyboard.press('Enter')
    await closed(world)
    expect(await world.outcomes()).toEqual(['done'])
    expect(service.journal.find('Verify MFA')).toHaveLength(2)
  })

  it('closes after three refused codes', async () => {
    const world = await openDialogPage(harness, totp)
    await world.stepUp()
    for (const [index, left] of ['2 attempts', '1 attempt', ''].entries()) {
      await world.page.keyboard.type(`00000${index}`)
      await world.page.keyboard.press('Enter')
      if (left) await shows(world, { error: `Invalid two-factor code\n${left} left.` })
    }
    expect(await closed(world)).toBe('Sign out everywhere')
    expect(await world.outcomes()).toEqual(['MfaFailedError'])
  })

  it('announces that it verifies, sends an answer once, and keeps the focus', async () => {
    const world = await openDialogPage(harness, totp)
    const { page, service, ada } = world
    const release = await world.holdVerification()
    await world.stepUp()
    await page.keyboard.type(service.users.totp(ada))
    await world.submit.click()
    await shows(world, { status: 'Verifying…', isBusy: true, isEditable: false, focus: 'button submit' })
    expect(await world.status.textContent()).toBe('Verifying…')
    await page.keyboard.press('Enter')
    await world.submit.click({ force: true })
    release()
    await closed(world)
    expect(await world.outcomes()).toEqual(['done'])
    expect(service.journal.find('Verify MFA')).toHaveLength(1)
  })

  it.each(['Escape', 'the button'])('%s cancels, and the focus returns', async (how) => {
    const world = await openDialogPage(harness, totp)
    await world.stepUp()
    if (how === 'Escape') await world.page.keyboard.press('Escape')
    else await use(world, 'cancel')
    expect(await closed(world)).toBe('Sign out everywhere')
    expect(await world.outcomes()).toEqual(['MfaCancelledError'])
    await world.stepUp()
    await shows(world, { error: '' })
  })

  it('keys typed into the form do not reach the shortcuts of the page, those in the footer do', async () => {
    const world = await openDialogPage(harness, { user: { mfa: ['totp', 'backup'] } })
    const { page, service, ada } = world
    await page.evaluate(() => {
      Object.assign(window.dialogOptions, {
        footer: () => Object.assign(document.createElement('a'), { href: '#help', textContent: 'Help' }),
      })
      for (const type of ['keydown', 'keypress', 'keyup'] as const) {
        document.addEventListener(type, ({ key, target }) => {
          if (document.querySelector('rapport-mfa-dialog')?.contains(target as Element))
            window.outcomes.push(`${type} ${key} ${(target as Element).tagName}`)
        })
      }
    })
    await world.stepUp()
    await page.keyboard.press('s')
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Escape')
    expect(await closed(world)).toBe('Sign out everywhere')
    expect(await world.outcomes()).toEqual(['MfaCancelledError'])

    await world.stepUp()
    await page.getByRole('link', { name: 'Help' }).press('s')
    await world.dialog.getByRole('textbox').press('Backspace')
    await page.keyboard.type(service.users.totp(ada))
    await page.keyboard.press('Enter')
    await closed(world)
    expect((await world.outcomes(5)).slice(1)).toEqual(['keydown s A', 'keypress s A', 'keyup s A', 'done'])
  })

  it('an app that removes the element cancels', async () => {
    const world = await openDialogPage(harness, totp)
    await world.stepUp()
    await world.page.evaluate(() => document.querySelector('rapport-mfa-dialog')?.remove())
    expect(await world.outcomes()).toEqual(['MfaCancelledError'])
  })

  it('closes if its call is aborted or its client is disposed', async () => {
    const world = await openDialogPage(harness, totp)
    const { page, service, ada, url } = world
    const names = await page.evaluate(
      async ({ baseUrl, token }) => {
        const { Client, dialog } = window.rapport
        const client = new Client({ baseUrl, token, onMfaRequired: dialog.mfaDialog() })
        const control = new AbortController()
        const start = (signal?: AbortSignal) =>
          client.auth.sessions
            .logout({ session_id_hashes: ['none'] }, { signal })
            .catch((error: unknown) => (error instanceof Error ? error.name : error))
        const element = () => document.querySelector('rapport-mfa-dialog')
        const opened = async () => {
          while (!element()) await new Promise((resolve) => setTimeout(resolve, 10))
        }
        const aborted = start(control.signal)
        await opened()
        control.abort('left')
        const results = [await aborted, element()]
        const disposed = start()
        await opened()
        client.dispose()
        return [...results, await disposed, element()]
      },
      { baseUrl: url, token: service.token(ada) },
    )
    expect(names).toEqual(['left', null, expect.any(String), null])
  })

  it('two accounts are asked one after the other', async () => {
    const world = await openDialogPage(harness, totp)
    const { page, service, ada, url } = world
    const grace = service.users.create({ login: 'grace@example.com', username: 'grace', mfa: ['totp'] })
    await page.evaluate(
      async ({ baseUrl, tokens }) => {
        const { Client, dialog } = window.rapport
        const handler = dialog.mfaDialog()
        let markAsked = () => {}
        const onMfaRequired: typeof handler = (challenge) => {
          markAsked()
          return handler(challenge)
        }
        const client = new Client({ baseUrl, onMfaRequired })
        for (const token of tokens) {
          const asked = new Promise<void>((resolve) => {
            markAsked = resolve
          })
          const call = client.as(token).auth.sessions.logout({ session_id_hashes: ['none'] })
          call.then(
            () => window.outcomes.push('done'),
            (error) => window.outcomes.push(String(error)),
          )
          await asked
        }
      },
      { baseUrl: url, tokens: [service.token(ada), service.token(grace)] },
    )
    const elements = page.locator('rapport-mfa-dialog')
    expect(await elements.count()).toBe(1)
    await page.keyboard.type(service.users.totp(ada))
    await page.keyboard.press('Enter')
    await world.outcomes(1)
    await shows(world, { value: '' })
    expect(await elements.count()).toBe(1)
    await page.keyboard.type(service.users.totp(grace))
    await page.keyboard.press('Enter')

    expect(await world.outcomes(2)).toEqual(['done', 'done'])
    expect(await elements.count()).toBe(0)
  })

  it('opens again if the ticket has expired, and says that another answer goes on', async () => {
    const world = await openDialogPage(harness, totp)
    const { page, service, ada } = world
    await world.stepUp()
    service.faults.on('Verify MFA', { status: 401, body: { message: 'Too late' }, times: 1 })
    await page.keyboard.type(service.users.totp(ada))
    await page.keyboard.press('Enter')
    await shows(world, { error: 'That took too long. Confirm again to go on.' })
    await page.keyboard.type(service.users.totp(ada))
    await page.keyboard.press('Enter')
    await closed(world)
    expect(await world.outcomes()).toEqual(['done'])
  })

  it('starts with the method of the last answer when it opens again', async () => {
    const world = await openDialogPage(harness, { user: { mfa: ['totp', 'sms', 'backup'] } })
    await world.stepUp()
    world.service.faults.on('Verify MFA', { status: 401, body: { message: 'Too late' }, times: 1 })
    await use(world, 'backup', { input: 'a code' }, 'submit')
    await shows(world, { error: /^That took too long\./, chosen: 'backup', value: '' })
  })

  it('takes the texts, the error messages and the parent of its options', async () => {
    const world = await openDialogPage(harness, totp)
    const { page, service, ada, url } = world
    await page.evaluate(
      ({ baseUrl, token }) => {
        const { Client, dialog } = window.rapport
        const parent = document.createElement('main')
        document.body.append(parent)
        const onMfaRequired = dialog.mfaDialog({
          parent: () => parent,
          words: {
            lang: 'de',
            title: ({ endpoint }) => `Bestätigen: ${endpoint}`,
            methods: { totp: { name: 'App', hint: 'Code eingeben' } },
            attemptsLeft: (count) => `noch ${count}`,
            verify: undefined,
          },
          explain: (error) => ({ message: `Erklärt: ${error instanceof Error && error.name}` }),
        })
        const client = new Client({ baseUrl, token, onMfaRequired })
        client.auth.sessions.logout({ session_id_hashes: ['none'] }).catch(() => {})
      },
      { baseUrl: url, token: service.token(ada) },
    )
    await world.opened()
    const lang = () => document.querySelector('main > rapport-mfa-dialog')?.getAttribute('lang')
    expect(await page.evaluate(lang)).toBe('de')
    // Texts that are not replaced, or with undefined, stay English.
    const kept = { label: 'Code', submit: 'Verify' }
    await shows(world, { title: 'Bestätigen: Logout Auth Sessions', hint: 'Code eingeben', ...kept })
    await answer(world, '000000')
    await shows(world, { error: 'Erklärt: ApiError\nnoch 2' })
  })

  it('shows the footer of its options below the form, where it has the styles of the page and takes clicks', async () => {
    const world = await openDialogPage(harness, totp)
    const { page, service, ada } = world
    await page.addStyleTag({ content: 'rapport-mfa-dialog .lost { color: rgb(1, 2, 3) }' })
    await page.evaluate(() => {
      const footer: MfaDialogOptions['footer'] = ({ endpoint }) => {
        const button = document.createElement('button')
        button.className = 'lost'
        button.textContent = `Lost your device? ${endpoint}`
        button.onclick = () => window.outcomes.push('clicked')
        return button
      }
      Object.assign(window.dialogOptions, { footer })
    })
    await world.stepUp()
    const lost = page.getByRole('button', { name: 'Lost your device? Logout Auth Sessions' })
    expect(await lost.evaluate((element) => getComputedStyle(element).color)).toBe('rgb(1, 2, 3)')
    await lost.click()
    await answer(world, service.users.totp(ada))
    await closed(world)
    expect(await world.outcomes(2)).toEqual(['clicked', 'done'])
  })

  it('takes its look from parts and custom properties of the page', async () => {
    const world = await openDialogPage(harness, totp)
    const { page, dialog } = world
    await page.addStyleTag({
      content: `:root { --rapport-accent: rgb(1, 2, 3); --rapport-background: rgb(4, 5, 6) }
        rapport-mfa-dialog::part(submit) { text-transform: uppercase }`,
    })
    await world.stepUp()
    const style = (locator: typeof dialog) =>
      locator.evaluate((element) => {
        const { backgroundColor, textTransform, borderTopWidth } = getComputedStyle(element)
        return { backgroundColor, textTransform, borderTopWidth }
      })
    expect(await style(world.submit)).toMatchObject({ backgroundColor: 'rgb(1, 2, 3)', textTransform: 'uppercase' })
    expect(await style(dialog)).toMatchObject({ backgroundColor: 'rgb(4, 5, 6)', borderTopWidth: '0px' })
  })

  it('has the parts that the guide lists', async () => {
    const { dialog, stepUp } = await openDialogPage(harness, { user: { mfa: ['totp', 'sms'], phone: '+15550100' } })
    await stepUp()
    const parts = await dialog.evaluate((element) =>
      [element, ...element.querySelectorAll('*')].flatMap(({ part }) => Array.from(part)),
    )
    expect([...new Set(parts)].sort()).toEqual(
      [
        ...[
          'dialog',
          'form',
          'title',
          'about',
          'methods',
          'field',
          'legend',
          'method',
          'radio',
          'hint',
          'label',
          'label-text',
          'input',
        ],
        ...['messages', 'error', 'status', 'actions', 'button', 'send', 'cancel', 'submit'],
      ].sort(),
    )
  })

  it('works with a client of only the parts that need it', async () => {
    const world = await openDialogPage(harness, totp)
    const { page, service, ada, url } = world
    await page.evaluate(
      ({ baseUrl, login, password }) => {
        const { core, dialog } = window.rapport
        const client = core.createClient({ baseUrl, onMfaRequired: dialog.mfaDialog() }, { auth: core.auth })
        client.auth.login({ login, password }).then(({ status }) => window.outcomes.push(status))
      },
      { baseUrl: url, login, password },
    )
    await world.opened()
    await page.keyboard.type(service.users.totp(ada))
    await page.keyboard.press('Enter')
    expect(await world.outcomes()).toEqual(['complete'])
  })
})
