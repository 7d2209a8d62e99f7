/**
 * Creates, validates and reads message and modal components. The factories return the JSON of the wire format itself,
 * frozen, with inherited methods. API, "Component Type".
 */

export { ComponentError, isComponentError } from '../errors/client-errors'
export { formatPath } from '../internal/issue'
export type { ComponentFields, InteractiveFields, Never, PartialEmoji, Placement } from './base'
export type * from './buttons'
export { button } from './buttons'
export { ButtonStyle, ComponentType, MessageFlags, SeparatorSpacing, TextInputStyle } from './constants'
export type * from './content'
export { attachment, file, galleryItem, mediaGallery, separator, text, thumbnail } from './content'
export type * from './edit'
export {
  assignIds,
  disableAll,
  mapComponents,
  paginate,
  replaceByCustomId,
  replaceById,
  toSendable,
} from './edit'
export type * from './layouts'
export { container, label, row, row as actionRow, section } from './layouts'
export type * from './messages'
export { messageLegacy, messageV2, modal } from './messages'
export type * from './modal-fields'
export { checkbox, checkboxGroup, fileUpload, groupOption, radioGroup, textInput } from './modal-fields'
export { type Json, toJSON } from './plain-object'
export type * from './received'
export type * from './selects'
export { channelSelect, mentionableSelect, option, roleSelect, stringSelect, userSelect } from './selects'
export { LIMITS, type Limits, type ReceivedMediaField } from './specs'
export type { Child, TypeErrorMessage as Refused } from './type-errors'
export type * from './validate'
export {
  assertComponent,
  assertMessage,
  assertModal,
  validateComponent,
  validateMessage,
  validateModal,
} from './validate'
export {
  type AnyComponent,
  type ComponentOf,
  type ComponentSource,
  type ComponentVisit,
  countComponents,
  findByCustomId,
  findById,
  fromJSON,
  isButton,
  isChannelSelect,
  isCheckbox,
  isCheckboxGroup,
  isCheckpointCard,
  isContainer,
  isContent,
  isContentInventoryEntry,
  isFile,
  isFileUpload,
  isInteractive,
  isLabel,
  isLayout,
  isMediaGallery,
  isMentionableSelect,
  isRadioGroup,
  isRoleSelect,
  isRow,
  isSection,
  isSelect,
  isSeparator,
  isStringSelect,
  isText,
  isTextInput,
  isThumbnail,
  isUserSelect,
  parseComponents,
  textLength,
  walk,
} from './walk'
