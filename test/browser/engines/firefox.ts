import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Authenticator, createPasskey } from '../../../mocks/fixtures/authenticator'
import { type Engine, poll, type Tab } from './engine'
import { type Send, toCookies, WebDriverSession } from './webdriver'

const PREFERENCES = {
  // Any free port.
  'marionette.port': 0,
  // Virtual authenticators instead of real ones.
  'security.webauth.webauthn_enable_softtoken': true,
  'security.webauth.webauthn_enable_usbtoken': false,
  // A process for each site, but none in advance: a quarter less CPU time.
  'dom.ipc.processCount': 1,
  'dom.ipc.processCount.webIsolated': 1,
  'dom.ipc.processPrelaunch.enabled': false,
  'browser.startup.page': 0,
  // The tests use only loopback.
  'app.update.disabledForTesting': true,
  'browser.safebrowsing.malware.enabled': false,
  'browser.safebrowsing.phishing.enabled': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'data:,none',
  'toolkit.telemetry.enabled': false,
}

/** Starts Firefox, controlled with Marionette, its own protocol: Debian has no geckodriver. */
export async function startFirefox(): Promise<Engine> {
  const { FIREFOX = '/usr/bin/firefox-esr' } = process.env
  const profile = await mkdtemp(join(tmpdir(), 'rapport-firefox-'))
  const lines = Object.entries(PREFERENCES).map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});`)
  await writeFile(join(profile, 'user.js'), lines.join('\n'))
  const flags = ['--headless', '--marionette', '--remote-allow-system-access', '--no-remote', '--profile', profile]
  const child = spawn(FIREFOX, flags, { stdio: 'ignore', env: { ...process.env, MOZ_HEADLESS: '1' } })
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    await rm(profile, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    const portFile = join(profile, 'MarionetteActivePort')
    await poll(async () => existsSync(portFile) && (await readFile(portFile, 'utf8')) !== '', 'Marionette listens')
    const socket = connect(Number(await readFile(portFile, 'utf8')), '127.0.0.1')
    return await createEngine(marionette(socket), async () => {
      socket.destroy()
      await stop()
    })
  } catch (error) {
    await stop()
    throw error
  }
}

async function createEngine(send: Send, close: () => Promise<void>): Promise<Engine> {
  const created = await send('NewSession', { acceptInsecureCerts: true })
  const { browserVersion } = Reflect.get(Object(created), 'capabilities')
  const session = await WebDriverSession.start(send)
  const authenticators: (() => Promise<unknown>)[] = []

  const addAuthenticator = async (tab: Tab): Promise<Authenticator> => {
    const options = {
      protocol: 'ctap2_1',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserConsenting: true,
      isUserVerified: true,
    }
    const authenticatorId = await session.inTab(tab, 'WebAuthn:AddVirtualAuthenticator', options)
    authenticators.push(() => send('WebAuthn:RemoveVirtualAuthenticator', { authenticatorId }))
    return {
      async addPasskey(user) {
        const { id, privateKey, added } = createPasskey()
        await session.inTab(tab, 'WebAuthn:AddCredential', {
          authenticatorId,
          credentials: {
            credentialId: id.toString('base64url'),
            isResidentCredential: true,
            rpId: 'localhost',
            privateKey: privateKey.toString('base64url'),
            userHandle: Buffer.from(user.id).toString('base64url'),
            signCount: 0,
          },
        })
        return added
      },
      setPresent: async (isUserVerified) => {
        await session.inTab(tab, 'WebAuthn:SetUserVerified', { authenticatorId, isUserVerified })
      },
    }
  }

  return {
    name: 'Firefox',
    version: String(browserVersion),
    open: (url) => session.open(url),
    addAuthenticator,
    cookies: async (tab) => toCookies(await session.inTab(tab, 'GetCookies')),
    async reset() {
      for (const remove of authenticators.splice(0)) await remove()
      await session.reset()
    },
    close,
  }
}

/** Speaks Marionette: JSON arrays, each after its length in bytes and a colon. */
function marionette(socket: Socket): Send {
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  let received = Buffer.alloc(0)
  let lastId = 0
  socket.on('data', (data) => {
    received = Buffer.concat([received, data])
    for (;;) {
      const colon = received.indexOf(':')
      const end = colon + 1 + Number(received.subarray(0, colon))
      if (colon < 0 || received.length < end) return
      const message = JSON.parse(received.subarray(colon + 1, end).toString())
      received = received.subarray(end)
      // The first message is a greeting.
      if (!Array.isArray(message)) continue
      const [, id, error, result] = message
      const waiter = waiting.get(id)
      waiting.delete(id)
      if (error) waiter?.reject(new Error(`${error.error}: ${error.message}`))
      else waiter?.resolve(result !== null && 'value' in result ? result.value : result)
    }
  })
  const fail = () => {
    for (const { reject } of waiting.values()) reject(new Error('Firefox has closed the connection.'))
  }
  socket.on('error', fail).on('close', fail)
  return (command, params = {}) =>
    new Promise((resolve, reject) => {
      lastId += 1
      waiting.set(lastId, { resolve, reject })
      const name = command.includes(':') ? command : `WebDriver:${command}`
      const text = JSON.stringify([0, lastId, name, params])
      socket.write(`${Buffer.byteLength(text)}:${text}`)
    })
}
