import { isObject, type Wire } from '../edge'
import type { ComponentInput, MessageInput, ModalInput } from '../input/envelopes'
import { modal } from '../table/envelopes'
import { ROWS, rowOf } from '../table/table'
import { componentCheck, planOf } from './components'
import { checkFields } from './fields'
import { checkMessage } from './message'
import { EITHER, MESSAGE, MODAL, type Run } from './run'
import type { ValidateComponentOptions, ValidateOptions, Validator } from './validation'
import { validator } from './validator'

/**
 * Checks a message: every component, the message as a whole, and what its flag IS_COMPONENTS_V2 allows. Keys that the
 * document does not show are let through. Interface, "Messages using the v2 component system" and "Limits".
 *
 * @example
 * import { formatPath, validateMessage } from 'rapport-sdk/components'
 *
 * const result = validateMessage({ components: [{ type: 1, components: [{ type: 2, style: 1, label: 'Go' }] }] })
 * if (!result.ok) for (const { path, message } of result.issues) console.log(formatPath(path), message)
 */
export const validateMessage: Validator<MessageInput, ValidateOptions> = /*@__PURE__*/ validator(
  'a message',
  () => MESSAGE,
  checkMessage,
)

/** Checks a modal, whose envelope is a convention. Interface, "Label" and "Limits". */
export const validateModal: Validator<ModalInput, ValidateOptions> = /*@__PURE__*/ validator(
  'a modal',
  () => MODAL,
  (value, run) => checkFields(planOf(modal), value, run),
)

/**
 * Checks one component and all that it holds. Where it may stand is asked of `context`, else of the component itself.
 * Interface, "Component Type" and "Limits".
 */
export const validateComponent: Validator<ComponentInput, ValidateComponentOptions> = /*@__PURE__*/ validator(
  'a component',
  contextOf,
  (value, run) => checkAny(value, run),
)

let anyComponent: ReturnType<typeof componentCheck> | undefined

function checkAny(value: Wire, run: Run): void {
  anyComponent ??= componentCheck(
    ROWS.filter(({ usableIn }) => usableIn.includes('message')),
    ROWS.filter(({ usableIn }) => usableIn.includes('modal')),
  )
  anyComponent(value, run)
}

function contextOf({ type, components }: Wire): typeof EITHER | typeof MESSAGE | typeof MODAL {
  if (type === 1)
    return Array.isArray(components) && isObject(components[0]) && components[0].type === 4 ? MODAL : MESSAGE
  const [place, other] = rowOf(type)?.usableIn ?? []
  if (place === undefined || other !== undefined) return EITHER
  return place === 'modal' ? MODAL : MESSAGE
}
