import type { MockControl } from '../../mocks/control/client'
import type { MockUser } from '../../mocks/index'
import { type Engine, poll, type Tab } from '../../test/browser/engines/engine'
import type { Recorded, Recorder } from './recorder'

// What a user of one of the apps does, in any browser, and what must hold meanwhile.

/** Where a journey takes place. */
export interface Place {
  readonly engine: Engine
  /** Between the browser and the app. */
  readonly app: Recorder
  /** Between the app and the service. */
  readonly service: Recorder
  readonly mock: MockControl
}

const password = 'correct horse battery'
const login = 'ada@example.com'
/** Would be a script in a page that writes it as it is. */
const MARKUP = '</script><script>document.title=1</script>'

/** Checks of a journey, by their titles. */
class Checks {
  readonly passed: string[] = []
  readonly failures: string[] = []

  expect(title: string, holds: boolean, found: unknown = ''): void {
    if (holds) this.passed.push(title)
    else this.failures.push(`${title}: ${JSON.stringify(found)}`)
  }
}

/** Makes the journey. Rejects if a step does not happen. */
export async function journey({ engine, app, service, mock }: Place): Promise<Checks> {
  const checks = new Checks()
  await mock.reset()
  const create = (username: string) => mock.users.create({ login: `${username}@example.com`, username, password })
  const ada = await mock.users.create({ login, username: 'ada', password, mfa: ['totp'] })
  const [grace, linus] = [await create('grace'), await create('linus')]
  const strange = await mock.users.create({ login: 'mark@example.com', username: MARKUP, password })
  for (const friend of [grace, strange]) await mock.relationships.befriend(ada, friend)
  await mock.token(ada) // Another device.

  const before = app.recorded().length
  const page = () => htmlOf(app, before)
  const tab = await engine.open(`${app.origin}/`)
  await tab.waitFor(() => document.querySelector('form button:not(:disabled)'))
  checks.expect('signed out, the page names no friend', !page().includes('grace'))
  await tab.type('[type=email]', login)
  await tab.type('[type=password]', password)
  await tab.click('form button')
  await enterCode(tab, mock, ada)
  await tab.waitFor(() => document.querySelector('ul')?.textContent?.includes('grace'))
  checks.expect('the sign-in needs the second factor', await statuses(mock, 'Verify MFA Login', [200]))
  const cookies = await engine.cookies(tab)
  const isSafe = cookies.every(({ httpOnly, secure, sameSite }) => httpOnly && secure && sameSite === 'Lax')
  checks.expect('there is one cookie: HttpOnly, Secure, SameSite=Lax', cookies.length === 1 && isSafe, cookies)

  const visited = () => app.recorded().slice(before).map(pathOf)
  const isSettled = async () => visited().includes('list', visited().indexOf('socket') + 1)
  await until('the page has loaded the list after it connected', isSettled)
  const reloaded = visited().length
  await tab.reload()
  await tab.waitFor(() => document.querySelector('button[name=sign-out]:not(:disabled)'))
  checks.expect('the HTML has the friends', page().includes('grace'))
  checks.expect('the HTML is private', isPrivate(app, before), headersOf(app, before))
  checks.expect('a name with markup stays text', await namesAreText(tab))
  await until('the page is connected', async () => (await mock.gateway.sessions()).some(({ connected }) => connected))

  await mock.relationships.request(linus, ada)
  await tab.waitFor(() => document.querySelector('button[name=accept]'))
  // Events may have been missed before it is connected, so it loads the list once then.
  const seen = visited().slice(reloaded)
  const isLate = seen.indexOf('list') === -1 || seen.indexOf('list') > seen.indexOf('socket')
  const isOnce = seen.indexOf('list') === seen.lastIndexOf('list')
  checks.expect('the list goes on live, and is not loaded again before that', isLate && isOnce, seen)
  await tab.click('button[name=accept]')
  await tab.waitFor(() => !document.querySelector('button[name=accept]'))
  const accepted = await tab.evaluate(() => document.querySelector('ul')?.textContent)
  checks.expect('a request is accepted', String(accepted).includes('linus'), accepted)

  await tab.waitFor(() => document.body.textContent?.includes('Signed in on 2.'))
  await tab.click('button[name=end-others]')
  await enterCode(tab, mock, ada)
  await tab.waitFor(() => document.body.textContent?.includes('Signed in on 1.'))
  const isRepeated = await statuses(mock, 'Logout Auth Sessions', [401, 204])
  checks.expect('a sensitive action asks for the second factor and then passes', isRepeated)

  const secrets = [...secretsIn(service), ...sessionsIn(app, before)]
  checks.expect('the service has sent tickets, a token and a verification', secrets.length > 4, secrets.length)
  checks.expect('no secret is in the storage or the document', !contains(await readable(tab), secrets))
  checks.expect('no cookie is readable by scripts', (await tab.evaluate(() => document.cookie)) === '')

  await tab.click('button[name=sign-out]')
  await tab.waitFor(() => document.querySelector('form'))
  checks.expect('the sign-out ends the session at the service', await statuses(mock, 'Logout', [204]))
  await until('the connection ends', async () => (await mock.gateway.sessions()).every(({ connected }) => !connected))
  checks.expect('the sign-out removes the cookie', (await engine.cookies(tab)).length === 0)
  await tab.reload()
  await tab.waitFor(() => document.querySelector('form button:not(:disabled)'))
  checks.expect('afterwards, the page names no friend', !page().includes('grace'))

  const answers = app.recorded().slice(before)
  const leaks = answers.filter(({ body, headers }) => contains(body + withoutCookies(headers), secrets))
  checks.expect(
    'no secret is in an answer of the app',
    leaks.length === 0,
    leaks.map(({ path }) => path),
  )
  const frames = answers.some(({ status, body }) => status === 101 && body.includes('READY'))
  checks.expect('what the gateway sends is among what was searched', frames)
  const broken = answers.filter(({ status }) => status >= 500).map(({ path, status }) => `${status} ${path}`)
  checks.expect('no answer is an error of the app', broken.length === 0, broken)
  return checks
}

async function enterCode(tab: Tab, mock: MockControl, user: MockUser): Promise<void> {
  const isOpen = () => document.querySelector('rapport-mfa-dialog')?.shadowRoot?.querySelector('dialog')?.open
  await tab.waitFor(isOpen)
  await tab.type('[part=input]', await mock.users.totp(user))
  await tab.click('[part~=submit]')
  await tab.waitFor(() => !document.querySelector('rapport-mfa-dialog'))
}

/** Returns what a page has asked for. */
function pathOf({ path, status }: Recorded): string {
  if (status === 101) return 'socket'
  return path.endsWith('/users/@me/relationships') ? 'list' : path
}

async function until(description: string, holds: () => Promise<boolean>): Promise<void> {
  await poll(holds, description)
}

async function statuses(mock: MockControl, endpoint: Parameters<MockControl['faults']['on']>[0], expected: number[]) {
  const found = await mock.requests.all({ endpoint })
  return found.map(({ status }) => status).join() === expected.join()
}

/** Runs in the page: a name that became a script would change the title. */
async function namesAreText(tab: Tab): Promise<boolean> {
  const [text, title] = await tab.evaluate(() => [document.querySelector('ul')?.textContent, document.title])
  return String(text).includes(MARKUP) && title !== '1'
}

const documentsOf = (app: Recorder, from: number) =>
  app
    .recorded()
    .slice(from)
    .filter(({ path, headers }) => path === '/' && headers.some((value) => value.startsWith('text/html')))

/** Returns the last HTML that the server has sent. */
const htmlOf = (app: Recorder, from: number): string => documentsOf(app, from).at(-1)?.body ?? ''
const headersOf = (app: Recorder, from: number) => documentsOf(app, from).at(-1)?.headers ?? []
const isPrivate = (app: Recorder, from: number): boolean =>
  headersOf(app, from).some((value) => /private/.test(value) && /no-store/.test(value))

/** Returns what the service has sent that can be exchanged for a session or passes for a second factor. */
function secretsIn(service: Recorder): string[] {
  const pattern = /"(?:token|ticket|handoff_token|fingerprint)":\s*"([^"]+)"/g
  return service.recorded().flatMap(({ body }) => [...body.matchAll(pattern)].flatMap(([, value = '']) => value))
}

/** Returns the sealed sessions that the app has set as cookies. */
function sessionsIn(app: Recorder, from: number): string[] {
  const headers = app
    .recorded()
    .slice(from)
    .flatMap((answer) => answer.headers)
  return headers.flatMap((value) => /^__Host-rapport=([^;]{10,})/.exec(value)?.[1] ?? [])
}

const withoutCookies = (headers: readonly string[]): string =>
  headers.filter((_, at) => headers[at - 1]?.toLowerCase() !== 'set-cookie' || at % 2 === 0).join('\n')

const contains = (text: string, secrets: readonly string[]): boolean => secrets.some((secret) => text.includes(secret))

/** Returns what a script of the page can read without a request. */
function readable(tab: Tab): Promise<string> {
  return tab.evaluate(async () => {
    const databases = (await indexedDB.databases?.()) ?? []
    const stored = [localStorage, sessionStorage].flatMap((storage) => Object.entries(storage))
    const globals = Object.keys(window).map((name) => {
      try {
        return JSON.stringify(Reflect.get(window, name))
      } catch {
        return ''
      }
    })
    const parts = [databases, stored, await caches.keys(), globals, history.state]
    return `${JSON.stringify(parts)}${document.documentElement.outerHTML}${document.cookie}`
  })
}
