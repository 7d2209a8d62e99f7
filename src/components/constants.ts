import type { ValueOf } from '../contract/schema'

/** Types of components. API, "Component Type". */
export const ComponentType = {
  ACTION_ROW: 1,
  BUTTON: 2,
  STRING_SELECT: 3,
  TEXT_INPUT: 4,
  USER_SELECT: 5,
  ROLE_SELECT: 6,
  MENTIONABLE_SELECT: 7,
  CHANNEL_SELECT: 8,
  SECTION: 9,
  TEXT_DISPLAY: 10,
  THUMBNAIL: 11,
  MEDIA_GALLERY: 12,
  FILE: 13,
  SEPARATOR: 14,
  CONTENT_INVENTORY_ENTRY: 16,
  CONTAINER: 17,
  LABEL: 18,
  FILE_UPLOAD: 19,
  CHECKPOINT_CARD: 20,
  RADIO_GROUP: 21,
  CHECKBOX_GROUP: 22,
  CHECKBOX: 23,
} as const
/** One of {@link ComponentType}. */
export type ComponentType = ValueOf<typeof ComponentType>

/** Styles of buttons, which determine colour and behavior. API, "Button". */
export const ButtonStyle = { PRIMARY: 1, SECONDARY: 2, SUCCESS: 3, DANGER: 4, LINK: 5, PREMIUM: 6 } as const
/** One of {@link ButtonStyle}. */
export type ButtonStyle = ValueOf<typeof ButtonStyle>

/** Styles of text inputs: one line (`SMALL`) or several (`PARAGRAPH`). API, "Text Input". */
export const TextInputStyle = { SMALL: 1, PARAGRAPH: 2 } as const
/** One of {@link TextInputStyle}. */
export type TextInputStyle = ValueOf<typeof TextInputStyle>

/** Spacing of a separator: `SMALL` 8 pixels, `LARGE` 16, doubled if its divider is hidden. API, "Separator". */
export const SeparatorSpacing = { SMALL: 1, LARGE: 2 } as const
/** One of {@link SeparatorSpacing}. */
export type SeparatorSpacing = ValueOf<typeof SeparatorSpacing>

/**
 * Message flags. `IS_COMPONENTS_V2` selects the v2 component system and cannot be removed from a message once set. The
 * API document only names that flag; its value is a convention, as is `EPHEMERAL`, by which only the user of an
 * interaction sees the message. API, "Messages using the v2 component system".
 */
export const MessageFlags = { EPHEMERAL: 64, IS_COMPONENTS_V2: 32768 } as const
/** One of {@link MessageFlags}. */
export type MessageFlags = ValueOf<typeof MessageFlags>
