import { button } from './buttons'
import { file, galleryItem, media, mediaGallery, separator, text, thumbnail } from './content'
import { container, label, row, section } from './layouts'
import { checkbox, checkboxGroup, fileUpload, groupOption, radioGroup, textInput } from './modal-fields'
import { channelSelect, mentionableSelect, option, roleSelect, stringSelect, userSelect } from './selects'

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
