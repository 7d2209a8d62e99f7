import type { Method } from '../contract/endpoint'

/** What a query parameter may be; a list repeats the parameter. */
export type QueryValue = string | number | boolean | null | undefined

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

/** A call that the document leaves out, sent through the same pipeline. */
export interface CustomRequest<T = unknown> {
  /**
   * HTTP method.
   * @default 'GET'
   */
  readonly method?: Method
  /** Path below `baseUrl`, with `{parameters}` in braces. */
  readonly path: string
  /** Values of the path's parameters. Those named `….id` are snowflakes. */
  readonly pathParams?: Readonly<Record<string, string>>
  /** Query parameters; `undefined` leaves one out. */
  readonly query?: Readonly<Record<string, QueryValue | readonly QueryValue[]>>
  /** A value for JSON, or a form, blob, buffer or stream that is sent as it is. A stream can be sent once alone. */
  readonly body?: unknown
  /**
   * Whether to send the token.
   * @default 'token'
   */
  readonly auth?: 'token' | 'none'
  /** Any Standard Schema for the response; a mismatch is dealt with as `onResponseMismatch` says. */
  readonly schema?: StandardSchema<T>
}
