import type { TypeErrorMessage } from './refused'

type Counts<Most extends number, Seen extends 0[] = []> = Seen['length'] extends Most
  ? Most
  : Seen['length'] | Counts<Most, [...Seen, 0]>

/** Why a list cannot be of its length; that of a `T[]` is not known, and is checked as it runs. */
export type SizeFault<
  List extends readonly unknown[],
  Most extends number,
  Least extends readonly unknown[] = [],
> = number extends List['length']
  ? never
  : List extends readonly [...Least, ...unknown[]]
    ? List['length'] extends Counts<Most>
      ? never
      : `at most ${Most}`
    : `at least ${Least['length']}`

/** Items one by one, of which there must be as many as `Least` has at least and `Most` at most. */
export type Sized<List extends readonly unknown[], Most extends number, Least extends readonly unknown[] = []> = [
  SizeFault<List, Most, Least>,
] extends [never]
  ? List
  : readonly [TypeErrorMessage<SizeFault<List, Most, Least>>, ...TypeErrorMessage<SizeFault<List, Most, Least>>[]]

/** The same as an array, which is refused as a whole: of several errors the compiler leaves out those that matter. */
export type ArraySized<List extends readonly unknown[], Most extends number, Least extends readonly unknown[] = []> = [
  SizeFault<List, Most, Least>,
] extends [never]
  ? List
  : TypeErrorMessage<SizeFault<List, Most, Least>>
