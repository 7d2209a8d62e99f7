import fc from 'fast-check'
import {
  checkbox,
  checkboxGroup,
  fileUpload,
  groupOption,
  type LabelChildInput,
  label,
  type ModalComponentInput,
  radioGroup,
  row,
  textInput,
} from 'rapport-sdk/components'
import { anyText, select } from './components-selects'
import { after, customId, flag, maybeLiteral, range, textOf } from './components-texts'

const groupOptions = fc.array(
  maybeLiteral(
    after(
      fc.tuple(textOf(0, 100), textOf(1, 100)).map(([name, value]) => groupOption(name, value)),
      textOf(0, 100).map((value) => (made) => made.withDescription(value)),
      flag.map((value) => (made) => made.withDefault(value)),
    ),
  ),
  { minLength: 2, maxLength: 10 },
)
const input = after(
  fc.tuple(fc.constantFrom('small', 'paragraph'), customId).map(([kind, id]) => textInput[kind as 'small'](id)),
  textOf(0, 100).map((value) => (made) => made.withPlaceholder(value)),
  range(4000).map(
    ([least, most]) =>
      (made) =>
        made.withMinLength(least).withMaxLength(most),
  ),
  textOf(0, 4000).map((value) => (made) => made.withValue(value)),
  flag.map((value) => (made) => made.withRequired(value)),
)
const uploads = after(
  customId.map((id) => fileUpload(id)),
  range(10).map(
    ([least, most]) =>
      (made) =>
        made.withMinValues(least).withMaxValues(most),
  ),
  flag.map((value) => (made) => made.withRequired(value)),
)
const radios = fc
  .tuple(customId, groupOptions, flag)
  .map(([id, options, value]) => radioGroup(id, options).withRequired(value))
const boxes = fc.tuple(customId, groupOptions, range(10)).map(([id, options, [least, most]]) => {
  return checkboxGroup(id, options).withMinValues(least).withMaxValues(most)
})
const box = fc.tuple(customId, flag).map(([id, value]) => checkbox(id).withDefault(value))
const fields: fc.Arbitrary<LabelChildInput> = maybeLiteral(
  fc.oneof(
    input,
    uploads,
    radios,
    boxes,
    box,
    fc.tuple(select, flag).map(([made, value]) => made.withRequired(value)),
  ),
)
const labels = maybeLiteral(
  after(
    fc.tuple(textOf(0, 45), fields).map(([name, field]) => label(name, field)),
    textOf(0, 100).map((value) => (made) => made.withDescription(value)),
  ),
)

/** What may stand at the top of a modal. */
export const modalPart: fc.Arbitrary<ModalComponentInput> = fc.oneof(
  { weight: 4, arbitrary: labels },
  anyText,
  input.map((made) => row(made)),
)
