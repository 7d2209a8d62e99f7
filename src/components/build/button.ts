import type { InteractiveButton, LinkButton, PremiumButton } from '../built/buttons'
import { buttonSpec } from '../table/buttons'
import { define } from './define'

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
