import {
  checkbox,
  checkboxGroup,
  fileUpload,
  groupOption,
  label,
  option,
  radioGroup,
  row,
  stringSelect,
  textInput,
  userSelect,
} from 'rapport-sdk/components'
import { describe, expect, test } from 'vitest'
import { render } from './render'

describe('labels', () => {
  test('they and their descriptions are linked to their control by id', () => {
    expect(render(label('Name', textInput.small('name')).withDescription('Of <you>'))).toBe(
      '<div class="rp-field"><label for="rapport-1">Name<span aria-hidden="true"> *</span></label>' +
        '<small id="rapport-1-hint">Of &#60;you&#62;</small>' +
        '<input type="text" class="rp-control" form="" id="rapport-1" aria-describedby="rapport-1-hint" required="" placeholder="" value=""></div>',
    )
  })

  test('those of a group render as the legend of a fieldset', () => {
    const html = render(label('Joining', radioGroup('a', groupOption('A', 'a'), groupOption('B', 'b'))))
    expect(html).toMatch(/^<fieldset class="rp-field"><legend>Joining<span/)
  })

  test.each([
    ['a text input', textInput.small('a'), true],
    ['an optional text input', textInput.small('a').withRequired(false), false],
    ['a select', stringSelect('a', option('A', 'a')), true],
    ['an optional user select', userSelect('a').withRequired(false), false],
    ['a file upload', fileUpload('a'), false],
    ['a required file upload', fileUpload('a').withRequired(true), true],
    ['a checkbox', checkbox('a'), false],
  ])('those of %s are marked as required: %s', (_, component, isRequired) => {
    const html = render(label('A', component))
    expect(html.includes(' *</span>')).toBe(isRequired)
    expect(html.includes('required=""')).toBe(isRequired)
  })

  test('the ids of a preview start with idPrefix', () => {
    const html = render(label('A', checkbox('a')), { idPrefix: 'my form"' })
    expect(html).toContain('<label for="my-form--1">')
    expect(html).toContain('<input type="checkbox" form="" id="my-form--1">')
  })
})

test('a text input has its lengths, its value and its placeholder', () => {
  const input = textInput.small('a').withMinLength(2).withMaxLength(9).withValue('A"').withPlaceholder('B"')
  const html = render(label('A', input))
  expect(html).toContain('placeholder="B&#34;" minlength="2" maxlength="9" value="A&#34;">')
})

test('a paragraph text input keeps a line break at the start of its value', () => {
  const html = render(label('A', textInput.paragraph('a').withValue('\n</textarea><b>')))
  expect(html).toContain('rows="3">\n\n&#60;/textarea&#62;&#60;b&#62;</textarea>')
})

test.each([-1, '3', null])('a text input has no lengths if they are %j', (length) => {
  const html = render({ type: 4, custom_id: 'a', style: 1, min_length: length, max_length: length })
  expect(html).not.toMatch(/minlength|maxlength/)
})

test('a text input in a row shows its own label', () => {
  const html = render(row({ type: 4, style: 1, custom_id: 'a', label: 'Name' }))
  expect(html).toMatch(
    /^<div class="rp-row"><div class="rp-field"><label for="rapport-1">Name<.*<input .*id="rapport-1"/,
  )
})

describe('selects', () => {
  const options = [option('A', 'a').withDescription('The first'), option('B', 'b')]

  test('have their options, and the placeholder is selected', () => {
    expect(render(row(stringSelect('s', ...options).withPlaceholder('Which?')))).toBe(
      '<div class="rp-row"><select class="rp-control" form="" aria-label="Which?">' +
        '<option value="" disabled="" selected="">Which?</option>' +
        '<option value="a">A – The first</option><option value="b">B</option></select></div>',
    )
  })

  test('have their default option selected', () => {
    const html = render(row(stringSelect('s', option('A', 'a'), option('B', 'b').withDefault())))
    expect(html).toContain('<option value="" disabled="">Select</option>')
    expect(html).toContain('<option value="b" selected="">B</option>')
  })

  test('those of several values show their placeholder, and open as a list of checkboxes', () => {
    expect(
      render(
        row(
          stringSelect('s', ...options)
            .withMaxValues(2)
            .withPlaceholder('Which?'),
        ),
      ),
    ).toBe(
      '<div class="rp-row"><details class="rp-control rp-multi"><summary>Which?</summary>' +
        '<label class="rp-choice"><input form="" type="checkbox" value="a"><span>A</span><small>The first</small></label>' +
        '<label class="rp-choice"><input form="" type="checkbox" value="b"><span>B</span></label></details></div>',
    )
  })

  test('those of several values show their default options instead of the placeholder', () => {
    const chosen = [option('A', 'a').withDefault(), option('B', 'b').withDefault(), option('C', 'c')]
    const select = stringSelect('s', ...chosen)
      .withMaxValues(2)
      .withPlaceholder('Which?')
    const html = render(row(select))
    expect(html).toContain('<summary>A, B</summary>')
    expect(html.match(/checked=""/g)).toHaveLength(2)
    expect(render(row(select.withDisabled()))).toMatch(
      /^<div class="rp-row"><select [^>]*aria-label="Which\?" disabled=""><option value="" disabled="" selected="">A, B</,
    )
  })

  test('the label of a select of several values renders as the legend of a fieldset', () => {
    const html = render(label('Days', stringSelect('s', ...options).withMaxValues(2)))
    expect(html).toMatch(/^<fieldset class="rp-field"><legend>Days<.*<details .*<\/details><\/fieldset>$/)
  })

  test.each([undefined, 0, 1, '2'])('with max_values %j are those of one value', (max_values) => {
    expect(render({ type: 3, custom_id: 's', options: [{ label: 'A', value: 'a' }], max_values })).toMatch(/^<select /)
  })

  test('those that are disabled in a message render so and not as required', () => {
    const html = render(row(stringSelect('s', ...options).withDisabled()))
    expect(html).toContain(' disabled="">')
    expect(html).not.toContain('required')
  })

  test.each([5, 6, 7, 8])('those of type %i show their default values by id', (type) => {
    const values = ['user', 'role', 'channel'].map((kind, at) => ({ id: `${at}`, type: kind }))
    const html = render({ type, custom_id: 's', default_values: values })
    expect(html).toContain('<option value="" selected="">@0</option><option value="" selected="">@1</option>')
    expect(html).toContain('<option value="" selected="">#2</option>')
  })
})

describe('groups', () => {
  const options = [groupOption('A', 'a').withDescription('First'), groupOption('B', 'b').withDefault()]

  test('the options of a radio group share a name and are required', () => {
    expect(render(label('G', radioGroup('g', ...options)))).toContain(
      '<label class="rp-choice"><input form="" type="radio" name="rapport-1" value="a" required=""><span>A</span><small>First</small></label>' +
        '<label class="rp-choice"><input form="" type="radio" name="rapport-1" value="b" checked="" required=""><span>B</span></label>',
    )
  })

  test('the options of a checkbox group are not required individually', () => {
    const html = render(label('G', checkboxGroup('g', ...options)))
    expect(html.match(/<input form="" type="checkbox"/g)).toHaveLength(2)
    expect(html).not.toContain('required')
    expect(html).toContain('G<span aria-hidden="true"> *</span>')
  })

  test('the radio groups of two labels have different names', () => {
    const one = label('G', radioGroup('g', ...options))
    expect(new Set(`${render({ type: 17, components: [one, one] })}`.match(/name="[^"]+"/g)).size).toBe(2)
  })
})

test('a file upload accepts several files only if max_values is above 1', () => {
  expect(render(label('F', fileUpload('f')))).toContain(' multiple="">')
  expect(render(label('F', fileUpload('f').withMaxValues(1)))).not.toContain('multiple')
})

test('a checkbox with default true is checked', () => {
  expect(render(label('C', checkbox('c').withDefault()))).toContain('checked="">')
})

test.each([4, 19, 21, 22, 23])('a component of type %i without a label component has a default label', (type) => {
  expect(render({ type, custom_id: 'a' })).toMatch(
    /^<(?:div|fieldset) class="rp-field"><(?:label for="rapport-1"|legend)>Field</,
  )
})
