import type { Method } from '../contract/endpoint'
import type { StandardSchema } from '../standard-schema'

export type { StandardResult, StandardSchema } from '../standard-schema'

/** What a query parameter may be; a list repeats the parameter. */
export type QueryValue = string | number | boolean | null | undefined

/** A call that the document leaves out, sent through the same pipeline. */
export interface CustomRequest<T = unknown> {
  /**
   * HTTP method.
   * @default 'GET'
   */
  readonly method?: Method | undefined
  /** Path below `baseUrl`, with `{parameters}` in braces. */
  readonly path: string
  /** Values of the path's parameters. Those named `….id` are snowflakes. */
  readonly pathParams?: Readonly<Record<string, string>> | undefined
  /** Query parameters; `undefined` leaves one out. */
  readonly query?: Readonly<Record<string, QueryValue | readonly QueryValue[]>> | undefined
  /** A value for JSON, or a form, blob, buffer or stream that is sent as it is. A stream can be sent once alone. */
  readonly body?: unknown | undefined
  /**
   * Whether to send the token.
   * @default 'token'
   */
  readonly auth?: 'token' | 'none' | undefined
  /** Any Standard Schema for the response; a mismatch is dealt with as `onResponseMismatch` says. */
  readonly schema?: StandardSchema<T> | undefined
}
