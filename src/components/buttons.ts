import type {
  ButtonFields,
  ComponentMethods,
  DisabledMethods,
  EmojiMethods,
  InteractiveFields,
  InteractiveMethods,
  Never,
  PartialEmoji,
} from './base'
import { define, toEmoji } from './factory'
import { interactiveButtonSpec, linkButtonSpec, premiumButtonSpec } from './specs'

/** Fields of buttons that show a label. API, "Button". */
export interface ButtonLabelFields {
  /** Label, at most 80 characters. Recommended: up to 38, or 34 with an emoji. */
  readonly label?: string
  /** Emoji shown before the label. */
  readonly emoji?: PartialEmoji
}

/** Button that sends an interaction to the app. API, "Button". */
export interface InteractiveButtonInput
  extends InteractiveFields<2>,
    ButtonFields,
    ButtonLabelFields,
    Never<'url' | 'sku_id'> {
  /** PRIMARY, SECONDARY, SUCCESS or DANGER. */
  readonly style: 1 | 2 | 3 | 4
}

/** Button that opens a URL. Sends no interaction to the app. API, "Button". */
export interface LinkButtonInput extends ButtonFields, ButtonLabelFields, Never<'custom_id' | 'sku_id'> {
  /** LINK. */
  readonly style: 5
  /** URL to open, at most 512 characters. */
  readonly url: string
}

/** Button that sells a SKU and shows its name and price. Sends no interaction to the app. API, "Button". */
export interface PremiumButtonInput extends ButtonFields, Never<'custom_id' | 'label' | 'url' | 'emoji'> {
  /** PREMIUM. */
  readonly style: 6
  /** ID of the SKU to buy. */
  readonly sku_id: string
}

/** Any button, for a row or as the accessory of a section. API, "Button". */
export type ButtonInput = InteractiveButtonInput | LinkButtonInput | PremiumButtonInput

declare abstract class ButtonLabelMethods {
  /** Returns a copy with this label, at most 80 characters. Recommended: up to 38, or 34 with an emoji. */
  withLabel(label: string | undefined): this
}

/** Button created by `button.primary`, `.secondary`, `.success` or `.danger`; immutable. API, "Button". */
export interface InteractiveButton
  extends InteractiveButtonInput,
    InteractiveMethods,
    ButtonLabelMethods,
    EmojiMethods,
    DisabledMethods {}

declare abstract class LinkButtonMethods extends ComponentMethods {
  /** Returns a copy with this URL, at most 512 characters. */
  withUrl(url: string): this
}

/** Button created by `button.link`; immutable. API, "Button". */
export interface LinkButton
  extends LinkButtonInput,
    LinkButtonMethods,
    ButtonLabelMethods,
    EmojiMethods,
    DisabledMethods {}

declare abstract class PremiumButtonMethods extends ComponentMethods {
  /** Returns a copy with this SKU. */
  withSkuId(skuId: string): this
}

/** Button created by `button.premium`; immutable. API, "Button". */
export interface PremiumButton extends PremiumButtonInput, PremiumButtonMethods, DisabledMethods {}

/** Button of any style. API, "Button". */
export type Button = InteractiveButton | LinkButton | PremiumButton

type ButtonFactory = (customId: string, label?: string) => InteractiveButton

const createInteractive: (style: number, ...args: Parameters<ButtonFactory>) => InteractiveButton = define(
  interactiveButtonSpec,
  function (style: number, customId: string, label?: string) {
    this.type = 2
    this.style = style
    this.custom_id = customId
    if (label !== undefined) this.label = label
  },
  toEmoji,
)

const link: (url: string, label?: string) => LinkButton = define(
  linkButtonSpec,
  function (url: string, label?: string) {
    this.type = 2
    this.style = 5
    this.url = url
    if (label !== undefined) this.label = label
  },
  toEmoji,
)

const premium: (skuId: string) => PremiumButton = define(premiumButtonSpec, function (skuId: string) {
  this.type = 2
  this.style = 6
  this.sku_id = skuId
})

const styleFactory =
  (style: 1 | 2 | 3 | 4): ButtonFactory =>
  (customId, label) =>
    createInteractive(style, customId, label)

/**
 * Creates buttons, with one method per kind. API, "Button".
 *
 * @example
 * import { button, row } from 'rapport-sdk/components'
 *
 * row(button.primary('deploy', 'Deploy'), button.link('https://example.test/notes', 'Notes').withDisabled())
 */
export const button = {
  /** Creates a button for the most likely action. `customId` has 1–100 characters, `label` at most 80. */
  primary: styleFactory(1),
  /** Creates a button for one of several equal actions. `customId` has 1–100 characters, `label` at most 80. */
  secondary: styleFactory(2),
  /** Creates a button that confirms or completes something. `customId` has 1–100 characters, `label` at most 80. */
  success: styleFactory(3),
  /** Creates a button for a destructive action. `customId` has 1–100 characters, `label` at most 80. */
  danger: styleFactory(4),
  /** Creates a button that opens a URL, at most 512 characters, and sends no interaction. `label` has at most 80. */
  link,
  /** Creates a button that sells a SKU, shows its name and price and sends no interaction. */
  premium,
}
