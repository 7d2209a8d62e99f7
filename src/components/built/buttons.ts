import type { InteractiveButtonInput, LinkButtonInput, PremiumButtonInput } from '../input/buttons'
import type { ComponentMethods, DisabledMethods, EmojiMethods, InteractiveMethods } from './methods'

declare abstract class ButtonLabelMethods {
  /** With another label, at most 80 characters; up to 38 look well, with an emoji 34. */
  withLabel(label: string): this
}

/** A button that `button.primary` and its like make; immutable. Interface, "Button". */
export interface InteractiveButton
  extends InteractiveButtonInput,
    InteractiveMethods,
    ButtonLabelMethods,
    EmojiMethods,
    DisabledMethods {}

declare abstract class LinkButtonMethods extends ComponentMethods {
  /** With another URL, at most 512 characters. */
  withUrl(url: string): this
}

/** A button that `button.link` makes; immutable. Interface, "Button". */
export interface LinkButton
  extends LinkButtonInput,
    LinkButtonMethods,
    ButtonLabelMethods,
    EmojiMethods,
    DisabledMethods {}

declare abstract class PremiumButtonMethods extends ComponentMethods {
  /** With another SKU. */
  withSkuId(skuId: string): this
}

/** A button that `button.premium` makes; immutable. Interface, "Button". */
export interface PremiumButton extends PremiumButtonInput, PremiumButtonMethods, DisabledMethods {}
