// Bounds how many gateway sessions a process starts at once.
import { Backoff } from '../gateway/backoff'

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

const turns = /*@__PURE__*/ new Turns()

/** The waits of a holder, in all its terms. A session that is resumed is no start. */
export class Pace extends Backoff {
  /** Number of its last turn to start a session; 0 if it had none. */
  turn = 0
  /** Whether the next connection continues the session of another holder. */
  isResuming: () => boolean = () => false
  #isIdentified = false

  override async enter(): Promise<void> {
    if (!this.isResuming()) await turns.enter(this)
  }

  override beforeIdentify(): number {
    return this.isResuming() ? 0 : super.beforeIdentify()
  }

  override markIdentified(): void {
    if (this.isResuming()) return
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
