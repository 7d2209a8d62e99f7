// Validators of messages, modals and single components.
import { ComponentError } from '../errors/client-errors'
import type { Issue as AnyIssue, IssueCode as AnyIssueCode } from '../internal/issue'
import type { StandardResult, StandardSchema } from '../types/options'
import { MessageFlags } from './constants'
import type { ComponentInput, MessageInput, ModalInput } from './messages'
import { isObject, type PlainObject, unsafeCast } from './plain-object'
import {
  checkComponent,
  checkFields,
  checkLimits,
  fail,
  failWrongType,
  lengthOf,
  MAX_STEPS,
  type ValidationContext,
} from './rules'
import { ANYWHERE, type ComponentSpec, MESSAGE, MODAL, type Places } from './schema'
import { DISABLED_FIELDS, legacyMessageSpec, MESSAGE_LIMITS, messageV2Spec, modalSpec, specOf } from './specs'

// Aliases, not re-exports: the bundled declarations would list re-exported types among the values of `client.components`.
/** Problem with a component, a message or a modal, at its exact path. */
export type Issue = AnyIssue

/** Kinds of problem that an {@link Issue} names. */
export type IssueCode = AnyIssueCode

/** Options of the validators. */
export interface ValidateOptions {
  /**
   * Unit of a character: Unicode code points, or UTF-16 units as `String.length` counts. Not specified in the API
   * document.
   * @default 'codePoints'
   */
  readonly length?: 'codePoints' | 'utf16'
}

/** Options of `validateComponent` and `assertComponent`. */
export interface ValidateComponentOptions extends ValidateOptions {
  /** Place of the component. Default: inferred from it; one that is allowed in both is valid for either. */
  readonly context?: 'message' | 'modal'
}

/** Result of a validation. */
export type Validation<T> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false
      /** All problems, found in one pass. */
      readonly issues: readonly Issue[]
    }

/** Validator that is also a Standard Schema, accepted by form and RPC libraries. See https://standardschema.dev. */
export interface Validator<T, Options = ValidateOptions> extends StandardSchema<T> {
  /** Standard Schema properties. Validation is synchronous. */
  readonly '~standard': StandardSchema<T>['~standard'] & {
    /** Validates a value synchronously. Never throws. */
    readonly validate: (value: unknown) => StandardResult<T>
  }
  /** Validates any value. Never throws and never changes the value. */
  (value: unknown, options?: Options): Validation<T>
}

/** Validates a message. API, "Messages using the v2 component system". */
const checkMessage = (message: PlainObject, context: ValidationContext): void => {
  const { flags } = message
  const isV2 = typeof flags === 'number' && (flags & MessageFlags.IS_COMPONENTS_V2) !== 0
  checkFields(isV2 ? messageV2Spec : legacyMessageSpec, message, context, true)
  // Totals are incomplete if validation stopped early.
  if (!isV2 || context.steps > MAX_STEPS) return
  for (const name of DISABLED_FIELDS) {
    const value = message[name] ?? ''
    // Empty values are allowed.
    if (value !== '' && (!Array.isArray(value) || value.length > 0))
      fail(context, 'conflict', 'not allowed with the flag IS_COMPONENTS_V2', [name])
  }
  const path = ['components']
  checkLimits(context, context.count, MESSAGE_LIMITS.components, 'components in total', path)
  const length = lengthOf(context.text, MESSAGE_LIMITS.text, context)
  checkLimits(context, length, MESSAGE_LIMITS.text, 'characters of text in total', path)
}

/** Creates a validator that is also a Standard Schema. `check` sets `context.places` unless the root is a message. */
const createValidator = <T, Options extends ValidateComponentOptions>(
  noun: string,
  check: (value: PlainObject, context: ValidationContext, place: ValidateComponentOptions['context']) => void,
): Validator<T, Options> => {
  const validate = (value: unknown, { length, context: place }: ValidateComponentOptions = {}): Validation<T> => {
    const context: ValidationContext = {
      places: MESSAGE,
      isUtf16: length === 'utf16',
      path: [],
      depth: 0,
      issues: [],
      ids: new Set(),
      text: '',
      count: 0,
      steps: 0,
    }
    const { issues } = context
    try {
      if (!isObject(value)) failWrongType(context, noun, value)
      else {
        const spec = noun === 'component' ? undefined : specOfBareComponent(value)
        if (spec) failWrongType(context, noun, value, spec.name)
        else check(value, context, place)
      }
    } catch {
      // A getter or proxy threw at the current path.
      fail(context, 'invalid_type', 'cannot be read')
    }
    context.depth = 0
    if (context.steps > MAX_STEPS) fail(context, 'too_many', 'too large to validate', [], { limit: MAX_STEPS })
    // Valid, so it has the type.
    return issues.length > 0 ? { ok: false, issues } : { ok: true, value: unsafeCast(value) }
  }
  const standard = { version: 1 as const, vendor: 'rapport-sdk', validate: (value: unknown) => validate(value) }
  return Object.assign(validate, { '~standard': standard })
}

/** Returns the spec of a bare component. A received message has a `type` too, but other fields, or a string as `id`. */
const specOfBareComponent = (value: PlainObject): ComponentSpec | undefined => {
  const spec = typeof value.id === 'string' ? undefined : specOf(value.type)
  return spec && Object.keys(value).every((name) => spec.fields.has(name)) ? spec : undefined
}

/**
 * Validates a message: every component, the totals, and what its flag IS_COMPONENTS_V2 allows. Allows
 * undocumented keys; rejects a bare component. API, "Messages using the v2 component system" and "Limits".
 *
 * @example
 * import { formatPath, validateMessage } from 'rapport-sdk/components'
 *
 * const result = validateMessage({ components: [{ type: 1, components: [{ type: 2, style: 1, label: 'Go' }] }] })
 * if (!result.ok) for (const { path, message } of result.issues) console.log(formatPath(path), message)
 */
export const validateMessage: Validator<MessageInput, ValidateOptions> = createValidator('message', checkMessage)

/** Validates a modal, whose envelope is a convention. API, "Label" and "Limits". */
export const validateModal: Validator<ModalInput, ValidateOptions> = createValidator('modal', (value, context) => {
  context.places = MODAL
  checkFields(modalSpec, value, context, true)
})

/**
 * Validates one component and its children for the place given by `context`, or else inferred from the component.
 * API, "Component Type" and "Limits".
 */
export const validateComponent: Validator<ComponentInput, ValidateComponentOptions> = createValidator(
  'component',
  (value, context, place) => {
    context.places = place === 'modal' ? MODAL : place ? MESSAGE : placesOf(value)
    checkComponent(undefined, value, context)
  },
)

const placesOf = ({ type, components }: PlainObject): Places => {
  // A row is allowed in both; its children decide.
  if (type === 1) return unsafeCast<readonly PlainObject[] | undefined>(components)?.[0]?.type === 4 ? MODAL : MESSAGE
  return specOf(type)?.places || ANYWHERE
}

const createAssertion =
  <Options>(noun: string, validate: (value: unknown, options?: Options) => Validation<unknown>) =>
  (value: unknown, options?: Options): void => {
    const result = validate(value, options)
    if (!result.ok) throw new ComponentError(noun, result.issues)
  }

/** Throws a ComponentError with every problem at its path if a message is invalid; see {@link validateMessage}. */
export const assertMessage: (value: unknown, options?: ValidateOptions) => asserts value is MessageInput =
  createAssertion('the message', validateMessage)

/** Throws a ComponentError with every problem at its path if a modal is invalid; see {@link validateModal}. */
export const assertModal: (value: unknown, options?: ValidateOptions) => asserts value is ModalInput = createAssertion(
  'the modal',
  validateModal,
)

/** Throws a ComponentError with every problem at its path if a component is invalid; see {@link validateComponent}. */
export const assertComponent: (value: unknown, options?: ValidateComponentOptions) => asserts value is ComponentInput =
  createAssertion('the component', validateComponent)
