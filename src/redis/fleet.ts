// The accounts of one process: how fast it starts their sessions, and their fair distribution over all processes.

import { Backoff } from '../gateway/backoff'
import { Commands, type RedisClient, type RedisOptions } from './connection'
import { REPORT } from './event-scripts'

/** Maximum number of sessions that start in {@link WINDOW_MS}. */
const MAX_STARTS = 16
const WINDOW_MS = 5_000

/** Bounds the sessions that a process starts. Of the accounts that wait, the one whose last turn is the longest ago is next. */
class Turns {
  readonly #waiting = new Map<Pace, () => void>()
  readonly #current = new Set<Pace>()
  /** When the last sessions started, monotonic times in milliseconds. */
  #startedAt: number[] = []
  #count = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  /** Resolves when it is the turn of `pace`, and never if that leaves before. */
  enter(pace: Pace): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.set(pace, resolve)
      this.#advance()
    })
  }

  /** Ends the turn of `pace`, or its wait. A turn in which a session was started counts for another {@link WINDOW_MS}. */
  leave(pace: Pace, isStart: boolean): void {
    this.#waiting.delete(pace)
    if (this.#current.delete(pace) && isStart) this.#startedAt.push(performance.now())
    this.#advance()
  }

  #advance(): void {
    clearTimeout(this.#timer)
    const now = performance.now()
    this.#startedAt = this.#startedAt.filter((at) => at + WINDOW_MS > now)
    while (this.#waiting.size > 0 && this.#current.size + this.#startedAt.length < MAX_STARTS) {
      const [pace, resolve] = [...this.#waiting].reduce((one, other) => (other[0].turn < one[0].turn ? other : one))
      this.#waiting.delete(pace)
      this.#current.add(pace)
      pace.turn = ++this.#count
      resolve()
    }
    const [first] = this.#startedAt
    if (this.#waiting.size > 0 && first !== undefined)
      this.#timer = setTimeout(() => this.#advance(), first + WINDOW_MS - now)
  }
}

const turns = new Turns()

/** The waits of a holder, in all its terms. A session that is resumed is no start. */
export class Pace extends Backoff {
  /** Number of its last turn to start a session; 0 if it had none. */
  turn = 0
  #isIdentified = false

  /** Whether a session was asked for and is not here yet: what ends now ends without one. */
  get isStarting(): boolean {
    return this.#isIdentified
  }

  override enter(): Promise<void> {
    return turns.enter(this)
  }

  override markIdentified(): void {
    this.#isIdentified = true
    super.markIdentified()
  }

  override markConnected(): void {
    super.markConnected()
    this.#leave()
  }

  /** The end of a term is no reason to start sessions more often. */
  override markEnded(): void {
    super.markEnded(false)
    this.#leave()
  }

  /** Does nothing: Redis keeps the wait. */
  override markFailed(): void {}

  #leave(): void {
    turns.leave(this, this.#isIdentified)
    this.#isIdentified = false
  }
}

/** Maximum interval in which a process reports its number of accounts, in milliseconds. */
const MAX_REPORT_MS = 5_000
/** Time in which a process that lost the service asks for no accounts, in milliseconds. */
const QUIET_MS = 60_000

/** A holder, as its fleet sees it. */
export interface Member {
  /** `waiting` if another process has its account. */
  readonly state: string
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
  /** Whether its last connection reached the service; `undefined` before the first one. */
  #isProven: boolean | undefined
  #quietUntil = -Infinity

  constructor(redis: RedisClient, stream: string, leaseMs: number, options: RedisOptions) {
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

  /** Records whether this process can connect accounts: one that cannot does not ask for more of them, and lets others go first. */
  prove(isProven: boolean): void {
    this.#isProven = isProven
    this.#quietUntil = isProven ? -Infinity : performance.now() + QUIET_MS
  }

  /** Time that its holders give others when an account becomes free, in milliseconds. */
  get deferMs(): number {
    return this.#isProven === false ? this.yieldMs : 0
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

  /** Asks for the number of accounts that makes the shares equal. */
  async #balance(): Promise<void> {
    const counts = await this.#report()
    const now = performance.now()
    if (now < this.#quietUntil) return
    // Not before it is known whether this process can connect the account that it has.
    if (!this.#isProven && this.held.size > 0) return
    const waiting = new Map<string, Member[]>()
    for (const member of this.#members) {
      const { state, rival } = member
      if (state === 'waiting' && counts.has(rival)) waiting.set(rival, [...(waiting.get(rival) ?? []), member])
    }
    for (let own = this.held.size; ; own++) {
      const [rival, count] =
        [...counts].filter(([id]) => waiting.get(id)?.length).sort((one, other) => other[1] - one[1])[0] ?? []
      if (rival === undefined || count === undefined || count <= own + 1) return
      waiting.get(rival)?.pop()?.request(`wanted ${own} ${this.id}`)
      counts.set(rival, count - 1)
      if (this.#isProven) continue
      // A request may be lost, or come while the session of the account is being started.
      this.#quietUntil = now + 3 * this.yieldMs
      return
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

const fleets = new WeakMap<RedisClient, Map<string, Fleet>>()

/** Returns the fleet of this process for the accounts of a stream. */
export function fleetOf(redis: RedisClient, stream: string, leaseMs: number, options: RedisOptions): Fleet {
  const byStream = fleets.get(redis) ?? new Map<string, Fleet>()
  fleets.set(redis, byStream)
  const fleet = byStream.get(stream) ?? new Fleet(redis, stream, leaseMs, options)
  byStream.set(stream, fleet)
  return fleet
}
