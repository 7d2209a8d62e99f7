import type { Issue } from '../contract/issue'
import { characters } from '../contract/size'
import { ComponentError } from '../errors/component-error'
import type { StandardResult, StandardSchema } from '../standard-schema'
import { MessageFlags } from './constants'
import {
  type ComponentInput,
  legacyMessageSpec,
  type MessageInput,
  type ModalInput,
  messageV2Spec,
  modalSpec,
  REPLACED,
  TOTALS,
} from './messages'
import { rowOf } from './registry'
import {
  checkComponent,
  checkFields,
  checkSize,
  fail,
  failKind,
  MAX_STEPS,
  type ValidationContext,
  warn,
} from './rules'
import {
  ANYWHERE,
  type ComponentSpec,
  isObject,
  MESSAGE,
  MODAL,
  type Places,
  type PlainObject,
  unsafeCast,
} from './schema'

/** Interface, "Messages using the v2 component system". */
export function checkMessage(message: PlainObject, run: ValidationContext): void {
  const { flags } = message
  const isV2 = typeof flags === 'number' && (flags & MessageFlags.IS_COMPONENTS_V2) !== 0
  checkFields(isV2 ? messageV2Spec : legacyMessageSpec, message, run, true)
  // What was not looked at is in no total.
  if (!isV2 || run.work > MAX_STEPS) return
  for (const name of REPLACED) {
    const value = message[name] ?? ''
    // What is empty says nothing that the flag could change.
    if (value !== '' && (!Array.isArray(value) || value.length > 0))
      fail(run, 'conflict', 'not with the flag IS_COMPONENTS_V2', [name])
  }
  const path = ['components']
  checkSize(run, run.count, 'components in total', TOTALS.components, path)
  const total = (lengthOf: (text: string) => number) => run.texts.reduce((sum, text) => sum + lengthOf(text), 0)
  // No text is longer in code points than in UTF-16 units, which are known already.
  let length = total((text) => text.length)
  if (length > TOTALS.text.max && !run.isUtf16) length = total(characters)
  checkSize(run, length, 'characters of text in total', TOTALS.text, path)

  // Attachments are not shown unless a component shows them.
  const { attachments } = message
  if (!run.warns || !Array.isArray(attachments)) return
  const shown = new Set(run.urls)
  for (let index = 0; index < attachments.length && ++run.work <= MAX_STEPS; index++) {
    const filename: unknown = attachments[index]?.filename
    if (typeof filename !== 'string' || shown.has(`attachment://${filename}`)) continue
    warn(run, 'conflict', 'no component shows it', ['attachments', index])
  }
}

/** A validator, with the face of a Standard Schema. `check` says where the whole is to stand, unless that is a message. */
// @__NO_SIDE_EFFECTS__
export function validator<T, Options extends ValidateComponentOptions>(
  noun: string,
  check: (value: PlainObject, run: ValidationContext, context: ValidateComponentOptions['context']) => void,
): Validator<T, Options> {
  const validate = (
    value: unknown,
    { length, warnings = true, context }: ValidateComponentOptions = {},
  ): Validation<T> => {
    const run: ValidationContext = {
      places: MESSAGE,
      isUtf16: length === 'utf16',
      warns: warnings,
      path: [],
      depth: 0,
      issues: [],
      ids: new Set(),
      urls: [],
      texts: [],
      count: 0,
      work: 0,
    }
    const { issues } = run
    try {
      if (!isObject(value)) failKind(run, noun, value)
      else {
        const row = noun === 'component' ? undefined : rowAlone(value)
        if (row) failKind(run, noun, value, row.name)
        else check(value, run, context)
      }
    } catch {
      // A getter or a proxy has thrown: the run is where it did.
      fail(run, 'invalid_type', 'cannot be read')
    }
    run.depth = 0
    if (run.work > MAX_STEPS) fail(run, 'too_many', 'too much to be checked', [], { limit: MAX_STEPS })
    const isWrong = issues.some(({ severity }) => severity === 'error')
    return isWrong ? { ok: false, issues } : { ok: true, value: unsafeCast(value), warnings: issues }
  }
  const standard = (value: unknown): StandardResult<T> => validate(value, { warnings: false })
  return Object.assign(validate, { '~standard': { version: 1 as const, vendor: 'rapport-sdk', validate: standard } })
}

/** The row of what is a component and nothing else: a received message has a `type` as well, but more, or a text for an `id`. */
function rowAlone(value: PlainObject): ComponentSpec | undefined {
  const row = typeof value.id === 'string' ? undefined : rowOf(value.type)
  return row && Object.keys(value).every((name) => row.fields.has(name)) ? row : undefined
}

/**
 * Checks a message: every component, the message as a whole, and what its flag IS_COMPONENTS_V2 allows. Keys that the
 * document does not show are let through; a component by itself is no message.
 * Interface, "Messages using the v2 component system" and "Limits".
 *
 * @example
 * import { formatPath, validateMessage } from 'rapport-sdk/components'
 *
 * const result = validateMessage({ components: [{ type: 1, components: [{ type: 2, style: 1, label: 'Go' }] }] })
 * if (!result.ok) for (const { path, message } of result.issues) console.log(formatPath(path), message)
 */
export const validateMessage: Validator<MessageInput, ValidateOptions> = validator('message', checkMessage)

/** Checks a modal, whose envelope is a convention. Interface, "Label" and "Limits". */
export const validateModal: Validator<ModalInput, ValidateOptions> = validator('modal', (value, run) => {
  run.places = MODAL
  checkFields(modalSpec, value, run, true)
})

/**
 * Checks one component and all that it holds. Where it may stand is asked of `context`, else of the component itself.
 * Interface, "Component Type" and "Limits".
 */
export const validateComponent: Validator<ComponentInput, ValidateComponentOptions> = validator(
  'component',
  (value, run, context) => {
    run.places = context === 'modal' ? MODAL : context ? MESSAGE : placesOf(value)
    checkComponent(undefined, value, run, run.places === MODAL ? 'modal' : 'message')
  },
)

function placesOf({ type, components }: PlainObject): Places {
  // A row fits both; what it holds does not.
  if (type === 1) return Array.isArray(components) && components[0]?.type === 4 ? MODAL : MESSAGE
  return rowOf(type)?.places || ANYWHERE
}

// @__NO_SIDE_EFFECTS__
function assertion<Options>(noun: string, validate: (value: unknown, options?: Options) => Validation<unknown>) {
  return (value: unknown, options?: Options): void => {
    const result = validate(value, options)
    if (!result.ok) throw new ComponentError(noun, result.issues)
  }
}

/**
 * Throws where a message breaks the interface; see {@link validateMessage}.
 *
 * @throws ComponentError with every problem at its path.
 */
export const assertMessage: (value: unknown, options?: ValidateOptions) => asserts value is MessageInput = assertion(
  'the message',
  validateMessage,
)

/**
 * Throws where a modal breaks the interface; see {@link validateModal}.
 *
 * @throws ComponentError with every problem at its path.
 */
export const assertModal: (value: unknown, options?: ValidateOptions) => asserts value is ModalInput = assertion(
  'the modal',
  validateModal,
)

/**
 * Throws where a component breaks the interface; see {@link validateComponent}.
 *
 * @throws ComponentError with every problem at its path.
 */
export const assertComponent: (value: unknown, options?: ValidateComponentOptions) => asserts value is ComponentInput =
  assertion('the component', validateComponent)

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

export type { Issue, IssueCode } from '../contract/issue'
