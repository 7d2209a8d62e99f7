// The accounts of one process and their fair distribution over all processes.
import { Commands, type RedisConnection, type RedisOptions } from './connection'
import { REPORT } from './event-scripts'

/** Maximum interval in which a process reports its number of accounts, in milliseconds. */
const MAX_REPORT_MS = 5_000
/** Time in which a process that lost the service asks for no accounts, in milliseconds. */
const QUIET_MS = 60_000

/** A holder, as its fleet sees it. */
export interface Member {
  /** Whether another process has its account. */
  readonly isWaiting: boolean
  /** ID of the fleet that has its account, as far as it is known. */
  readonly rival: string
  /** Asks the process that has the account for it. */
  request(message: string): void
}

/** The holders of a process. Their accounts are spread over all processes: one that has fewer asks one that has more. */
export class Fleet {
  readonly id: string = crypto.randomUUID()
  /** Names of the accounts that this process has tried to connect. */
  readonly tried = new Set<string>()
  /** Holders that have their account. */
  readonly held = new Set<Member>()
  /** Time that a holder gives the one that it hands its account over to, in milliseconds. */
  readonly yieldMs: number
  readonly #key: string
  readonly #commands: Commands
  readonly #members = new Set<Member>()
  #timer: ReturnType<typeof setTimeout> | undefined
  /** Whether one of its holders has reached the service: otherwise it asks for one account at a time. */
  #isProven = false
  #quietUntil = -Infinity

  constructor(redis: RedisConnection, stream: string, leaseMs: number, options: RedisOptions) {
    this.#key = `rapport:1:events:{${stream}}`
    this.#commands = new Commands(redis, options)
    this.yieldMs = Math.min(leaseMs / 3, MAX_REPORT_MS)
  }

  add(member: Member): void {
    this.#members.add(member)
    if (this.#members.size === 1) this.#schedule()
  }

  async delete(member: Member): Promise<void> {
    this.held.delete(member)
    this.#members.delete(member)
    if (this.#members.size > 0) return
    clearTimeout(this.#timer)
    // If Redis does not reply, the report expires.
    await this.#report(true).catch(() => {})
  }

  /** Records whether this process can connect accounts: one that cannot does not ask for more of them. */
  prove(isProven: boolean): void {
    this.#isProven = isProven
    this.#quietUntil = isProven ? -Infinity : performance.now() + QUIET_MS
  }

  /**
   * Returns the fleet that has sent a request, if it has at least two accounts less than this one.
   * @param message `wanted`, its number of accounts, its ID.
   */
  readRequest(message: string): string | undefined {
    const [word, count, id] = message.split(' ')
    return word === 'wanted' && this.held.size > Number(count) + 1 ? id : undefined
  }

  #schedule(): void {
    this.#timer = setTimeout(async () => {
      await this.#balance().catch(() => {})
      if (this.#members.size > 0) this.#schedule()
    }, this.yieldMs)
  }

  /** Asks for as many accounts of others as make the numbers equal. */
  async #balance(): Promise<void> {
    const counts = await this.#report()
    if (performance.now() < this.#quietUntil) return
    const waiting = new Map<string, Member[]>()
    for (const member of this.#members) {
      const { isWaiting, rival } = member
      if (isWaiting && counts.has(rival)) addTo(waiting, rival, member)
    }
    for (let own = this.held.size; ; own++) {
      const [rival, count] =
        [...counts].filter(([id]) => waiting.get(id)?.length).sort((one, other) => other[1] - one[1])[0] ?? []
      if (rival === undefined || count === undefined || count <= own + 1) return
      waiting.get(rival)?.pop()?.request(`wanted ${own} ${this.id}`)
      counts.set(rival, count - 1)
      if (!this.#isProven) return
    }
  }

  /** Reports the number of accounts, and returns those of all processes by ID. */
  async #report(isEnd = false): Promise<Map<string, number>> {
    const args = [this.id, isEnd ? '' : this.held.size, Math.ceil(3 * this.yieldMs)]
    const [, ...items] = (await this.#commands.run(REPORT, [this.#key], () => args)).texts()
    const counts = new Map<string, number>()
    for (let index = 0; index < items.length; index += 2) counts.set(items[index] ?? '', Number(items[index + 1]))
    return counts
  }
}

function addTo(lists: Map<string, Member[]>, key: string, member: Member): void {
  const list = lists.get(key) ?? []
  lists.set(key, list)
  list.push(member)
}

const fleets = new WeakMap<RedisConnection, Map<string, Fleet>>()

/** Returns the fleet of this process for the accounts of a stream. */
export function fleetOf(redis: RedisConnection, stream: string, leaseMs: number, options: RedisOptions): Fleet {
  const byStream = fleets.get(redis) ?? new Map<string, Fleet>()
  fleets.set(redis, byStream)
  const fleet = byStream.get(stream) ?? new Fleet(redis, stream, leaseMs, options)
  byStream.set(stream, fleet)
  return fleet
}
