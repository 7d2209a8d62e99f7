import { buttonSpec } from './buttons'
import { checkpointCardSpec, contentInventoryEntrySpec, fileSpec, mediaGallerySpec, separatorSpec, textDisplaySpec, thumbnailSpec } from './content'
import type { ComponentSpec } from './field'
import { actionRowSpec, containerSpec, labelSpec, sectionSpec } from './layouts'
import { checkboxSpec, checkboxGroupSpec, fileUploadSpec, radioGroupSpec, textInputSpec } from './modal-fields'
import { channelSelectSpec, mentionableSelectSpec, roleSelectSpec, stringSelectSpec, userSelectSpec } from './selects'

/** Every type of the document, those that are received alone among them. Interface, "Component Type". */
export const ROWS: readonly ComponentSpec[] = [
  actionRowSpec,
  buttonSpec,
  stringSelectSpec,
  textInputSpec,
  userSelectSpec,
  roleSelectSpec,
  mentionableSelectSpec,
  channelSelectSpec,
  sectionSpec,
  textDisplaySpec,
  thumbnailSpec,
  mediaGallerySpec,
  fileSpec,
  separatorSpec,
  contentInventoryEntrySpec,
  containerSpec,
  labelSpec,
  fileUploadSpec,
  checkpointCardSpec,
  radioGroupSpec,
  checkboxGroupSpec,
  checkboxSpec,
]
let byType: ReadonlyMap<unknown, ComponentSpec> | undefined

/** What the document says of a type. */
export function rowOf(type: unknown): ComponentSpec | undefined {
  byType ??= new Map(ROWS.map((row) => [row.type, row]))
  return byType.get(type)
}
