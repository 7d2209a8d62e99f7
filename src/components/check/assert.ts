import { ComponentError } from '../../errors/component-error'
import type { ComponentInput, MessageInput, ModalInput } from '../input/envelopes'
import { validateComponent, validateMessage, validateModal } from './validate'
import type { ValidateComponentOptions, ValidateOptions } from './validation'

/**
 * Throws where a message breaks the interface; see {@link validateMessage}.
 *
 * @throws ComponentError with every problem at its path.
 */
export function assertMessage(value: unknown, options?: ValidateOptions): asserts value is MessageInput {
  const result = validateMessage(value, options)
  if (!result.ok) throw new ComponentError('the message', result.issues)
}

/**
 * Throws where a modal breaks the interface; see {@link validateModal}.
 *
 * @throws ComponentError with every problem at its path.
 */
export function assertModal(value: unknown, options?: ValidateOptions): asserts value is ModalInput {
  const result = validateModal(value, options)
  if (!result.ok) throw new ComponentError('the modal', result.issues)
}

/**
 * Throws where a component breaks the interface; see {@link validateComponent}.
 *
 * @throws ComponentError with every problem at its path.
 */
export function assertComponent(value: unknown, options?: ValidateComponentOptions): asserts value is ComponentInput {
  const result = validateComponent(value, options)
  if (!result.ok) throw new ComponentError('the component', result.issues)
}
