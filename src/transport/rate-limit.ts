import { type AbortScope, MAX_TIMER_MS, setSafeTimeout } from '../abort'
import type { RateLimit, RateLimitFollower } from '../types/options'

/** Wait that every call accepts, since timers fire slightly early and leave a rest. */
const TIMER_SLACK_MS = 5
/** Maximum number of keys, and the number from which those without a limit are removed. */
const MAX_KEPT = 10_000
const MIN_KEPT = 64
/** Maximum length of a window that is guessed; calls do not wait for the end of a longer one. */
const MAX_WINDOW_MS = 10_000
/** Time for which a probe waits for requests that were sent before: they would take what it is to find. */
const PATIENCE_MS = 1000
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
  /** State of its key, while it has its place. */
  lane?: Lane | undefined
  /** Position among the calls of its key, from its first wait on. */
  order?: number
  queuedAt?: number | undefined
  /**
   * Ends the wait: the call has its place, or the error of a rejected promise. The `resolve` of its promise itself: with a
   * closure around it, V8 keeps each call that has waited, and its response, until a major garbage collection.
   */
  go?: (error?: Promise<never>) => void
  /** Removes the listener of its abort. */
  stop?: () => void
  /** Whether it must not be refused again. */
  isLast?: boolean
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
  ) {
    group.size++
  }

  get isIdle(): boolean {
    return this.active === 0 && this.queue.length === 0
  }

  /** Time at which everything known about it has ended; 0 if nothing is known. */
  get end(): number {
    return Math.max(this.until, this.windowEnd, this.isLimited ? Math.max(1, this.group.nextAt) : 0)
  }

  /** Whether the pace of the group applies to the next call. Headers know better. */
  get isPaced(): boolean {
    const { group } = this
    return group.isCautious && this.credit === Infinity && (this.isLimited || group.proofs < MAX_PROOFS)
  }

  /** Time from which a call may leave, if the key is not blocked; `Infinity` before another response. */
  leaveAt({ maxConcurrency, isLast }: Place): number {
    const { active, credit, group } = this
    if (active >= maxConcurrency || (active > 0 && credit < 1)) return Infinity
    // The first answers of a window show whether more may follow.
    if (!this.isPaced || (this.isLimited && !isLast && group.left > 0 && 2 * group.paced < group.good)) return 0
    if (group.paced > 0) return Infinity
    if (!this.isLimited) return 0
    const at = Math.max(group.nextAt, isLast ? group.goodAt + group.longestMs : 0)
    return group.active > 0 ? at + PATIENCE_MS : at
  }
}

/** Learned from the responses to the keys of one template: a window admits as many calls as the previous one. */
class Group {
  /** Number of lanes. */
  size = 0
  /** Lanes with waiting calls. */
  waiting: Set<Lane> | undefined
  /** Whether a call was refused. */
  isCautious = false
  /** Number of requests in flight, and of the paced ones among them. */
  active = 0
  paced = 0
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
  /** Time of the last success, and the longest wait: a service that accepts one call each time has accepted it by then. */
  goodAt = 0
  longestMs = 0
  cancel: (() => void) | undefined

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
    this.longestMs = Math.max(this.longestMs, Math.min(until - now, MAX_WINDOW_MS))
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

/** Limits that the service has shown, and the calls that wait for them, in order. Shared by the clients of one parent. */
export class RateLimiter {
  /** Limits of other processes. */
  follower: RateLimitFollower | undefined
  /** Number of clients that share it, so far. */
  clients = 0
  /** State by key; the keys are secret. */
  readonly lanes = new Map<string, Lane>()
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
    const { key, account, isLast, maxConcurrency } = place
    const lane = this.#lane(key, place.group)
    const { queue, group } = lane
    // Most calls have no limit, and read no clock.
    const isUnlimited = lane.credit === Infinity && !group.isCautious && !this.lanes.has(account)
    if (isUnlimited && !isLast && queue.length === 0 && lane.active < maxConcurrency) return this.#take(lane, place)
    const now = this.#now()
    const until = Math.max(lane.until, this.lanes.get(account)?.until ?? 0)
    const error = until > now && this.#error(place, until, now)
    if (error) throw error
    if (until > now || isLast) lane.isLimited = group.isCautious = true
    if (until <= now && queue.length === 0 && lane.leaveAt(place) <= now) return this.#take(lane, place)
    return new Promise((resolve) => {
      const { scope } = place
      place.go = resolve
      place.stop = scope.onAbort(() => this.#reject(lane, place, scope.signal.reason))
      place.queuedAt = now
      place.order ??= ++this.#lastOrder
      // A refused call keeps its place before those that came later.
      let index = queue.length
      while (Number(queue[index - 1]?.order) > place.order) index--
      queue.splice(index, 0, place)
      group.waiting ??= new Set()
      group.waiting.add(lane)
      this.#pump(group)
    })
  }

  /** Gives back the place of a call, if it has one, that received a response with this status, or none. */
  leave(place: Place, status = 0): void {
    const { lane } = place
    if (!lane) return
    place.lane = undefined
    const { group } = lane
    lane.active--
    group.active--
    if (place.isPaced) group.paced--
    if (status > 0 && status < 500 && status !== 429) {
      if (place.probedAt) group.open(place.probedAt)
      else if (place.isPaced && !lane.isLimited) group.proofs++
      group.good++
      if (group.isCautious) group.goodAt = this.#now()
    }
    this.#pump(group)
  }

  /** Blocks the key of a call, or with `isGlobal` its account, for `ms` milliseconds. Never shortens a limit. */
  block({ lane, account }: Place, ms: number, isGlobal: boolean): void {
    if (!lane) return
    const now = this.#now()
    const blocked = isGlobal ? this.#lane(account, `all ${account}`) : lane
    blocked.until = Math.max(blocked.until, now + ms)
    lane.isLimited = true
    lane.credit = Infinity
    lane.group.close(now, now + ms)
    // With `rateLimitKey` a lane may have the calls of several accounts.
    for (const other of isGlobal ? this.lanes.values() : [lane]) this.#hold(other, now)
  }

  /** Learns from the headers of a response that was not refused. */
  learn({ lane }: Place, { remaining, resetAfterMs }: RateLimit): void {
    const isKnown = remaining !== undefined && resetAfterMs !== undefined
    if (!lane || (!isKnown && lane.credit === Infinity)) return
    const now = this.#now()
    if (lane.windowEnd <= now) lane.credit = Infinity
    if (!isKnown) return
    // The other requests in flight may not be counted yet.
    lane.credit = Math.min(lane.credit, remaining - lane.active + 1)
    lane.windowEnd = now + resetAfterMs
    if (remaining > 0) return
    lane.until = Math.max(lane.until, lane.windowEnd)
    lane.isLimited = lane.group.isCautious = true
    this.#hold(lane, now)
  }

  #take(lane: Lane, place: Place): undefined {
    const { group, isPaced } = lane
    place.lane = lane
    place.isPaced = isPaced
    place.probedAt = 0
    lane.active++
    lane.credit--
    group.active++
    if (!isPaced) return
    group.paced++
    if (lane.isLimited && group.left-- < 1) place.probedAt = this.#now()
  }

  /** Lets the calls of a group leave that may, one of each lane in turn, and waits until others may. */
  #pump(group: Group): void {
    const { waiting } = group
    if (!waiting) return
    group.cancel?.()
    const now = this.#now()
    let wakeAt = Infinity
    for (const lane of waiting) {
      const { queue } = lane
      let blockedUntil = Infinity
      // The limit of an account does not hold up the calls of others behind it.
      const index = queue.findIndex((place) => {
        const until = this.#until(place)
        blockedUntil = Math.min(blockedUntil, until)
        return until <= now
      })
      const place = queue[index]
      const leaveAt = place ? lane.leaveAt(place) : blockedUntil
      if (!place || leaveAt > now) {
        if (!place) lane.isLimited = group.isCautious = true
        wakeAt = Math.min(wakeAt, leaveAt)
        continue
      }
      const error = lane.isLimited ? this.#error(place, now, now) : undefined
      if (lane.isLimited) place.leftMs -= now - Number(place.queuedAt)
      endWait(place, queue, index)
      waiting.delete(lane)
      // Now the last one, which this loop visits again.
      if (queue.length > 0) waiting.add(lane)
      if (!error) this.#take(lane, place)
      place.go?.(error && Promise.reject(error))
    }
    group.cancel = setSafeTimeout(wakeAt - now, () => {
      this.#waitedUntil = Math.max(this.#waitedUntil, Math.min(wakeAt, now + MAX_TIMER_MS))
      this.#pump(group)
    })
  }

  /** Rejects the calls of a lane that cannot wait until it opens. */
  #hold(lane: Lane, now: number): void {
    for (const place of [...lane.queue]) {
      const error = this.#error(place, this.#until(place), now)
      if (error) this.#reject(lane, place, error)
    }
  }

  #reject(lane: Lane, place: Place, reason: unknown): void {
    const { group, queue } = lane
    endWait(place, queue, queue.indexOf(place))
    if (queue.length === 0) group.waiting?.delete(lane)
    place.go?.(Promise.reject(reason))
    this.#pump(group)
  }

  /** Returns the error of a call that may not wait until then, or that has waited too long. */
  #error(place: Place, until: number, now: number): Error | undefined {
    const { account, queuedAt = now, leftMs, scope } = place
    const ms = Math.max(0, until - now)
    const rest = leftMs - now + queuedAt + TIMER_SLACK_MS
    const isTooLong =
      ms > Math.max(rest, TIMER_SLACK_MS) || (leftMs > 0 && rest < 0) || (ms > 0 && ms > scope.remainingMs)
    return isTooLong ? place.createError(ms, Number(this.lanes.get(account)?.until) > now) : undefined
  }

  /** Returns the end of the limit of a key or its account. */
  #until({ key, account }: Place): number {
    return Math.max(this.lanes.get(key)?.until ?? 0, this.lanes.get(account)?.until ?? 0)
  }

  #lane(key: string, name: string): Lane {
    let lane = this.lanes.get(key)
    if (lane && (lane.end === 0 || !lane.isIdle || lane.end > this.#now())) return lane
    if (lane) this.#forget(lane)
    if (this.lanes.size >= this.#maxKept) this.#sweep()
    const group = this.#groups.get(name) ?? new Group(name, this.#now())
    this.#groups.set(name, group)
    lane = new Lane(key, group)
    this.lanes.set(key, lane)
    return lane
  }

  /** Forgets idle lanes whose limit has ended, or if there are too many the one whose limit ends first. */
  #sweep(): void {
    const now = this.#now()
    let first: Lane | undefined
    for (const lane of this.lanes.values()) {
      if (!lane.isIdle) continue
      if (lane.end <= now) this.#forget(lane)
      else if (!first || lane.end < first.end) first = lane
    }
    const { size } = this.lanes
    if (size >= MAX_KEPT && first) this.#forget(first)
    this.#maxKept = Math.min(MAX_KEPT, Math.max(MIN_KEPT, size * 2))
  }

  #forget({ key, group }: Lane): void {
    this.lanes.delete(key)
    if (--group.size === 0) this.#groups.delete(group.name)
  }

  #now(): number {
    return Math.max(performance.now(), this.#waitedUntil)
  }
}

/** Takes a call out of a queue. */
function endWait(place: Place, queue: Place[], index: number): void {
  queue.splice(index, 1)
  place.stop?.()
  place.queuedAt = undefined
}
