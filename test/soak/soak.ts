// Measures what a hundred thousand calls over loopback, with step-ups, faults and aborts, leave behind.

import { fork } from 'node:child_process'
import { getEventListeners, once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { TOTP } from 'otpauth'
import { Client, type MfaHandler, type RequestOptions } from 'rapport-sdk'
import { seededRandom } from './gateway-plan'
import { heapInUse, MAX_GROWTH_BYTES, megabytes, resourcesLeft, watchProcess } from './measuring'
import type { Account, Listening } from './service'

const WORKERS_PER_ACCOUNT = 8
const random = seededRandom(1)
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T

/** Long-lived clients that call, step up, change accounts and abort, and the outcomes of their calls. */
class Traffic {
  readonly outcomes = new Map<string, number>()
  calls = 0
  prompts = 0
  requests = 0
  readonly #clients: readonly { readonly client: Client; readonly account: Account }[]
  readonly #service: Listening
  readonly #shared: AbortSignal

  constructor(service: Listening, shared: AbortSignal) {
    this.#service = service
    this.#shared = shared
    this.#clients = service.accounts.map((account) => {
      const client = new Client({ baseUrl: service.url, deadline: 20_000, onMfaRequired: this.#handler(account) })
      client.on('request', () => this.requests++)
      return { client, account }
    })
  }

  /** Makes `count` calls, several at a time. */
  async run(count: number): Promise<void> {
    const end = this.calls + count
    const worker = async (index: number): Promise<void> => {
      const { client, account } = this.#clients[index % this.#clients.length] ?? pick(this.#clients)
      while (this.calls < end) await this.#one(client, account)
    }
    await Promise.all(Array.from({ length: this.#clients.length * WORKERS_PER_ACCOUNT }, (_, index) => worker(index)))
  }

  dispose(): void {
    for (const { client } of this.#clients) client.dispose()
  }

  async #one(client: Client, account: Account): Promise<void> {
    this.calls++
    const control = random() < 0.08 ? new AbortController() : undefined
    const timer = control && setTimeout(() => control.abort(), random() * 12)
    try {
      await this.#call(client, account, { signal: control?.signal ?? this.#shared })
      this.#count('resolved')
    } catch (error) {
      this.#count(error instanceof Error ? error.name : String(error))
    } finally {
      clearTimeout(timer)
    }
  }

  #call(client: Client, account: Account, options: RequestOptions): Promise<unknown> {
    const draw = random()
    const other = pick(this.#service.others)
    const { isAuthenticated, token } = client.session
    if (!isAuthenticated || draw < 0.01)
      return client.auth.login({ login: account.login, password: this.#service.password }, options)
    if (draw < 0.013) return client.auth.logout({}, options)
    if (draw < 0.02) return this.#listSessionsAs(client, token ?? '', options)
    if (draw < 0.2) return client.auth.sessions.list(options)
    if (draw < 0.25) return client.relationships.delete(other, options)
    if (draw < 0.35) return client.relationships.create(other, {}, options)
    if (draw < 0.4) return client.request({ path: '/missing/{name}', pathParams: { name: other } }, options)
    if (draw < 0.45) return client.gameRelationships.sendRequest({ username: '' }, options)
    if (draw < 0.6) return client.widgetConfigs.featured(options)
    if (draw < 0.75) return client.friendSuggestions.list(options)
    return client.relationships.list(options).withResponse()
  }

  async #listSessionsAs(client: Client, token: string, options: RequestOptions): Promise<unknown> {
    const other = client.as(token)
    try {
      return await other.auth.sessions.list(options)
    } finally {
      other.dispose()
    }
  }

  #handler({ totpSecret: secret }: Account): MfaHandler {
    const totp = new TOTP({ secret })
    return async ({ attempt }) => {
      this.prompts++
      const draw = random()
      if (draw < 0.5) await wait(random() * 8)
      if (draw < 0.04) return null
      if (draw > 0.98) throw new Error('the dialog failed')
      return { type: 'totp', code: draw < 0.15 ? `00000${attempt}` : totp.generate() }
    }
  }

  #count(outcome: string): void {
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1)
  }
}

const CALLS = Number(process.env.SOAK_CALLS ?? 100_000)
const WARM_UP = Math.ceil(CALLS / 10)

const handlesBefore = process.getActiveResourcesInfo()
const { unhandled, warnings } = watchProcess()

const child = fork(fileURLToPath(new URL('service.ts', import.meta.url)), { execArgv: ['--import', 'tsx'] })
const [service] = (await once(child, 'message')) as [Listening]
const shared = new AbortController().signal
const traffic = new Traffic(service, shared)

const startedAt = performance.now()
await traffic.run(WARM_UP)
const heapWarm = await heapInUse()
await traffic.run(CALLS - WARM_UP)
const heapEnd = await heapInUse()
const seconds = (performance.now() - startedAt) / 1000
const listeners = getEventListeners(shared, 'abort').length

traffic.dispose()
child.send('end')
await once(child, 'exit')
const handles = await resourcesLeft(handlesBefore)

const growth = heapEnd - heapWarm
const outcomes = [...traffic.outcomes].sort(([, one], [, other]) => other - one)
const lines = [
  `calls                  ${traffic.calls} in ${seconds.toFixed(1)} s, ${traffic.requests} requests`,
  ...outcomes.map(([name, count]) => `  ${name.padEnd(21)}${count}`),
  `prompts                ${traffic.prompts}`,
  `heap after ${String(WARM_UP).padEnd(11)} ${megabytes(heapWarm)}`,
  `heap at the end        ${megabytes(heapEnd)}, growth ${megabytes(growth)} of at most ${megabytes(MAX_GROWTH_BYTES)}`,
  `listeners left         ${listeners}`,
  `handles left           ${handles.length === 0 ? 'none' : handles.join(', ')}`,
  `unhandled rejections   ${unhandled.length}`,
  `warnings of Node       ${warnings.length}`,
]
process.stdout.write(`${lines.join('\n')}\n`)
if (growth > MAX_GROWTH_BYTES || listeners + handles.length + unhandled.length + warnings.length > 0)
  process.exitCode = 1
