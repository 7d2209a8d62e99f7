/** The values that an index finds a record by; `null` is none. */
type IndexedValues<T> = (record: T) => readonly (string | null)[]

/**
 * Records by their key, as in a `Map`, with indexes on other values. Indexes are derived data: they follow `set`,
 * `update` and `delete`, no snapshot holds them, and a restored database builds them again.
 */
export class Table<T extends object, Index extends string> extends Map<string, T> {
  readonly #indexes: Readonly<Record<Index, IndexedValues<T>>>
  /** Keys of the records, by `<index> <value>`, in the order of their insertion. */
  readonly #keys = new Map<string, Set<string>>()

  constructor(indexes: Readonly<Record<Index, IndexedValues<T>>>, records: Iterable<readonly [string, T]> = []) {
    // Not by way of `super`, which would call `set` before there are fields.
    super()
    this.#indexes = indexes
    for (const [key, record] of records) this.set(key, record)
  }

  override set(key: string, record: T): this {
    this.#move(key, this.#placesOf(this.get(key)), this.#placesOf(record))
    return super.set(key, record)
  }

  /** Changes a record in place. A value that an index reads changes only here. */
  update(key: string, changes: Partial<T>): void {
    const record = this.get(key)
    if (record === undefined) return
    const before = this.#placesOf(record)
    Object.assign(record, changes)
    this.#move(key, before, this.#placesOf(record))
  }

  override delete(key: string): boolean {
    this.#move(key, this.#placesOf(this.get(key)), [])
    return super.delete(key)
  }

  override clear(): void {
    this.#keys.clear()
    super.clear()
  }

  /** Returns the oldest record with a value. */
  find(index: Index, value: string): T | undefined {
    for (const key of this.#keys.get(`${index} ${value}`) ?? []) return this.get(key)
    return undefined
  }

  /** Returns all records with a value, the oldest first. */
  where(index: Index, value: string): T[] {
    return [...this.#entries(index, value)].map(([, record]) => record)
  }

  /** Deletes the records with a value, or those of them that match. */
  deleteWhere(index: Index, value: string, matches: (record: T) => boolean = () => true): void {
    for (const [key, record] of [...this.#entries(index, value)]) if (matches(record)) this.delete(key)
  }

  *#entries(index: Index, value: string): Generator<readonly [string, T]> {
    for (const key of this.#keys.get(`${index} ${value}`) ?? []) {
      const record = this.get(key)
      if (record !== undefined) yield [key, record]
    }
  }

  #placesOf(record: T | undefined): string[] {
    if (record === undefined) return []
    const places: string[] = []
    for (const [index, valuesOf] of Object.entries<IndexedValues<T>>(this.#indexes)) {
      for (const value of valuesOf(record)) if (value !== null) places.push(`${index} ${value}`)
    }
    return places
  }

  #move(key: string, from: readonly string[], to: readonly string[]): void {
    for (const place of from) {
      if (to.includes(place)) continue
      const keys = this.#keys.get(place)
      keys?.delete(key)
      if (keys?.size === 0) this.#keys.delete(place)
    }
    for (const place of to) {
      const keys = this.#keys.get(place)
      if (keys === undefined) this.#keys.set(place, new Set([key]))
      else keys.add(key)
    }
  }
}
