// Faults in the order in which they apply, of requests and of the gateway.
/** A queued fault as plain data. JSON has no Infinity, so `left` is `null` for a fault without a limit. */
export interface Pending {
  readonly id: number
  readonly left: number | null
  /** Number of subjects that it still lets pass. */
  readonly after: number
}

/** Which of the subjects that match a fault it applies to. */
export interface Turns {
  /** Number of times that it applies. Default: `Infinity`. */
  readonly times?: number | undefined
  /** Number of subjects that it lets pass first. Default: 0. */
  readonly after?: number | undefined
}

interface QueueEntry<Effect, Subject> {
  readonly id: number
  readonly effect: Effect
  readonly matches: (subject: Subject) => boolean
  readonly onTaken: (subject: Subject) => void
  left: number
  after: number
}

/** Faults in the order in which they were added, each with the number of times it still applies. */
export class FaultQueue<Effect extends object, Subject> {
  #entries: QueueEntry<Effect, Subject>[] = []
  #lastId = 0

  /** @param isChosen whether a fault applies whose turn it is. Default: always. */
  constructor(
    private readonly matcherOf: (effect: Effect) => (subject: Subject) => boolean,
    private readonly isChosen: (effect: Effect) => boolean = () => true,
  ) {}

  add(
    effect: Effect,
    { times = Number.POSITIVE_INFINITY, after = 0 }: Turns = {},
    onTaken: (subject: Subject) => void = () => {},
  ): Effect & Pending {
    const matches = this.matcherOf(effect)
    this.#lastId += 1
    const entry = { id: this.#lastId, effect, matches, onTaken, left: times, after }
    this.#entries.push(entry)
    return toPending(entry)
  }

  /** Removes a fault and returns it; `undefined` if there is none with this ID. */
  remove(id: number): (Effect & Pending) | undefined {
    const entry = this.#entries.find((one) => one.id === id)
    this.#entries = this.#entries.filter((one) => one !== entry)
    return entry && toPending(entry)
  }

  /** Returns the first fault that matches and whose turn it is, and uses one of its times. */
  take(subject: Subject): (Effect & Pending) | undefined {
    const entry = this.#entries.find((one) => {
      if (one.left === 0 || !one.matches(subject)) return false
      if (one.after === 0) return this.isChosen(one.effect)
      one.after -= 1
      return false
    })
    if (entry === undefined) return undefined
    entry.left -= 1
    entry.onTaken(subject)
    return toPending(entry)
  }

  save(): (Effect & Pending)[] {
    return this.#entries.map(toPending)
  }

  /** Replaces all faults with saved ones. */
  load(saved: readonly (Effect & Pending)[]): void {
    this.#entries = saved.map((effect) => ({
      id: effect.id,
      effect,
      matches: this.matcherOf(effect),
      onTaken: () => {},
      left: effect.left ?? Number.POSITIVE_INFINITY,
      after: effect.after,
    }))
    // The snapshot may come from another service: keep its IDs distinct from those of faults added later.
    this.#lastId = Math.max(this.#lastId, ...this.#entries.map(({ id }) => id))
  }

  clear(): void {
    this.#entries = []
  }
}

function toPending<Effect extends object>({ id, effect, left, after }: Omit<QueueEntry<Effect, never>, 'matches'>) {
  return { ...effect, id, left: Number.isFinite(left) ? left : null, after }
}
