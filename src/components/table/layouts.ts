import { buttonSpec } from './buttons'
import { fileSpec, mediaGallerySpec, separatorSpec, textDisplaySpec, thumbnailSpec } from './content'
import { ANYWHERE, MESSAGE, MODAL } from './field'
import { INTEGER, array, required, nullable, DEFAULT_FALSE, componentSpec, childComponent, string } from './kinds'
import { checkboxSpec, checkboxGroupSpec, fileUploadSpec, radioGroupSpec, textInputSpec } from './modal-fields'
import { channelSelectSpec, mentionableSelectSpec, roleSelectSpec, stringSelectSpec, userSelectSpec } from './selects'

/** Interface, "Action Row": up to five buttons, or one select; in modals, deprecated, one text input. */
export const actionRowSpec = componentSpec(1, 'action row', ANYWHERE, {
  components: required(
    array(
      { max: 5 },
      childComponent([buttonSpec, stringSelectSpec, userSelectSpec, roleSelectSpec, mentionableSelectSpec, channelSelectSpec], [textInputSpec]),
    ),
  ),
})

/** Interface, "Section". */
export const sectionSpec = componentSpec(9, 'section', MESSAGE, {
  components: required(array({ min: 1, max: 3 }, childComponent([textDisplaySpec]))),
  accessory: required(childComponent([buttonSpec, thumbnailSpec])),
})

/** Interface, "Container". */
export const containerSpec = componentSpec(17, 'container', MESSAGE, {
  components: required(array({ min: 1, max: 10 }, childComponent([actionRowSpec, textDisplaySpec, sectionSpec, mediaGallerySpec, separatorSpec, fileSpec]))),
  accent_color: nullable(INTEGER),
  spoiler: DEFAULT_FALSE,
})

/** Interface, "Label". */
export const labelSpec = componentSpec(18, 'label', MODAL, {
  label: required(string({ max: 45 })),
  description: string({ max: 100 }),
  component: required(
    childComponent(
      [],
      [
        stringSelectSpec,
        textInputSpec,
        userSelectSpec,
        roleSelectSpec,
        mentionableSelectSpec,
        channelSelectSpec,
        fileUploadSpec,
        radioGroupSpec,
        checkboxGroupSpec,
        checkboxSpec,
      ],
    ),
  ),
})
