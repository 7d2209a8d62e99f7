import { ComponentError } from '../../errors/component-error'
import type { ComponentInput, MessageInput, ModalInput } from '../input/envelopes'
import { validateComponent, validateMessage, validateModal } from './validate'
import type { ValidateComponentOptions, ValidateOptions, Validation } from './validation'

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
