/**
 * The part of Standard Schema that this package uses; zod, valibot, arktype and others implement it as `~standard`.
 * See https://standardschema.dev.
 */
export interface StandardSchema<Output = unknown> {
  /** The properties of the standard. */
  readonly '~standard': {
    /** Version of the standard. */
    readonly version: 1
    /** Name of the library. */
    readonly vendor: string
    /** Validates a value. */
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>
    /** Types of the schema, only at compile time. */
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined
  }
}

/** Result of a Standard Schema. */
export type StandardResult<Output> =
  | {
      /** Validated value, transformed by the schema. */
      readonly value: Output
      /** Absent if the value is valid. */
      readonly issues?: undefined
    }
  | {
      /** Problems of the value. */
      readonly issues: readonly {
        /** Human-readable problem. */
        readonly message: string
        /** Path of the problem, from the root of the value. */
        readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
      }[]
    }
