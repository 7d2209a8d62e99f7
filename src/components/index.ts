/**
 * Creates, validates and reads message and modal components. The factories return the JSON of the wire format itself,
 * frozen, with inherited methods. Interface, "Component Type".
 */

export { ComponentError, isComponentError } from '../errors/client-errors'
export { formatPath } from '../internal/issue'
export type { ComponentFields, InteractiveFields, Never, PartialEmoji, Placement } from './base'
export type {
  Button,
  ButtonInput,
  ButtonLabelFields,
  InteractiveButton,
  InteractiveButtonInput,
  LinkButton,
  LinkButtonInput,
  PremiumButton,
  PremiumButtonInput,
} from './buttons'
export { button } from './buttons'
export { ButtonStyle, ComponentType, MessageFlags, SeparatorSpacing, TextInputStyle } from './constants'
export type {
  AttachmentInput,
  AttachmentUrl,
  FileDisplay,
  FileInput,
  GalleryItem,
  GalleryItemInput,
  MediaGallery,
  MediaGalleryInput,
  MediaInput,
  ReceivedMediaField,
  Separator,
  SeparatorInput,
  TextDisplay,
  TextDisplayInput,
  Thumbnail,
  ThumbnailInput,
} from './content'
export { attachment, file, galleryItem, mediaGallery, separator, text, thumbnail } from './content'
export type {
  CheckpointCard,
  CheckpointData,
  CheckpointEmoji,
  CheckpointGame,
  CheckpointGuild,
  ContentInventoryAggregateRange,
  ContentInventoryArtist,
  ContentInventoryAuthorType,
  ContentInventoryContentType,
  ContentInventoryEntry,
  ContentInventoryEntryComponent,
  ContentInventoryMediaType,
  ContentInventoryMetadata,
  ContentInventoryMetadataEntry,
  ContentInventoryMetadataType,
  ContentInventoryPlatform,
  ContentInventoryProvider,
  ContentInventorySignature,
  ContentInventoryTrait,
  ContentInventoryTraitType,
  ContentInventoryTrendingType,
} from './content-inventory'
export {
  assignIds,
  type DroppedComponent,
  disableAll,
  mapComponents,
  type Page,
  paginate,
  replaceByCustomId,
  replaceById,
  type Sendable,
  type SendableOf,
  toSendable,
} from './edit'
export {
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
} from './guards'
export { type Json, type JsonEmoji, toJSON } from './json'
export type {
  ActionRow,
  ActionRowInput,
  ButtonRow,
  ButtonRowInput,
  Container,
  ContainerChildInput,
  ContainerInput,
  Label,
  LabelChildInput,
  LabelInput,
  Section,
  SectionDraft,
  SectionInput,
  SelectRow,
  SelectRowInput,
  TextInputRow,
  TextInputRowInput,
} from './layouts'
export { container, label, row, row as actionRow, section } from './layouts'
export type {
  ComponentInput,
  LegacyMessageBody,
  LegacyMessageFields,
  LegacyMessageInput,
  MessageComponentInput,
  MessageInput,
  MessageV2Fields,
  MessageV2Input,
  Modal,
  ModalComponentInput,
  ModalInput,
} from './messages'
export { messageLegacy, messageV2, modal } from './messages'
export { type ModalAnswer, type ModalAnswers, type ModalFile, readModalAnswers } from './modal-answers'
export type {
  Checkbox,
  CheckboxGroup,
  CheckboxGroupInput,
  CheckboxInput,
  FileUpload,
  FileUploadInput,
  GroupOption,
  GroupOptionInput,
  RadioGroup,
  RadioGroupInput,
  TextInput,
  TextInputInput,
} from './modal-fields'
export { checkbox, checkboxGroup, fileUpload, groupOption, radioGroup, textInput } from './modal-fields'
export type {
  MediaLoadingState,
  ReceivedActionRow,
  ReceivedButton,
  ReceivedComponent,
  ReceivedContainer,
  ReceivedFile,
  ReceivedGalleryItem,
  ReceivedLabel,
  ReceivedMediaGallery,
  ReceivedSection,
  ReceivedSeparator,
  ReceivedTextInput,
  ReceivedThumbnail,
  UnfurledMediaItem,
  UnknownComponent,
} from './received'
export { LIMITS, type Limits } from './registry'
export type {
  AutoSelectFields,
  ChannelSelect,
  ChannelSelectInput,
  MentionableSelect,
  MentionableSelectInput,
  RoleSelect,
  RoleSelectInput,
  Select,
  SelectDefaultValue,
  SelectFields,
  SelectInput,
  SelectOption,
  SelectOptionInput,
  StringSelect,
  StringSelectInput,
  UserSelect,
  UserSelectInput,
} from './selects'
export { channelSelect, mentionableSelect, option, roleSelect, stringSelect, userSelect } from './selects'
export type { Child, TypeErrorMessage as Refused } from './type-errors'
export type { Issue, IssueCode, ValidateComponentOptions, ValidateOptions, Validation, Validator } from './validate'
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
  type ComponentHolder,
  type ComponentSource,
  type ComponentVisit,
  countComponents,
  findByCustomId,
  findById,
  parseComponents,
  textLength,
  walk,
} from './walk'
