import type { ComponentInput, MessageInput, ModalInput } from '../input/envelopes'
import type { ValidateComponentOptions, Validator } from './validation'

// @__NO_SIDE_EFFECTS__
function validator<T, O>(name: string): Validator<T, O> {
  const validate = (): never => {
    throw new Error(name)
  }
  return Object.assign(validate, { '~standard': { version: 1 as const, vendor: 'rapport-sdk', validate } })
}

/** Checks a message. */
export const validateMessage: Validator<MessageInput> = validator('validateMessage')
/** Checks a modal. */
export const validateModal: Validator<ModalInput> = validator('validateModal')
/** Checks one component and all that it holds. */
export const validateComponent: Validator<ComponentInput, ValidateComponentOptions> = validator('validateComponent')
