import { toHtml } from 'rapport-sdk/preview'
import { expect, inject, vi } from 'vitest'
import { strictPolicy } from '../harness/page-server'
import type { ScenarioSettings, StrictPageSettings } from '../pages/strict-policy'
import { BOXES, boxes, PARTS } from '../preview-boxes'
import { announcement, gallery, poll, settings as settingsModal } from '../preview-content'
import { attachmentUrl } from '../preview-page'
import type { Scriptable, Tab } from './engine'
import type { EngineHarness } from './harness'
import { openClient, signIn } from './session-suite'

/** Adds an iframe to a page and returns its document. */
async function addFrame(tab: Tab, attributes: Readonly<Record<string, string>>): Promise<Scriptable> {
  await tab.evaluate(async (attributes) => {
    const frame = document.createElement('iframe')
    for (const [name, value] of Object.entries(attributes)) frame.setAttribute(name, value)
    const loaded = new Promise((resolve) => frame.addEventListener('load', resolve))
    document.body.append(frame)
    await loaded
  }, attributes)
  return tab.frame()
}

/** Creates a client in a document whose second factors come from the dialog, and starts a step-up. */
function startStepUp(document: Scriptable, settings: { baseUrl: string; token: string }): Promise<void> {
  return document.evaluate((settings) => {
    window.outcomes = []
    const client = new window.rapport.Client({ ...settings, onMfaRequired: window.rapport.dialog.mfaDialog() })
    client.auth.sessions.logout({ session_id_hashes: ['none'] }).then(
      () => window.outcomes.push('done'),
      (error: Error) => window.outcomes.push(error.name),
    )
  }, settings)
}

const TREES = { announcement, poll, settings: settingsModal, gallery }

/** Workers, frames, policies and what is drawn. */
export function pageSuite(harness: EngineHarness): void {
  const { proves, serve, openPage } = harness

  proves('blocked storage', 'a frame whose storage is blocked keeps the token in memory, with a warning', async () => {
    // The origin of a sandboxed frame is `null`.
    const { settings } = await serve({}, { cors: ['null'] })
    const { pages, tab } = await openPage()
    const frame = await addFrame(tab, { sandbox: 'allow-scripts', src: `${pages.origin}/page` })
    await frame.waitFor(() => window.rapport !== undefined)
    await openClient(frame, settings.baseUrl)
    expect(await signIn(frame, settings.code)).toBe('complete')
    expect(await frame.evaluate(() => window.client.session.isAuthenticated)).toBe(true)
    const changes = await frame.evaluate(() => window.changes)
    expect(changes).toEqual(expect.arrayContaining(['loaded', 'storage_blocked', 'signedIn']))
  })

  proves('sandboxed iframe', 'the dialog and the gateway work in a sandboxed iframe', async () => {
    const { service, ada, grace, settings } = await serve({}, { cors: ['null'] })
    const { pages, tab } = await openPage()
    const frame = await addFrame(tab, { sandbox: 'allow-scripts', src: `${pages.origin}/page` })
    await frame.waitFor(() => window.rapport !== undefined)
    const token = service.token(ada)
    await startStepUp(frame, { baseUrl: settings.baseUrl, token })
    await frame.waitFor(() => document.querySelector('rapport-mfa-dialog')?.shadowRoot?.querySelector('[part=input]'))
    await frame.evaluate((code) => {
      const root = document.querySelector('rapport-mfa-dialog')?.shadowRoot
      const input = root?.querySelector('[part=input]')
      const submit = root?.querySelector('[part~=submit]')
      if (input instanceof HTMLInputElement) input.value = code
      if (submit instanceof HTMLElement) submit.click()
    }, settings.code)
    await frame.waitFor(() => window.outcomes.length > 0)
    expect(await frame.evaluate(() => window.outcomes)).toEqual(['done'])

    await frame.evaluate(
      async ({ baseUrl, url, token }) => {
        window.client = new window.rapport.Client({ baseUrl, token, gateway: { url } })
        await window.client.gateway.connect()
        window.changes = []
        window.client.gateway.on('relationshipAdd', ({ id }) => window.changes.push(id))
      },
      { baseUrl: settings.baseUrl, url: settings.gatewayUrl, token },
    )
    service.relationships.request(grace, ada)
    await frame.waitFor((id) => window.changes.includes(id), grace.id)
  })

  proves(
    ['strict Content-Security-Policy', 'Trusted Types'],
    'the package violates no directive of a strict policy with Trusted Types',
    async () => {
      const { service, ada, grace, settings } = await serve()
      service.relationships.befriend(ada, grace)
      const { pages, tab } = await openPage()
      pages.setPolicy(strictPolicy(`${settings.baseUrl} ${settings.gatewayUrl}`))
      const strict: StrictPageSettings = { ...settings, hasPasskey: false }
      await tab.goto(`${pages.origin}/strict-policy?settings=${encodeURIComponent(JSON.stringify(strict))}`)
      await vi.waitFor(async () => expect(await tab.title()).not.toBe('strict-policy'))
      const support = harness.engine.addAuthenticator === null ? 'no support' : 'support'
      expect(await tab.title()).toBe(`dialog, login, step-up, gateway, components, ${support}, no passkey`)
      await vi.waitFor(() => expect(pages.reports.at(-1)).toMatch('trusted-types'))
      // The last one is caused on purpose.
      const reports = pages.reports.filter((report) => !report.endsWith('/favicon.ico'))
      expect(reports).toEqual(['require-trusted-types-for trusted-types-sink'])
    },
  )

  for (const [kind, scope] of [
    ['dedicated', 'DedicatedWorkerGlobalScope'],
    ['shared', 'SharedWorkerGlobalScope'],
    ['service', 'ServiceWorkerGlobalScope'],
  ] as const) {
    proves(`${kind} worker`, `a client signs in and follows the gateway in a ${kind} worker`, async () => {
      const { service, ada, grace, settings } = await serve()
      service.relationships.befriend(ada, grace)
      const { tab } = await openPage()
      expect(await tab.evaluate(runWorker, { kind, settings })).toBe(`${scope} friend`)
    })
  }

  proves('dialog element', 'the dialog takes a code unseen, and Escape cancels it', async () => {
    const { service, ada, settings } = await serve()
    const { tab } = await openPage()
    const client = { baseUrl: settings.baseUrl, token: service.token(ada) }
    const isOpen = () => document.querySelector('rapport-mfa-dialog')?.shadowRoot?.querySelector('dialog')?.open
    await startStepUp(tab, client)
    await tab.waitFor(isOpen)
    await tab.evaluate(() => {
      // No listener of the page may see what is typed.
      for (const type of ['keydown', 'keyup', 'beforeinput', 'textInput', 'input', 'change'])
        document.addEventListener(type, () => window.outcomes.push(type), true)
    })
    await tab.type('[part=input]', settings.code)
    await tab.click('[part~=submit]')
    await tab.waitFor(() => window.outcomes.length > 0)
    expect(await tab.evaluate(() => window.outcomes)).toEqual(['done'])

    await startStepUp(tab, client)
    await tab.waitFor(isOpen)
    await tab.press('Escape')
    await tab.waitFor(() => window.outcomes.length > 0)
    expect(await tab.evaluate(() => window.outcomes)).toEqual(['MfaCancelledError'])
    expect(await tab.evaluate(() => document.querySelector('rapport-mfa-dialog'))).toBeNull()
  })

  proves('preview', 'previews have the same layout as in the other engines', async () => {
    const { tab } = await openPage()
    for (const [name, tree] of Object.entries(TREES)) {
      const html = toHtml(tree, { theme: 'light', attachmentUrl })
      const srcdoc = `<!doctype html><html lang="en"><style>body{margin:0}</style><main>${html}</main></html>`
      for (const [width, expected] of Object.entries(BOXES[name] ?? {})) {
        const frame = await addFrame(tab, { srcdoc, style: `width: ${width}px; height: 3000px; border: 0` })
        expect(await frame.evaluate(boxes, PARTS), `${name} at ${width} pixels`).toEqual(expected)
        await tab.evaluate(() => document.querySelector('iframe')?.remove())
      }
    }
  })

  proves('playground', 'a user signs in to the playground with a simulated passkey', async () => {
    const tab = await harness.engine.open(inject('playgroundUrl'))
    await tab.waitFor(() => document.querySelector('button'))
    await tab.evaluate(() => {
      for (const button of document.querySelectorAll('button')) {
        if (button.textContent === 'Use a simulated passkey') button.click()
      }
    })
    await tab.waitFor(() =>
      [...document.querySelectorAll('button')].some(
        (each) => each.textContent === 'Sign out' && each.checkVisibility(),
      ),
    )
  })
}

/** Starts a worker of a kind, which signs in, and returns its outcome. Runs in the page. */
async function runWorker({ kind, settings }: { kind: 'dedicated' | 'shared' | 'service'; settings: ScenarioSettings }) {
  const { port1, port2 } = new MessageChannel()
  const outcome = new Promise<string>((resolve) => {
    port1.onmessage = ({ data }) => resolve(data)
  })
  const url = '/worker.js'
  if (kind === 'dedicated') new Worker(url, { type: 'module' }).postMessage(settings, [port2])
  else if (kind === 'shared') new SharedWorker(url, { type: 'module' }).port.postMessage(settings, [port2])
  else {
    await navigator.serviceWorker.register(url, { type: 'module' })
    const { active } = await navigator.serviceWorker.ready
    active?.postMessage(settings, [port2])
  }
  return outcome
}
