import type {
  ComponentFields,
  ComponentMethods,
  DisabledMethods,
  EmojiMethods,
  InteractiveFields,
  InteractiveMethods,
  Never,
  PartialEmoji,
} from './base'
import { ButtonStyle } from './constants'
import { define } from './factory'
import { componentSpec, DEFAULT_FALSE, EMOJI, MESSAGE, oneOf, required, STRING, type Styles, string } from './schema'

const INTERACTIVE = ['custom_id', 'url', 'sku_id'] as const
/** What each style needs, and what it refuses. Interface, "Button", 2 to 4. */
const STYLES: Styles = {
  1: INTERACTIVE,
  2: INTERACTIVE,
  3: INTERACTIVE,
  4: INTERACTIVE,
  5: ['url', 'custom_id', 'sku_id'],
  6: ['sku_id', 'custom_id', 'label', 'url', 'emoji'],
}
const FIELDS = {
  style: required(oneOf(ButtonStyle)),
  label: string({ max: 80 }),
  emoji: EMOJI,
  custom_id: string({ min: 1, max: 100 }),
  sku_id: STRING,
  url: string({ max: 512 }),
  disabled: DEFAULT_FALSE,
}

/** Interface, "Button". */
export const buttonSpec = componentSpec(2, 'button', MESSAGE, FIELDS, STYLES)

/** What buttons that show a text have. Interface, "Button". */
export interface ButtonLabelFields {
  /** The text, at most 80 characters; up to 38 look well, with an emoji 34. */
  readonly label?: string
  /** Shown before the label. */
  readonly emoji?: PartialEmoji
}

/** A button whose use the app is told of. Interface, "Button". */
export interface InteractiveButtonInput extends InteractiveFields, ButtonLabelFields, Never<'url' | 'sku_id'> {
  /** BUTTON. */
  readonly type: 2
  /** PRIMARY, SECONDARY, SUCCESS or DANGER. */
  readonly style: 1 | 2 | 3 | 4
  /**
   * Whether it cannot be used.
   * @default false
   */
  readonly disabled?: boolean
}

/** A button that opens a URL; the app is not told. Interface, "Button". */
export interface LinkButtonInput extends ComponentFields, ButtonLabelFields, Never<'custom_id' | 'sku_id'> {
  /** BUTTON. */
  readonly type: 2
  /** LINK. */
  readonly style: 5
  /** What it opens, at most 512 characters. */
  readonly url: string
  /**
   * Whether it cannot be used.
   * @default false
   */
  readonly disabled?: boolean
}

/** A button that sells a SKU and shows its name and price by itself; the app is not told. Interface, "Button". */
export interface PremiumButtonInput extends ComponentFields, Never<'custom_id' | 'label' | 'url' | 'emoji'> {
  /** BUTTON. */
  readonly type: 2
  /** PREMIUM. */
  readonly style: 6
  /** The SKU to be bought. */
  readonly sku_id: string
  /**
   * Whether it cannot be used.
   * @default false
   */
  readonly disabled?: boolean
}

/** Any button, for a row or for a section's accessory. Interface, "Button". */
export type ButtonInput = InteractiveButtonInput | LinkButtonInput | PremiumButtonInput

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

const interactive = define<InteractiveButton>(buttonSpec, 1)
const link = define<LinkButton>(buttonSpec, 5)
const premium = define<PremiumButton>(buttonSpec, 6)

type MakeButton = (customId: string, label?: string) => InteractiveButton

// @__NO_SIDE_EFFECTS__
function styled(style: 1 | 2 | 3 | 4): MakeButton {
  return (custom_id, label) => interactive({ type: 2, style, custom_id }, 'label', label)
}

/**
 * Buttons, one method a kind. Interface, "Button".
 *
 * @example
 * import { button, row } from 'rapport-sdk/components'
 *
 * row(button.primary('deploy', 'Deploy'), button.link('https://example.test/notes', 'Notes').withDisabled())
 */
export const button = {
  /** The action that is most likely wanted. `customId` has 1–100 characters, `label` at most 80. */
  primary: styled(1),
  /** An action among others. `customId` has 1–100 characters, `label` at most 80. */
  secondary: styled(2),
  /** An action that confirms or completes. `customId` has 1–100 characters, `label` at most 80. */
  success: styled(3),
  /** An action that cannot be undone. `customId` has 1–100 characters, `label` at most 80. */
  danger: styled(4),
  /** Opens a URL of at most 512 characters; the app is not told. `label` has at most 80 characters. */
  link: (url: string, label?: string): LinkButton => link({ type: 2, style: 5, url }, 'label', label),
  /** Sells a SKU, whose name and price it shows; the app is not told. */
  premium: (skuId: string): PremiumButton => premium({ type: 2, style: 6, sku_id: skuId }),
}
