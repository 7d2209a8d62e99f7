import type { ValueOf } from '../contract/schema'

/** What a component is. Interface, "Component Type". */
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

/** How a button looks and what it does. Interface, "Button". */
export const ButtonStyle = { PRIMARY: 1, SECONDARY: 2, SUCCESS: 3, DANGER: 4, LINK: 5, PREMIUM: 6 } as const
/** One of {@link ButtonStyle}. */
export type ButtonStyle = ValueOf<typeof ButtonStyle>

/** Whether a text input has one line (`SMALL`) or several (`PARAGRAPH`). Interface, "Text Input". */
export const TextInputStyle = { SMALL: 1, PARAGRAPH: 2 } as const
/** One of {@link TextInputStyle}. */
export type TextInputStyle = ValueOf<typeof TextInputStyle>

/**
 * The gap that a separator leaves: `SMALL` 8 pixels, `LARGE` 16, and twice that when its divider is hidden.
 * Interface, "Separator".
 */
export const SeparatorSpacing = { SMALL: 1, LARGE: 2 } as const
/** One of {@link SeparatorSpacing}. */
export type SeparatorSpacing = ValueOf<typeof SeparatorSpacing>

/**
 * The flag that selects the v2 component system for a message; it cannot be taken back from that message. The document
 * names the flag alone: its value is a convention. Interface, "Messages using the v2 component system".
 */
export const MessageFlags = { IS_COMPONENTS_V2: 32768 } as const
/** One of {@link MessageFlags}. */
export type MessageFlags = ValueOf<typeof MessageFlags>
