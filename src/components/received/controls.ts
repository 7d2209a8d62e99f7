import type { Open } from '../../contract/schema'
import type { ButtonStyle, TextInputStyle } from '../constants'
import type { ComponentFields, InteractiveFields, PartialEmoji } from '../input/fields'

/** A button as it is received. Interface, "Button". */
export interface ReceivedButton extends ComponentFields {
  /** BUTTON. */
  readonly type: 2
  /** How it looks and what it does. */
  readonly style: Open<ButtonStyle>
  /** The text. */
  readonly label?: string
  /** Shown before the label. */
  readonly emoji?: PartialEmoji
  /** What tells the app which button was clicked; link and premium buttons have none. */
  readonly custom_id?: string
  /** The SKU that a premium button sells. */
  readonly sku_id?: string
  /** What a link button opens. */
  readonly url?: string
  /** Whether it cannot be used. */
  readonly disabled?: boolean
}

/** A text input as it is received. Interface, "Text Input". */
export interface ReceivedTextInput extends InteractiveFields {
  /** TEXT_INPUT. */
  readonly type: 4
  /** One line or several. */
  readonly style: Open<TextInputStyle>
  /** Deprecated; inside a label it is ignored. */
  readonly label?: string
  /** The least number of characters. */
  readonly min_length?: number
  /** The most characters. */
  readonly max_length?: number
  /** Whether something must be typed. */
  readonly required?: boolean
  /** What stands there from the start. */
  readonly value?: string
  /** Shown while nothing is typed. */
  readonly placeholder?: string
}
