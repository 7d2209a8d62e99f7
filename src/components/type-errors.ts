/** Values that are skipped among children, so that `condition && child` can be written. */
export type Nothing = null | undefined | false

/**
 * Child: a value, an array of children, or a value that is skipped. That arrays have no `type` tells the compiler that a
 * literal with one is a component, so that it names the field that is wrong.
 */
export type Child<T> = T | Nothing | (readonly Child<T>[] & { readonly type?: never })

/** Values of options among children, as deep as the factories flatten them: their literals, if the compiler knows them. */
export type ValueIn<Given, Depth extends 0[] = []> = Given extends { readonly value: infer Value extends string }
  ? Value
  : Given extends readonly (infer Item)[]
    ? Depth['length'] extends 9
      ? never
      : ValueIn<Item, [...Depth, 0]>
    : never

/** Values of a select: any string if it has no options yet. */
export type ValueOf<Given extends readonly unknown[]> = Given extends readonly [] ? string : ValueIn<Given>

/** Constraint for inference only, so that the parameter types below report the errors. */
export type AnyChildren<Allowed> = readonly (Child<Allowed> | object)[]

type Selects = 3 | 5 | 6 | 7 | 8
type OtherControls = 4 | 19 | 21 | 22 | 23
type OnlyInModals = 'only allowed in modals'
type OnlyInMessages = 'only allowed in messages'
type NeedsAccessory = 'a section needs withAccessory(…)'

/** Compiler messages for components that are not allowed at the top level of a message, by type. */
export type MessageErrors = Record<Selects, 'put a select in a row'> &
  Record<OtherControls | 18, OnlyInModals> &
  Record<2, 'put a button in a row'> &
  Record<9, NeedsAccessory> &
  Record<11, 'put a thumbnail next to a section, by withAccessory(…)'>

/** Compiler messages for components that are not allowed in a container, by type. */
export type ContainerErrors = MessageErrors & Record<17, 'put a container at the top level of the message'>

/** Compiler messages for components that are not allowed in a message without the components flag, by type. */
export type LegacyErrors = Omit<MessageErrors, 9 | 11> &
  Record<9 | 10 | 11 | 12 | 13 | 14 | 17, 'needs the components flag: use messageV2'>

/** Compiler messages for components that are not allowed at the top level of a modal, by type. */
export type ModalErrors = Record<Selects | OtherControls, 'put a form control in a label'> &
  Record<2 | 9 | 11 | 12 | 13 | 14 | 17, OnlyInMessages>

/** Compiler messages for components that are not allowed in a label, by type. */
export type LabelErrors = Record<1 | 18, 'put the form control itself in the label'> &
  Record<2, 'a button is only allowed in messages: put it in a row'> &
  Record<10, 'put a text next to the label'> &
  Record<9 | 11 | 12 | 13 | 14 | 17, OnlyInMessages>

/** Compiler messages for components that are not allowed in a section, by type. */
export interface SectionErrors {
  2: 'put a button next to the texts, by withAccessory(…)'
  11: 'put a thumbnail next to the texts, by withAccessory(…)'
}

/**
 * Whether a condition on the arguments `Given` is certainly `true`. It is `false` if it depends on a type parameter of
 * the caller: a condition must be `false` for `any`, which the compiler tries in its place.
 */
export type Certainly<Given extends readonly unknown[], Condition> = [...Given, Condition] extends readonly [
  ...unknown[],
  true,
]
  ? true
  : false

/** Whether a type is `never`, as a condition of `Certainly`. */
export type IsNever<T> = [unknown] extends [T] ? false : [T] extends [never] ? true : false

/**
 * Parameter type for one child. For an invalid section with an accessory, for a literal of a section, and for a row, the
 * compiler's own error is specific enough, and an editor completes the literal.
 */
export type CheckedChild<Item, Allowed, Errors> =
  Item extends Child<Allowed>
    ? Item
    : Item extends readonly unknown[]
      ? { readonly [Index in keyof Item]: CheckedChild<Item[Index], Allowed, Errors> }
      : [Item, Errors] extends [{ type: 9; withAccessory?: never } | { accessory: unknown }, { 9: NeedsAccessory }]
        ? Allowed
        : Item extends { readonly type: 1; readonly components: readonly { readonly type: 4 }[] }
          ? TypeErrorMessage<'a text input is only allowed in modals: put it in a label'>
          : Item extends { readonly type: infer Type extends keyof Errors }
            ? TypeErrorMessage<Errors[Type] & string>
            : Allowed

/**
 * Type of arguments that are children: `Min` (as a tuple) to `Max` in total; without limit if it is `never`. The
 * declared type if all are valid, so that the compiler completes literals and reports misspelt fields.
 *
 * The first branch is for inference only: the inferred type must be a branch of each conditional type, none of which
 * distributes; otherwise the compiler widens a literal array to any length.
 */
export type ChildArguments<
  Given extends readonly unknown[],
  Allowed,
  Errors,
  Max extends number = never,
  Min extends readonly unknown[] = [],
> = [Given] extends [never]
  ? Given
  : Certainly<Given, IsWrong<Given, readonly Child<Allowed>[], Max, Min>> extends true
    ? [Given] extends [readonly Child<Allowed>[]]
      ? SizeErrors<Given, readonly Child<Allowed>[], Max, Min>
      : { readonly [Index in keyof Given]: CheckedChild<Given[Index], Allowed, Errors> }
    : readonly Child<Allowed>[]

/** Whether children are too few or too many, or not of the type `Declared`, as a condition of `Certainly`. */
export type IsWrong<
  Given extends readonly unknown[],
  Declared extends readonly unknown[],
  Max extends number,
  Min extends readonly unknown[],
> = Given extends Declared ? ([SizeError<Given, Max, Min>] extends [never] ? false : true) : true

type UpTo<Max extends number, Seen extends 0[] = []> = Seen['length'] extends Max
  ? Max
  : Seen['length'] | UpTo<Max, [...Seen, 0]>

/**
 * Counts children in nested arrays: those that are certainly there, and all that may be there, which is `unknown[]`
 * with an array whose length is unknown.
 */
export type Count<
  List extends readonly unknown[],
  Certain extends 0[] = [],
  Possible extends unknown[] = [],
> = List extends readonly [infer First, ...infer Rest]
  ? [First] extends [Nothing]
    ? [0] extends [1 & First]
      ? Count<Rest, [...Certain, 0], [...Possible, 0]>
      : Count<Rest, Certain, Possible>
    : [First] extends [readonly unknown[]]
      ? Count<[...First, ...Rest], Certain, Possible>
      : [Extract<First, Nothing | readonly unknown[]>] extends [never]
        ? Count<Rest, [...Certain, 0], [...Possible, 0]>
        : Count<Rest, Certain, [Extract<First, readonly unknown[]>] extends [never] ? [...Possible, 0] : unknown[]>
  : { certain: Certain; possible: List extends readonly [] ? Possible : unknown[] }

type SizeErrorOf<
  Counted extends { certain: unknown[]; possible: unknown[] },
  Max extends number,
  Min extends readonly unknown[],
> =
  Counted['certain']['length'] extends UpTo<Max>
    ? number extends Counted['possible']['length']
      ? never
      : Counted['possible'] extends [...Min, ...unknown[]]
        ? never
        : `at least ${Min['length']}`
    : `at most ${Max}`

/**
 * Compiler message for too few or too many children. The length of a `T[]` is unknown and checked at run time. Without
 * arrays and skipped values, the length of the list is enough, which costs the compiler less.
 */
export type SizeError<List extends readonly unknown[], Max extends number, Min extends readonly unknown[] = []> = [
  Max,
] extends [never]
  ? never
  : List['length'] extends UpTo<Max>
    ? [Extract<List[number], Nothing | readonly unknown[]>] extends [never]
      ? List extends readonly [...Min, ...unknown[]]
        ? never
        : `at least ${Min['length']}`
      : SizeErrorOf<Count<List>, Max, Min>
    : SizeErrorOf<Count<List>, Max, Min>

/** Parameter type for too few or too many children. */
type SizeErrors<
  Given extends readonly unknown[],
  Declared extends readonly unknown[],
  Max extends number,
  Min extends readonly unknown[],
> = Given extends readonly []
  ? readonly [...{ [Index in keyof Min]: Declared[number] }, ...Declared]
  : readonly [TypeErrorMessage<SizeError<Given, Max, Min>>, ...TypeErrorMessage<SizeError<Given, Max, Min>>[]]

declare const reason: unique symbol

/** Type that no value satisfies. Used as a parameter type, so that the compiler prints the reason. */
export interface TypeErrorMessage<Reason extends string> {
  /** Reason that the compiler prints; no value has this property. */
  readonly [reason]: Reason
}
