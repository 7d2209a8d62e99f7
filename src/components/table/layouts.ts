import { button } from './buttons'
import { file, mediaGallery, separator, textDisplay, thumbnail } from './content'
import { ANYWHERE, MESSAGE, MODAL } from './field'
import { INTEGER, list, needed, nullable, OFF, row, slot, text } from './kinds'
import { checkbox, checkboxGroup, fileUpload, radioGroup, textInput } from './modal-fields'
import { channelSelect, mentionableSelect, roleSelect, stringSelect, userSelect } from './selects'

/** Interface, "Action Row": up to five buttons, or one select; in modals, deprecated, one text input. */
export const actionRow = row(1, 'action row', ANYWHERE, {
  components: needed(
    list(
      { max: 5 },
      slot([button, stringSelect, userSelect, roleSelect, mentionableSelect, channelSelect], [textInput]),
    ),
  ),
})

/** Interface, "Section". */
export const section = row(9, 'section', MESSAGE, {
  components: needed(list({ min: 1, max: 3 }, slot([textDisplay]))),
  accessory: needed(slot([button, thumbnail])),
})

/** Interface, "Container". */
export const container = row(17, 'container', MESSAGE, {
  components: needed(list({ min: 1, max: 10 }, slot([actionRow, textDisplay, section, mediaGallery, separator, file]))),
  accent_color: nullable(INTEGER),
  spoiler: OFF,
})

/** Interface, "Label". */
export const label = row(18, 'label', MODAL, {
  label: needed(text({ max: 45 })),
  description: text({ max: 100 }),
  component: needed(
    slot(
      [],
      [
        stringSelect,
        textInput,
        userSelect,
        roleSelect,
        mentionableSelect,
        channelSelect,
        fileUpload,
        radioGroup,
        checkboxGroup,
        checkbox,
      ],
    ),
  ),
})
