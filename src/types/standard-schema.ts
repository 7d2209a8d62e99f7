/**
 * The part of Standard Schema that is used here: what zod, valibot, arktype and others call `~standard`.
 * See https://standardschema.dev.
 */
export interface StandardSchema<Output = unknown> {
  /** The properties of the standard. */
  readonly '~standard': {
    /** Version of the standard. */
    readonly version: 1
    /** Name of the library. */
    readonly vendor: string
    /** Checks a value. */
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>
    /** The types of the schema, at compile time alone. */
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined
  }
}

/** What a Standard Schema answers. */
export type StandardResult<Output> =
  | {
      /** The value, as the schema leaves it. */
      readonly value: Output
      /** Absent where the value fits. */
      readonly issues?: undefined
    }
  | {
      /** What is wrong with the value. */
      readonly issues: readonly {
        /** For people. */
        readonly message: string
        /** Where. */
        readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
      }[]
    }
