type Counts<Most extends number, Seen extends 0[] = []> = Seen['length'] extends Most
  ? Most
  : Seen['length'] | Counts<Most, [...Seen, 0]>

/**
 * A list whose length is known must have that of `Least` at least and `Most` at most; that of a `T[]` is checked as it
 * runs.
 */
export type Sized<
  List extends readonly unknown[],
  Most extends number,
  Least extends readonly unknown[] = [],
> = number extends List['length']
  ? List
  : List extends readonly [...Least, ...unknown[]]
    ? List['length'] extends Counts<Most>
      ? List
      : never
    : never
