import { button } from './buttons'
import {
  checkpointCard,
  contentInventoryEntry,
  file,
  galleryItem,
  media,
  mediaGallery,
  separator,
  text,
  thumbnail,
} from './content'
import { container, label, row, section } from './layouts'
import { checkbox, checkboxGroup, fileUpload, groupOption, radioGroup, textInput } from './modal-fields'
import type { Row } from './row'
import { channelSelect, mentionableSelect, option, roleSelect, SELECTS, stringSelect, userSelect } from './selects'

/** Every row and every part of the table that can be sent, by the name of what makes it. */
export const TABLE = {
  row,
  button,
  stringSelect,
  option,
  userSelect,
  roleSelect,
  mentionableSelect,
  channelSelect,
  textInput,
  section,
  text,
  thumbnail,
  mediaGallery,
  galleryItem,
  media,
  file,
  separator,
  container,
  label,
  fileUpload,
  radioGroup,
  checkboxGroup,
  groupOption,
  checkbox,
} as const

/** Every type of the document, those that are received alone among them. Interface, "Component Type". */
export const ROWS: readonly Row[] = [
  row,
  button,
  ...SELECTS,
  textInput,
  section,
  text,
  thumbnail,
  mediaGallery,
  file,
  separator,
  contentInventoryEntry,
  container,
  label,
  fileUpload,
  checkpointCard,
  radioGroup,
  checkboxGroup,
  checkbox,
]

/** What the table says of a type; nothing of one that the document does not have. */
export function rowOf(type: unknown): Row | undefined {
  return ROWS.find((row) => row.type === type)
}
