import type { Issue } from '../../contract/issue'
import type { StandardResult, StandardSchema } from '../../standard-schema'

/** How strictly to check. */
export interface ValidateOptions {
  /**
   * What a character is: a Unicode code point, or a UTF-16 unit as `String.length` counts. The document does not say.
   * @default 'codePoints'
   */
  readonly length?: 'codePoints' | 'utf16'
  /**
   * Whether to look for what is allowed and yet unwise.
   * @default true
   */
  readonly warnings?: boolean
}

/** How strictly to check a component, and for where. */
export interface ValidateComponentOptions extends ValidateOptions {
  /**
   * Where the component is to stand. Left out, the component tells, and one that is usable in both may be for either.
   */
  readonly context?: 'message' | 'modal'
}

/** What a check found. */
export type Validation<T> =
  | {
      /** The value fits. */
      readonly ok: true
      /** What was given, typed. */
      readonly value: T
      /** What is allowed and yet unwise. */
      readonly warnings: readonly Issue[]
    }
  | {
      /** The value does not fit. */
      readonly ok: false
      /** All that is wrong, in one pass, and the warnings. */
      readonly issues: readonly Issue[]
    }

/** A check, which is a Standard Schema as well: form and RPC libraries take it as it is. See https://standardschema.dev. */
export interface Validator<T, Options = ValidateOptions> extends StandardSchema<T> {
  /** The properties of the standard; the answer is never a promise, and has errors alone. */
  readonly '~standard': StandardSchema<T>['~standard'] & {
    /** Checks a value at once. It never throws. */
    readonly validate: (value: unknown) => StandardResult<T>
  }
  /** Checks a value of any kind. It never throws and never changes the value. */
  (value: unknown, options?: Options): Validation<T>
}
