import type { PlainObject } from '../edge'
import type { ComponentInput, MessageInput, ModalInput } from '../input/envelopes'
import { modalSpec } from '../table/envelopes'
import { ANYWHERE, MESSAGE, MODAL, type Places } from '../table/field'
import { rowOf } from '../table/rows'
import { checkComponent, checkFields } from './components'
import { checkMessage } from './message'
import type { ValidateComponentOptions, ValidateOptions, Validator } from './validation'
import { validator } from './validator'

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
