import { type AbortScope, MAX_TIMER_MS, onAbort, setSafeTimeout } from '../abort'
import type { RateLimit, RateLimitFollower } from '../types/options'

/** Wait that every call accepts, since timers fire slightly early and leave a rest. */
const TIMER_SLACK_MS = 5
/** Maximum number of idle keys whose limits are kept, and the number from which ended ones are removed. */
const MAX_KEPT = 10_000
const MIN_KEPT = 64
/** Maximum length of a window that is guessed; calls do not wait for the end of a longer one. */
const MAX_WINDOW_MS = 10_000
const NO_TIMER = () => {}
/** Growth of the number of calls per window, to find a higher limit. */
const GROWTH = 1.02
/** Number of successes of other paths that show that a limit is not one of their template. */
const MAX_PROOFS = 2

/** A call that waits, or whose request is in flight. */
export interface Place {
  /** Secret: contains the token. */
  readonly account: string
  /** What a limit applies to: by default account, method and concrete path. */
  readonly key: string
  /** Keys that may have one limit: by default account, method and path template. */
  readonly group: string
  readonly maxConcurrency: number
  readonly scope: AbortScope
  /** Returns the error of a call that cannot wait. */
  createError(ms: number, isGlobal: boolean): Error
  /** Time that the call may still wait, in milliseconds. */
  leftMs: number
  /** Position among the calls of its key, from its first wait on. */
  order?: number
  queuedAt?: number | undefined
  /** Ends the wait: the call has its place, or an error. */
  go?: (hasPlace: boolean, reason?: unknown) => void
  isPaced?: boolean
  /** Time at which its request may have opened a window; 0 if it may not. */
  probedAt?: number
}

/** State of a key: the calls of one account to one path. */
class Lane {
  /** Time before which no call is sent. */
  until = 0
  /** Whether a call was refused, or has waited for a limit. */
  isLimited = false
  /** Number of calls that a header permits until `windowEnd`. */
  credit = Infinity
  windowEnd = 0
  /** Number of requests in flight. */
  active = 0
  readonly queue: Place[] = []

  constructor(
    readonly key: string,
    readonly group: Group,
  ) {}

  get isIdle(): boolean {
    return this.active === 0 && this.queue.length === 0
  }

  /** Time at which everything known about it has ended. */
  get end(): number {
    return Math.max(this.until, this.windowEnd, this.isLimited ? this.group.nextAt : 0)
  }

  /** Whether the pace of the group applies to the next call. Headers know better. */
  get isPaced(): boolean {
    const { group } = this
    return group.isCautious && this.credit === Infinity && (this.isLimited || group.proofs < MAX_PROOFS)
  }

  /** Whether a call may leave now, if the key is not blocked. */
  mayLeave(maxConcurrency: number, now: number): boolean {
    const { active, credit, group } = this
    if (active >= maxConcurrency || (active > 0 && credit < 1)) return false
    // The first answers of a window show whether more may follow.
    if (!this.isPaced || (this.isLimited && group.left > 0 && group.active < group.good)) return true
    return group.active === 0 && (!this.isLimited || now >= group.nextAt)
  }
}

/** What the answers to the keys of one template teach: in a window as many calls pass as in the one before. */
class Group {
  /** Number of lanes. */
  size = 0
  /** Lanes with waiting calls. */
  readonly waiting: Set<Lane> = new Set()
  /** Whether a call was refused. */
  isCautious = false
  /** Number of paced requests in flight. */
  active = 0
  /** Successes of other paths since the last refusal. */
  proofs = 0
  /** Start of the window, by the request that opened it. */
  since: number
  /** Successes in this window. */
  good = 0
  /** Whether no call of this window was refused. */
  isClean = false
  /** Number of calls of a window, and its length; 0 if unknown. */
  quota = 0
  span = 0
  /** Number of calls that may still leave in this window. */
  left = 0
  /** Time at which the next window may begin. */
  nextAt = 0
  cancel = NO_TIMER

  constructor(
    readonly name: string,
    now: number,
  ) {
    this.since = now
  }

  /** Ends the window: a call was refused until then. */
  close(now: number, until: number): void {
    this.isCautious = true
    this.isClean = false
    this.proofs = this.left = 0
    this.span = this.good > 0 ? until - this.since : 0
    this.nextAt = until - now > MAX_WINDOW_MS ? 0 : until
  }

  /** Begins a window: its first call succeeded. Without refusals it grows, slowly if its length is known. */
  open(since: number): void {
    if (!this.isClean) this.quota = this.good || this.quota
    else this.quota = this.span > 0 ? this.quota * GROWTH : this.good + 1
    this.since = since
    this.good = 0
    this.isClean = true
    this.left = Math.floor(this.quota) - 1
    const isKnown = this.span > 0 && this.span <= MAX_WINDOW_MS
    this.nextAt = isKnown ? since + this.span + TIMER_SLACK_MS : 0
  }
}

/**
 * Limits that the service has shown, and the calls that wait for them, in order. Shared by the clients of one parent. A key
 * without a limit is forgotten with its last call.
 */
export class RateLimiter {
  /** Limits of other processes. */
  follower: RateLimitFollower | undefined
  /** Number of clients that share it, so far. */
  clients = 0
  readonly #lanes = new Map<string, Lane>()
  readonly #groups = new Map<string, Group>()
  #maxKept = MIN_KEPT
  #lastOrder = 0
  /** End of the last wait. The clock may lag behind: timers fire early, and fake timers may not fake `performance`. */
  #waitedUntil = 0

  /**
   * Takes the place of a call whose request may be sent now, and returns `undefined`; else waits for it. `leave` gives it
   * back.
   * @throws the error of the call if the wait is too long.
   */
  enter(place: Place): Promise<void> | undefined {
    const now = this.#now()
    const until = this.#until(place)
    const error = this.#error(place, until, now)
    if (error) throw error
    const lane = this.#lane(place.key, place)
    const { queue, group } = lane
    if (until > now) lane.isLimited = group.isCautious = true
    else if (queue.length === 0 && lane.mayLeave(place.maxConcurrency, now)) return this.#take(lane, place)
    return new Promise((resolve, reject) => {
      const { signal } = place.scope
      const stop = onAbort(signal, () => this.#remove(lane, place, signal.reason))
      place.go = (hasPlace, reason) => {
        stop()
        place.queuedAt = undefined
        if (hasPlace) resolve()
        else reject(reason)
      }
      place.queuedAt = now
      const { order } = place
      // A refused call keeps its place before those that came later.
      const index = order === undefined ? -1 : queue.findIndex((other) => Number(other.order) > order)
      place.order ??= ++this.#lastOrder
      queue.splice(index < 0 ? queue.length : index, 0, place)
      group.waiting.add(lane)
      this.#pump(group)
    })
  }

  /** Gives back the place of a call that received a response with this status, or none. */
  leave(place: Place, status = 0): void {
    const lane = this.#lane(place.key, place)
    const { group } = lane
    lane.active--
    if (place.isPaced) group.active--
    if (status > 0 && status < 500 && status !== 429) {
      if (place.probedAt) group.open(place.probedAt)
      else if (place.isPaced && !lane.isLimited) group.proofs++
      group.good++
    }
    if (group.waiting.size > 0) this.#pump(group)
    this.#release(lane)
  }

  /** Blocks the key of a call, or with `isGlobal` its account, for `ms` milliseconds. Never shortens a limit. */
  block(place: Place, ms: number, isGlobal: boolean): void {
    const { account, key } = place
    const now = this.#now()
    const lane = this.#lane(key, place)
    const blocked = isGlobal ? this.#lane(account, place, account) : lane
    blocked.until = Math.max(blocked.until, now + ms)
    lane.credit = Infinity
    lane.group.close(now, now + ms)
    this.#hold(lane)
    if (isGlobal) {
      // With `rateLimitKey` a lane may have the calls of several accounts.
      for (const other of this.#lanes.values())
        if (other.queue.some((call) => call.account === account)) this.#hold(other)
    }
    this.#release(blocked)
  }

  /** Learns from the headers of a response that was not refused. */
  learn({ key }: Place, { remaining, resetAfterMs }: RateLimit): void {
    const lane = this.#lanes.get(key)
    const isKnown = remaining !== undefined && resetAfterMs !== undefined
    if (!lane || (!isKnown && lane.credit === Infinity)) return
    const now = this.#now()
    const isNew = lane.windowEnd <= now
    if (isNew) lane.credit = Infinity
    if (!isKnown) return
    // The other requests in flight may not be counted yet.
    lane.credit = Math.min(lane.credit, remaining - lane.active + 1)
    lane.windowEnd = now + resetAfterMs
    if (remaining > 0) return
    lane.until = Math.max(lane.until, lane.windowEnd)
    this.#hold(lane)
  }

  #take(lane: Lane, place: Place): undefined {
    const { group, isPaced } = lane
    lane.active++
    lane.credit--
    place.isPaced = isPaced
    place.probedAt = 0
    if (!isPaced) return
    group.active++
    if (lane.isLimited && group.left-- < 1) place.probedAt = this.#now()
  }

  /** Lets the calls of a group leave that may, one of each lane in turn, and returns when the next wait ends. */
  #pump(group: Group): void {
    group.cancel()
    const now = this.#now()
    let wakeAt = Infinity
    for (const lane of group.waiting) {
      const { queue } = lane
      const [place] = queue
      const until = place ? this.#until(place) : 0
      if (!place || until > now || !lane.mayLeave(place.maxConcurrency, now)) {
        const next = until > now ? until : group.nextAt
        if (next > now) wakeAt = Math.min(wakeAt, next)
        continue
      }
      const error = lane.isLimited ? this.#error(place, until, now) : undefined
      if (lane.isLimited) place.leftMs -= now - Number(place.queuedAt)
      queue.shift()
      group.waiting.delete(lane)
      // Now the last one, which this loop visits again.
      if (queue.length > 0) group.waiting.add(lane)
      if (error) this.#release(lane)
      else this.#take(lane, place)
      place.go?.(!error, error)
    }
    group.cancel = setSafeTimeout(wakeAt - now, () => {
      this.#waitedUntil = Math.max(this.#waitedUntil, Math.min(wakeAt, now + MAX_TIMER_MS))
      this.#pump(group)
    })
  }

  /** Makes a lane cautious, and rejects the calls that cannot wait until it opens. */
  #hold(lane: Lane): void {
    const now = this.#now()
    lane.isLimited = lane.group.isCautious = true
    for (const place of [...lane.queue]) {
      const error = this.#error(place, this.#until(place), now)
      if (error) this.#remove(lane, place, error)
    }
  }

  #remove(lane: Lane, place: Place, reason: unknown): void {
    const { group, queue } = lane
    const index = queue.indexOf(place)
    if (index < 0) return
    queue.splice(index, 1)
    if (queue.length === 0) group.waiting.delete(lane)
    place.go?.(false, reason)
    this.#pump(group)
    this.#release(lane)
  }

  /** Returns the error of a call that may not wait until then, or that has waited too long. */
  #error(place: Place, until: number, now: number): Error | undefined {
    const { account, queuedAt = now, leftMs, scope } = place
    const ms = Math.max(0, until - now)
    const rest = leftMs - now + queuedAt + TIMER_SLACK_MS
    const isTooLong =
      ms > Math.max(rest, TIMER_SLACK_MS) || (leftMs > 0 && rest < 0) || (ms > 0 && ms > scope.remainingMs)
    return isTooLong ? place.createError(ms, Number(this.#lanes.get(account)?.until) > now) : undefined
  }

  /** Returns the end of the limit of a key or its account. */
  #until({ key, account }: Place): number {
    return Math.max(this.#lanes.get(key)?.until ?? 0, this.#lanes.get(account)?.until ?? 0)
  }

  #lane(key: string, place: Place, name = place.group): Lane {
    let lane = this.#lanes.get(key)
    if (lane) return lane
    const group = this.#groups.get(name) ?? new Group(name, this.#now())
    this.#groups.set(name, group)
    group.size++
    lane = new Lane(key, group)
    this.#lanes.set(key, lane)
    return lane
  }

  /** Forgets an idle lane when its limit has ended. */
  #release(lane: Lane): void {
    const now = lane.end && this.#now()
    if (lane.isIdle && lane.end <= now) this.#forget(lane)
    if (now === 0 || this.#lanes.size <= this.#maxKept) return
    let first = lane
    for (const other of this.#lanes.values()) {
      if (!other.isIdle) continue
      if (other.end <= now) this.#forget(other)
      else if (other.end < first.end) first = other
    }
    if (this.#lanes.size > MAX_KEPT && first.isIdle) this.#forget(first)
    this.#maxKept = Math.min(MAX_KEPT, Math.max(MIN_KEPT, this.#lanes.size * 2))
  }

  #forget({ key, group }: Lane): void {
    this.#lanes.delete(key)
    if (--group.size === 0) this.#groups.delete(group.name)
  }

  #now(): number {
    return Math.max(performance.now(), this.#waitedUntil)
  }
}
