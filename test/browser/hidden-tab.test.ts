import { chromium } from 'playwright-core'
import { expect, it, onTestFinished, vi } from 'vitest'
import { serveGateway, TOKEN } from '../servers/gateway-server'
import { launchOptions } from './harness/chromium'
import { servePages } from './harness/page-server'

/** Starts Chromium with the throttling of timers in hidden tabs that Playwright turns off, after a second instead of minutes. */
async function startThrottling() {
  const { args = [], ...options } = launchOptions()
  const browser = await chromium.launch({
    ...options,
    args: [...args, '--enable-features=IntensiveWakeUpThrottling:grace_period_seconds/1'],
    ignoreDefaultArgs: ['--disable-background-timer-throttling', '--disable-renderer-backgrounding'],
  })
  onTestFinished(() => browser.close())
  return browser.newBrowserCDPSession()
}

type DevTools = Awaited<ReturnType<typeof startThrottling>>

/** Opens a tab without Playwright, which would keep it visible. Returns a function that evaluates an expression in it. */
async function openTab(tools: DevTools, url: string): Promise<(expression: string) => Promise<unknown>> {
  const { targetId } = await tools.send('Target.createTarget', { url })
  const { sessionId } = await tools.send('Target.attachToTarget', { targetId, flatten: false })
  let lastId = 0
  return (expression) =>
    new Promise((resolve, reject) => {
      lastId += 1
      const id = lastId
      const onMessage = ({ message }: { message: string }) => {
        const { id: answered, result } = JSON.parse(message)
        if (answered !== id) return
        tools.off('Target.receivedMessageFromTarget', onMessage)
        if (result.exceptionDetails) reject(new Error(JSON.stringify(result.exceptionDetails)))
        else resolve(result.result.value)
      }
      tools.on('Target.receivedMessageFromTarget', onMessage)
      const params = { expression, awaitPromise: true, returnByValue: true }
      const message = JSON.stringify({ id, method: 'Runtime.evaluate', params })
      tools.send('Target.sendMessageToTarget', { sessionId, message }).catch(reject)
    })
}

it('a hidden tab sends its heartbeats in time, although Chromium throttles its timers to one a minute', async () => {
  const beats: number[] = []
  const gateway = await serveGateway({
    onConnect: (peer) => peer.hello(1_000),
    onHeartbeat: (peer) => {
      beats.push(performance.now())
      peer.send({ op: 11 })
    },
  })
  const pages = await servePages()
  onTestFinished(() => pages.close())
  const tools = await startThrottling()
  const evaluate = await openTab(tools, `${pages.origin}/page`)
  await vi.waitFor(async () => expect(await evaluate('typeof rapport')).toBe('object'))
  const options = JSON.stringify({ baseUrl: 'http://localhost', token: TOKEN, gateway: { url: gateway.url } })
  await evaluate(`(window.client = new rapport.Client(${options})).gateway.connect().then(() => {})`)

  await tools.send('Target.createTarget', { url: 'about:blank' })
  await vi.waitFor(async () => expect(await evaluate('document.visibilityState')).toBe('hidden'))
  await evaluate('window.ticks = 0; (function tick() { window.ticks += 1; setTimeout(tick, 500) })()')
  const hiddenAt = performance.now()
  await vi.waitFor(() => expect(beats.filter((at) => at > hiddenAt).length).toBeGreaterThan(8))

  // The page's own timers were throttled meanwhile to one a second, and would be two.
  const ticks = await evaluate('window.ticks')
  expect(ticks).toBeLessThan((1.5 * (performance.now() - hiddenAt)) / 1_000)
  expect(gateway.peers).toHaveLength(1)
  // Chromium runs the timers of hidden tabs once a second, so some heartbeats are a second or two late, or a minute if those of the client count as
  // a chain. A busy machine may add seconds.
  const gaps = beats.slice(1).map((at, index) => at - (beats[index] ?? 0))
  expect(Math.max(...gaps)).toBeLessThan(40_000)
})
