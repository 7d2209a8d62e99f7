import type { ComponentFields, InteractiveFields, Never, PartialEmoji } from './fields'

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
