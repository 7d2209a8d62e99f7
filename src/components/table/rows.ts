import { button } from './buttons'
import { checkpointCard, contentInventoryEntry, file, mediaGallery, separator, textDisplay, thumbnail } from './content'
import type { Row } from './field'
import { actionRow, container, label, section } from './layouts'
import { checkbox, checkboxGroup, fileUpload, radioGroup, textInput } from './modal-fields'
import { channelSelect, mentionableSelect, roleSelect, stringSelect, userSelect } from './selects'

/** Every type of the document, those that are received alone among them. Interface, "Component Type". */
export const ROWS: readonly Row[] = [
  actionRow,
  button,
  stringSelect,
  textInput,
  userSelect,
  roleSelect,
  mentionableSelect,
  channelSelect,
  section,
  textDisplay,
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
let byType: ReadonlyMap<unknown, Row> | undefined

/** What the document says of a type. */
export function rowOf(type: unknown): Row | undefined {
  byType ??= new Map(ROWS.map((row) => [row.type, row]))
  return byType.get(type)
}
