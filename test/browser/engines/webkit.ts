import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { type Engine, poll } from './engine'
import { type Send, toCookies, WebDriverSession } from './webdriver'

/** Starts MiniBrowser of WebKitGTK on a virtual screen, controlled with WebDriver. */
export async function startWebKit(): Promise<Engine> {
  const port = await freePort()
  const screen = ['-a', '-s', '-screen 0 1440x1000x24']
  const child = spawn('xvfb-run', [...screen, 'WebKitWebDriver', `--port=${port}`, '--host=127.0.0.1'], {
    stdio: 'ignore',
    // A group of its own, which ends with the driver.
    detached: true,
  })
  const stop = async () => {
    if (child.exitCode !== null || child.pid === undefined) return
    const exited = once(child, 'exit')
    process.kill(-child.pid, 'SIGTERM')
    await exited
  }
  const base = `http://127.0.0.1:${port}/session`
  try {
    await poll(async () => (await fetch(`http://127.0.0.1:${port}/status`)).ok, 'WebKitWebDriver listens')
    const options = { binary: process.env.MINI_BROWSER, args: ['--automation'] }
    const alwaysMatch = { acceptInsecureCerts: true, 'webkitgtk:browserOptions': options }
    const created = Object(await request('POST', base, { capabilities: { alwaysMatch } }))
    const url = `${base}/${created.sessionId}`
    const send: Send = (command, params) => sendCommand(url, command, params)
    const session = await WebDriverSession.start(send)
    return {
      name: 'WebKitGTK',
      version: String(created.capabilities.browserVersion),
      open: (address) => session.open(address),
      addAuthenticator: null,
      cookies: async (tab) => toCookies(await session.inTab(tab, 'GetCookies')),
      reset: () => session.reset(),
      async close() {
        await request('DELETE', url)
        await stop()
      },
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Method and path of the commands; `:id` is a parameter. */
const COMMANDS: Readonly<Record<string, readonly [method: string, path: string]>> = {
  SetTimeouts: ['POST', 'timeouts'],
  GetWindowHandle: ['GET', 'window'],
  NewWindow: ['POST', 'window/new'],
  SwitchToWindow: ['POST', 'window'],
  CloseWindow: ['DELETE', 'window'],
  SwitchToFrame: ['POST', 'frame'],
  Navigate: ['POST', 'url'],
  Back: ['POST', 'back'],
  Refresh: ['POST', 'refresh'],
  GetTitle: ['GET', 'title'],
  ExecuteScript: ['POST', 'execute/sync'],
  ExecuteAsyncScript: ['POST', 'execute/async'],
  ElementClick: ['POST', 'element/:id/click'],
  ElementSendKeys: ['POST', 'element/:id/value'],
  PerformActions: ['POST', 'actions'],
  GetCookies: ['GET', 'cookie'],
  DeleteAllCookies: ['DELETE', 'cookie'],
}

function sendCommand(session: string, command: string, params: Readonly<Record<string, unknown>> = {}) {
  const [method, path] = COMMANDS[command] ?? []
  if (method === undefined || path === undefined) throw new Error(`WebKitWebDriver has no command ${command}.`)
  return request(method, `${session}/${path.replace(':id', String(params.id))}`, params)
}

async function request(method: string, url: string, params: object = {}): Promise<unknown> {
  const response = await fetch(url, { method, ...(method === 'POST' && { body: JSON.stringify(params) }) })
  const { value } = await response.json()
  if (!response.ok) throw new Error(`${value.error}: ${value.message}`)
  return value
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return address !== null && typeof address === 'object' ? address.port : 0
}
