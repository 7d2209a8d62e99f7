/**
 * Message and modal components: how they are built, checked and read. What the factories make is the JSON of the wire
 * itself, frozen, with methods beside it. Interface, "Component Type".
 */
export { formatPath } from '../contract/issue'
export { ComponentError, isComponentError } from '../errors/component-error'
export { button } from './build/button'
export { attachment, file, galleryItem, mediaGallery, separator, text, thumbnail } from './build/content'
export { messageLegacy, messageV2, modal } from './build/envelopes'
export { container, label, row, section } from './build/layouts'
export { checkbox, checkboxGroup, fileUpload, groupOption, radioGroup, textInput } from './build/modal-fields'
export { channelSelect, mentionableSelect, option, roleSelect, stringSelect, userSelect } from './build/selects'
export type { InteractiveButton, LinkButton, PremiumButton } from './built/buttons'
export type { FileDisplay, GalleryItem, MediaGallery, Separator, TextDisplay, Thumbnail } from './built/content'
export type { ButtonRow, Container, Label, Section, SectionDraft, SelectRow, TextInputRow } from './built/layouts'
export type { Checkbox, CheckboxGroup, FileUpload, GroupOption, RadioGroup, TextInput } from './built/modal-fields'
export type { TypeErrorMessage as Refused } from './built/refused'
export type {
  ChannelSelect,
  MentionableSelect,
  RoleSelect,
  SelectOption,
  StringSelect,
  UserSelect,
} from './built/selects'
export { assertComponent, assertMessage, assertModal } from './check/assert'
export type { Issue, IssueCode } from './check/issue'
export { validateComponent, validateMessage, validateModal } from './check/validate'
export type { ValidateComponentOptions, ValidateOptions, Validation, Validator } from './check/validation'
export { ButtonStyle, ComponentType, MessageFlags, SeparatorSpacing, TextInputStyle } from './constants'
export type {
  ButtonInput,
  ButtonLabelFields,
  InteractiveButtonInput,
  LinkButtonInput,
  PremiumButtonInput,
} from './input/buttons'
export type {
  AttachmentInput,
  AttachmentUrl,
  FileInput,
  GalleryItemInput,
  MediaGalleryInput,
  MediaInput,
  ReceivedMediaField,
  SeparatorInput,
  TextDisplayInput,
  ThumbnailInput,
} from './input/content'
export type {
  ComponentInput,
  LegacyMessageBody,
  LegacyMessageFields,
  LegacyMessageInput,
  MessageComponentInput,
  MessageInput,
  MessageV2Input,
  ModalComponentInput,
  ModalInput,
} from './input/envelopes'
export type { ComponentFields, InteractiveFields, Never, PartialEmoji, Placement } from './input/fields'
export type {
  ActionRowInput,
  ButtonRowInput,
  ContainerChildInput,
  ContainerInput,
  LabelChildInput,
  LabelInput,
  SectionInput,
  SelectRowInput,
  TextInputRowInput,
} from './input/layouts'
export type {
  CheckboxGroupInput,
  CheckboxInput,
  FileUploadInput,
  GroupOptionInput,
  RadioGroupInput,
  TextInputInput,
} from './input/modal-fields'
export type {
  AutoSelectFields,
  ChannelSelectInput,
  MentionableSelectInput,
  RoleSelectInput,
  SelectDefaultValue,
  SelectFields,
  SelectInput,
  SelectOptionInput,
  StringSelectInput,
  UserSelectInput,
} from './input/selects'
export { componentJsonSchema, type JsonSchema, messageJsonSchema, modalJsonSchema } from './json-schema'
export { LIMITS, type Limits } from './limits'
export { assignIds, disableAll, replaceByCustomId } from './read/change'
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
} from './read/guards'
export { parseComponents } from './read/parse'
export { type DroppedComponent, type Sendable, toSendable } from './read/sendable'
export type { AnyComponent, ComponentHolder, ComponentSource } from './read/source'
export {
  type ComponentVisit,
  countComponents,
  findByCustomId,
  findById,
  textLength,
  walk,
} from './read/walk'
export type {
  CheckpointCard,
  CheckpointData,
  CheckpointEmoji,
  CheckpointGame,
  CheckpointGuild,
} from './received/checkpoint-card'
export type {
  ReceivedFile,
  ReceivedGalleryItem,
  ReceivedMediaGallery,
  ReceivedSeparator,
  ReceivedThumbnail,
} from './received/content'
export type {
  ContentInventoryEntry,
  ContentInventoryEntryComponent,
  ContentInventorySignature,
  ContentInventoryTrait,
} from './received/content-inventory'
export {
  ContentInventoryAggregateRange,
  ContentInventoryAuthorType,
  ContentInventoryContentType,
  ContentInventoryMediaType,
  ContentInventoryMetadataType,
  ContentInventoryPlatform,
  ContentInventoryProvider,
  ContentInventoryTraitType,
  ContentInventoryTrendingType,
} from './received/content-inventory-enums'
export type {
  ContentInventoryArtist,
  ContentInventoryMetadata,
  ContentInventoryMetadataEntry,
} from './received/content-inventory-metadata'
export type { ReceivedButton, ReceivedTextInput } from './received/controls'
export type {
  ReceivedActionRow,
  ReceivedComponent,
  ReceivedContainer,
  ReceivedLabel,
  ReceivedSection,
  UnknownComponent,
} from './received/layouts'
export type { MediaLoadingState, UnfurledMediaItem } from './received/media'
