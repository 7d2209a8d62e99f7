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
import { shown } from './body'

describe('a label', () => {
  test('and its control are tied together, and so is its description', () => {
    expect(shown(label('Name', textInput.small('name')).withDescription('Of <you>'))).toBe(
      '<div class="rp-field"><label for="rapport-1">Name<span aria-hidden="true"> *</span></label>' +
        '<small id="rapport-1-hint">Of &#60;you&#62;</small>' +
        '<input type="text" class="rp-control" form="" id="rapport-1" aria-describedby="rapport-1-hint" required="" placeholder="" value=""></div>',
    )
  })

  test('of a group is the legend of its fieldset', () => {
    const html = shown(label('Joining', radioGroup('a', groupOption('A', 'a'), groupOption('B', 'b'))))
    expect(html).toMatch(/^<fieldset class="rp-field"><legend>Joining<span/)
  })

  test.each([
    ['text input', textInput.small('a'), true],
    ['text input that is not', textInput.small('a').withRequired(false), false],
    ['select', stringSelect('a', option('A', 'a')), true],
    ['select of users that is not', userSelect('a').withRequired(false), false],
    ['file upload', fileUpload('a'), false],
    ['file upload that is', fileUpload('a').withRequired(true), true],
    ['checkbox', checkbox('a'), false],
  ])('says that a %s is required by default as the document has it', (_, component, isRequired) => {
    const html = shown(label('A', component))
    expect(html.includes(' *</span>')).toBe(isRequired)
    expect(html.includes('required=""')).toBe(isRequired)
  })

  test('begins its ids as it is told to', () => {
    const html = shown(label('A', checkbox('a')), { idPrefix: 'my form"' })
    expect(html).toContain('<label for="my-form--1">')
    expect(html).toContain('<input type="checkbox" form="" id="my-form--1">')
  })
})

describe('a text input', () => {
  test('has its lengths, its value and its placeholder', () => {
    const input = textInput.small('a').withMinLength(2).withMaxLength(9).withValue('A"').withPlaceholder('B"')
    const html = shown(label('A', input))
    expect(html).toContain('placeholder="B&#34;" minlength="2" maxlength="9" value="A&#34;">')
  })

  test('of several lines keeps the line break that it begins with', () => {
    const html = shown(label('A', textInput.paragraph('a').withValue('\n</textarea><b>')))
    expect(html).toContain('rows="3">\n\n&#60;/textarea&#62;&#60;b&#62;</textarea>')
  })

  test('in a row has the label of its own', () => {
    const html = shown(row({ type: 4, style: 1, custom_id: 'a', label: 'Name' }))
    expect(html).toMatch(
      /^<div class="rp-row"><div class="rp-field"><label for="rapport-1">Name<.*<input .*id="rapport-1"/,
    )
  })
})

describe('a select', () => {
  const options = [option('A', 'a').withDescription('The first'), option('B', 'b')]

  test('has its options, and its placeholder while nothing is chosen', () => {
    expect(shown(row(stringSelect('s', ...options).withPlaceholder('Which?')))).toBe(
      '<div class="rp-row"><select class="rp-control" form="" aria-label="Which?">' +
        '<option value="" disabled="" selected="">Which?</option>' +
        '<option value="a">A – The first</option><option value="b">B</option></select></div>',
    )
  })

  test('has what is chosen by default', () => {
    const html = shown(row(stringSelect('s', option('A', 'a'), option('B', 'b').withDefault())))
    expect(html).toContain('<option value="" disabled="">Select</option>')
    expect(html).toContain('<option value="b" selected="">B</option>')
  })

  test('of several values takes several', () => {
    expect(shown(row(stringSelect('s', ...options).withMaxValues(2)))).toContain('multiple="" size="3">')
  })

  test('that is disabled is disabled, and none in a message is required', () => {
    const html = shown(row(stringSelect('s', ...options).withDisabled()))
    expect(html).toContain(' disabled="">')
    expect(html).not.toContain('required')
  })

  test.each([5, 6, 7, 8])('of type %i shows what is chosen by its ID', (type) => {
    const html = shown({ type, custom_id: 's', default_values: [{ id: '12', type: 'user' }] })
    expect(html).toContain('<option value="" selected="">user – 12</option>')
  })
})

describe('a group', () => {
  const options = [groupOption('A', 'a').withDescription('First'), groupOption('B', 'b').withDefault()]

  test('of radios has one name, of which one is to be chosen', () => {
    expect(shown(label('G', radioGroup('g', ...options)))).toContain(
      '<label class="rp-choice"><input type="radio" form="" name="rapport-1" value="a" required=""><span>A</span><small>First</small></label>' +
        '<label class="rp-choice"><input type="radio" form="" name="rapport-1" value="b" checked="" required=""><span>B</span></label>',
    )
  })

  test('of checkboxes requires no single one', () => {
    const html = shown(label('G', checkboxGroup('g', ...options)))
    expect(html.match(/<input type="checkbox"/g)).toHaveLength(2)
    expect(html).not.toContain('required')
    expect(html).toContain('G<span aria-hidden="true"> *</span>')
  })

  test('of another label has another name', () => {
    const one = label('G', radioGroup('g', ...options))
    expect(new Set(`${shown({ type: 17, components: [one, one] })}`.match(/name="[^"]+"/g)).size).toBe(2)
  })
})

test('a file upload takes several files, where more than one is allowed', () => {
  expect(shown(label('F', fileUpload('f')))).toContain(' multiple="">')
  expect(shown(label('F', fileUpload('f').withMaxValues(1)))).not.toContain('multiple')
})

test('a checkbox is ticked by default where it says so', () => {
  expect(shown(label('C', checkbox('c').withDefault()))).toContain('checked="">')
})

test.each([4, 19, 21, 22, 23])('a component of type %i that stands alone has a label all the same', (type) => {
  expect(shown({ type, custom_id: 'a' })).toMatch(
    /^<(?:div|fieldset) class="rp-field"><(?:label for="rapport-1"|legend)>Field</,
  )
})
