import { button } from './buttons'
import {
  checkpointCard,
  contentInventoryEntry,
  file,
  galleryItem,
  media,
  mediaGallery,
  separator,
  textDisplay,
  thumbnail,
} from './content'
import type { Row } from './field'
import { actionRow, container, label, section } from './layouts'
import { checkbox, checkboxGroup, fileUpload, groupOption, radioGroup, textInput } from './modal-fields'
import { channelSelect, mentionableSelect, option, roleSelect, stringSelect, userSelect } from './selects'

/** Every row of the table and every part that has a limit, by the name of what makes it. */
export const TABLE = {
  row: actionRow,
  button,
  stringSelect,
  option,
  textInput,
  userSelect,
  roleSelect,
  mentionableSelect,
  channelSelect,
  section,
  text: textDisplay,
  thumbnail,
  mediaGallery,
  galleryItem,
  media,
  file,
  separator,
  contentInventoryEntry,
  container,
  label,
  fileUpload,
  checkpointCard,
  radioGroup,
  checkboxGroup,
  groupOption,
  checkbox,
}

let rows: ReadonlyMap<unknown, Row> | undefined

/** Every type of the document, those that are received alone among them. Interface, "Component Type". */
export function allRows(): ReadonlyMap<unknown, Row> {
  rows ??= new Map(Object.values<Row>(TABLE).flatMap((row) => (row.type > 0 ? [[row.type, row]] : [])))
  return rows
}
