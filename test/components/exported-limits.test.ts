import { LIMITS } from 'rapport-sdk/components'
import { expect, test } from 'vitest'

const customId = { min: 1, max: 100 }
const values = { min_values: { max: 25 }, max_values: { max: 25 }, placeholder: { max: 150 } }
const auto = { custom_id: customId, ...values, default_values: { max: 25 } }

// Interface, "Limits", typed by hand.
const EXPECTED: Readonly<Record<string, object>> = {
  message: { components: { max: 40 }, text: { max: 4000 } },
  row: { components: { max: 5 } },
  button: { custom_id: customId, label: { max: 80 }, url: { max: 512 } },
  stringSelect: { custom_id: customId, options: { max: 25 }, ...values },
  option: { label: { max: 100 }, value: { min: 1, max: 100 }, description: { max: 100 } },
  userSelect: auto,
  roleSelect: auto,
  mentionableSelect: auto,
  channelSelect: auto,
  textInput: {
    custom_id: customId,
    label: { max: 45 },
    min_length: { max: 4000 },
    max_length: { min: 1, max: 4000 },
    value: { max: 4000 },
    placeholder: { max: 100 },
  },
  section: { components: { min: 1, max: 3 } },
  text: { content: { min: 1, max: 4000 } },
  thumbnail: { description: { max: 1024 } },
  mediaGallery: { items: { min: 1, max: 10 } },
  galleryItem: { description: { max: 1024 } },
  container: { components: { min: 1, max: 10 } },
  label: { label: { max: 45 }, description: { max: 100 } },
  fileUpload: { custom_id: customId, min_values: { max: 10 }, max_values: { max: 10 } },
  radioGroup: { custom_id: customId, options: { min: 2, max: 10 } },
  checkboxGroup: {
    custom_id: customId,
    options: { min: 2, max: 10 },
    min_values: { max: 10 },
    max_values: { min: 1, max: 10 },
  },
  groupOption: { label: { max: 100 }, value: { min: 1, max: 100 }, description: { max: 100 } },
  checkbox: { custom_id: customId },
}

const exported: Readonly<Record<string, unknown>> = { ...LIMITS }

test.each(Object.entries(EXPECTED))('LIMITS.%s has the limits of the document', (name, limits) => {
  expect(exported[name]).toEqual(limits)
})

test('a media url has its limit, wherever it stands', () => {
  expect(JSON.stringify(LIMITS)).toContain('"url":{"max":2048}')
})

test('no limit is exported that the document does not have', () => {
  const others = Object.entries(LIMITS).filter(([name]) => EXPECTED[name] === undefined)
  for (const [name, limits] of others) {
    expect(['{}', '{"url":{"max":2048}}'], name).toContain(JSON.stringify(limits))
  }
})
