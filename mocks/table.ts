// The tables of which the mock's database consists: maps with secondary indexes, and the schemas of their records.
import {
  type Fields,
  number as finite,
  integer,
  OpenObjectSchema,
  oneOf,
  refine,
  type Schema,
  strictObject,
  type ValueOfSchema,
} from '../src/contract/schema'
import { MAX_TIMESTAMP } from './clock'

/** Schema of a number in a range. */
export function within(schema: Schema<number>, min: number, max: number): Schema<number> {
  const message = `must be from ${min} to ${max}`
  return refine(
    schema,
    function* (value) {
      if (value < min || value > max) yield { code: 'invalid_value', message }
    },
    { minimum: min, maximum: max },
  )
}

/** Number of times, or a sequence number. */
export const counter = within(integer, 0, Number.MAX_SAFE_INTEGER)
/** A point in time that the clock can have. */
export const timestamp = within(finite, 0, MAX_TIMESTAMP)

type ValuesOf<F extends Fields> = { -readonly [K in keyof F]: ValueOfSchema<F[K]> }

/** Returns the schema of a record: of the fields that never change or only by `Table.update`, and of the others. */
export function record<F extends Fields, C extends Fields>(fixed: F, changing: C) {
  // The compiler does not compare the fields of a generic type.
  return strictObject<Readonly<ValuesOf<F>> & ValuesOf<C>>()({ ...fixed, ...changing } as never)
}

export interface TableDefinition<T, Index extends string> {
  readonly schema: Schema<T>
  readonly indexes: Indexes<T, Index>
}

export function table<T, Index extends string = never>(
  schema: Schema<T>,
  indexes: Indexes<T, Index> = {},
): TableDefinition<T, Index> {
  return { schema, indexes }
}

/** Returns the index values of a record; `null` for none. */
type IndexedValues<T> = (record: T) => readonly (string | null)[]

type Indexes<T, Index extends string> = { readonly [I in Index]?: IndexedValues<T> }

/**
 * A `Map` of records by key with secondary indexes. Indexes are derived data: `set`, `update` and `delete` maintain
 * them, snapshots omit them, and a restored database rebuilds them.
 */
export class Table<T extends object | string, Index extends string> extends Map<string, T> {
  readonly #indexes: Indexes<T, Index>
  /** Keys of the records, by `<index> <value>`, in the order of their insertion. */
  readonly #keys = new Map<string, Set<string>>()

  constructor(indexes: Indexes<T, Index>, records: Iterable<readonly [string, T]> = []) {
    // `super(records)` would call `set` before the fields are initialized.
    super()
    this.#indexes = indexes
    for (const [key, record] of records) this.set(key, record)
  }

  override set(key: string, record: T): this {
    this.#reindex(key, this.#indexKeysOf(this.get(key)), this.#indexKeysOf(record))
    return super.set(key, record)
  }

  /** Changes a record in place. Indexed values must only be changed here. */
  update(key: string, changes: Partial<T>): void {
    const record = this.get(key)
    if (record === undefined) return
    const before = this.#indexKeysOf(record)
    Object.assign(record, changes)
    this.#reindex(key, before, this.#indexKeysOf(record))
  }

  override delete(key: string): boolean {
    this.#reindex(key, this.#indexKeysOf(this.get(key)), [])
    return super.delete(key)
  }

  override clear(): void {
    this.#keys.clear()
    super.clear()
  }

  /** Returns the oldest record with an index value. */
  find(index: Index, value: string): T | undefined {
    for (const key of this.#keys.get(`${index} ${value}`) ?? []) return this.get(key)
    return undefined
  }

  /** Returns all records with an index value, oldest first. */
  where(index: Index, value: string): T[] {
    return this.entriesWhere(index, value).map(([, record]) => record)
  }

  /** Deletes the records with an index value that match. */
  deleteWhere(index: Index, value: string, matches: (record: T) => boolean = () => true): void {
    for (const [key, record] of this.entriesWhere(index, value)) if (matches(record)) this.delete(key)
  }

  /** Returns all keys and records with an index value, oldest first. */
  entriesWhere(index: Index, value: string): (readonly [string, T])[] {
    return [...(this.#keys.get(`${index} ${value}`) ?? [])].flatMap((key) => {
      const record = this.get(key)
      return record === undefined ? [] : [[key, record] as const]
    })
  }

  #indexKeysOf(record: T | undefined): string[] {
    if (record === undefined) return []
    const indexKeys: string[] = []
    for (const [index, valuesOf] of Object.entries<IndexedValues<T> | undefined>(this.#indexes)) {
      for (const value of valuesOf?.(record) ?? []) if (value !== null) indexKeys.push(`${index} ${value}`)
    }
    return indexKeys
  }

  #reindex(key: string, from: readonly string[], to: readonly string[]): void {
    for (const indexKey of from) {
      if (to.includes(indexKey)) continue
      const keys = this.#keys.get(indexKey)
      keys?.delete(key)
      if (keys?.size === 0) this.#keys.delete(indexKey)
    }
    for (const indexKey of to) {
      const keys = this.#keys.get(indexKey)
      if (keys === undefined) this.#keys.set(indexKey, new Set([key]))
      else keys.add(key)
    }
  }
}

export function literal<const V extends string | number | boolean>(...values: readonly V[]): Schema<V> {
  // The type of `oneOf` has no booleans, which the service does not use; the check compares any values.
  return oneOf(Object.fromEntries(values.map((value) => [value, value as string]))) as Schema<V>
}

/** Schema of an object that the contract or the service validates itself. */
export const openObject = <T>() => OpenObjectSchema as unknown as Schema<T>
