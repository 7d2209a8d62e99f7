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
import { anyText, customId, flag, maybeLiteral, range, select, textOf, withSteps } from './components-parts'

const groupOptions = fc.array(
  maybeLiteral(
    withSteps(
      fc.tuple(textOf(0, 100), textOf(1, 100)).map(([name, value]) => groupOption(name, value)),
      textOf(0, 100).map((value) => (component) => component.withDescription(value)),
      flag.map((value) => (component) => component.withDefault(value)),
    ),
  ),
  { minLength: 2, maxLength: 10 },
)
const input = withSteps(
  fc.tuple(fc.constantFrom('small', 'paragraph'), customId).map(([kind, id]) => textInput[kind as 'small'](id)),
  textOf(0, 100).map((value) => (component) => component.withPlaceholder(value)),
  range(4000).map(
    ([min, max]) =>
      (component) =>
        component.withMinLength(min).withMaxLength(max),
  ),
  textOf(0, 4000).map((value) => (component) => component.withValue(value)),
  flag.map((value) => (component) => component.withRequired(value)),
)
const uploads = withSteps(
  customId.map((id) => fileUpload(id)),
  range(10).map(
    ([min, max]) =>
      (component) =>
        component.withMinValues(min).withMaxValues(max),
  ),
  flag.map((value) => (component) => component.withRequired(value)),
)
const radios = fc
  .tuple(customId, groupOptions, flag)
  .map(([id, options, value]) => radioGroup(id, options).withRequired(value))
const boxes = fc.tuple(customId, groupOptions, range(10)).map(([id, options, [min, max]]) => {
  return checkboxGroup(id, options).withMinValues(min).withMaxValues(max)
})
const box = fc.tuple(customId, flag).map(([id, value]) => checkbox(id).withDefault(value))
const fields: fc.Arbitrary<LabelChildInput> = maybeLiteral(
  fc.oneof(
    input,
    uploads,
    radios,
    boxes,
    box,
    fc.tuple(select, flag).map(([component, value]) => component.withRequired(value)),
  ),
)
const labels = maybeLiteral(
  withSteps(
    fc.tuple(textOf(0, 45), fields).map(([name, field]) => label(name, field)),
    textOf(0, 100).map((value) => (component) => component.withDescription(value)),
  ),
)

/** Top-level components of a modal. */
export const modalPart: fc.Arbitrary<ModalComponentInput> = fc.oneof(
  { weight: 4, arbitrary: labels },
  anyText,
  input.map((component) => row(component)),
)
