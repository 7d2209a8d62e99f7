import fc from 'fast-check'
import { anyJson, anyString } from './arbitraries'

type Wire = Record<string, unknown>

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const text = (min: number, max: number) => anyString({ minLength: min, maxLength: max })
const flag = fc.boolean()
let counter = 0
const customId = fc.constant(null).map(() => `id-${++counter}`)

/** Received media. API, "Unfurled Media Item". */
const media = fc.record(
  {
    url: fc.webUrl(),
    id: fc.constant('1'),
    proxy_url: fc.webUrl(),
    height: fc.option(fc.nat(5000)),
    width: fc.option(fc.nat(5000)),
    flags: fc.nat(8),
    content_type: fc.constantFrom('image/png', 'text/plain'),
    content_scan_metadata: anyJson,
    placeholder_version: fc.constant(1),
    placeholder: fc.base64String(),
    loading_state: fc.nat(3),
    attachment_id: fc.constant('2'),
  },
  { requiredKeys: ['url'] },
)

/** A received component without undefined fields. Its `id` is 0 if it is from before the v2 system. */
function received(type: number, fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Wire> {
  return fc.tuple(fc.record(fields), fc.boolean()).map(([values, isOld]) => {
    const entries = Object.entries({ type, id: isOld ? 0 : ++counter, ...values })
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
  })
}

const label = maybe(text(0, 80))
const button = fc.oneof(
  received(2, { style: fc.integer({ min: 1, max: 4 }), custom_id: customId, label, disabled: maybe(flag) }),
  received(2, { style: fc.constant(5), url: fc.webUrl(), label }),
  received(2, { style: fc.constant(6), sku_id: fc.constant('1') }),
)
const options = fc.array(fc.record({ label: text(0, 100), value: text(1, 100), default: flag }), { maxLength: 25 })
const bounds = { placeholder: maybe(text(0, 150)), min_values: fc.nat(1), max_values: fc.integer({ min: 1, max: 25 }) }
const select = fc.oneof(
  received(3, { custom_id: customId, options, disabled: maybe(flag), ...bounds }),
  ...[5, 6, 7, 8].map((type) => received(type, { custom_id: customId, ...bounds })),
)
const display = received(10, { content: text(1, 50) })
const picture = { description: fc.option(text(0, 100)), spoiler: flag }

/** Components that cannot be sent: receive-only and undocumented types. */
const unsendable: fc.Arbitrary<Wire> = fc.oneof(
  received(16, { content_inventory_entry: anyJson }),
  received(20, { checkpoint_data: anyJson }),
  fc.constantFrom(15, 24, 99, 1000).chain((type) => received(type, { components: anyJson, content: anyJson })),
)

const row = fc.oneof(
  received(1, { components: fc.array(fc.oneof({ weight: 6, arbitrary: button }, unsendable), { maxLength: 5 }) }),
  received(1, { components: select.map((one) => [one]) }),
)
const section = received(9, {
  components: fc.array(fc.oneof({ weight: 6, arbitrary: display }, unsendable), { minLength: 1, maxLength: 3 }),
  accessory: fc.oneof({ weight: 4, arbitrary: button }, received(11, { media, ...picture }), unsendable),
})
const gallery = received(12, { items: fc.array(fc.record({ media, ...picture }), { minLength: 1, maxLength: 10 }) })
const file = received(13, { file: media, name: text(1, 60), size: fc.nat(), spoiler: flag })
const separator = received(14, { divider: flag, spacing: fc.integer({ min: 1, max: 2 }) })
const child = fc.oneof(row, display, section, gallery, file, separator, unsendable)
const container = received(17, {
  components: fc.array(child, { minLength: 1, maxLength: 5 }),
  accent_color: fc.option(fc.nat(0xffffff)),
  spoiler: flag,
})

/** The components of a received message, including undocumented ones. */
export const receivedComponents: fc.Arbitrary<Wire[]> = fc.array(fc.oneof(child, container), { maxLength: 6 })

const type = fc.oneof({ weight: 9, arbitrary: fc.integer({ min: 1, max: 23 }) }, anyJson)
/** Any value, rarely a large one. */
const anyValue = fc.oneof(fc.string({ maxLength: 5 }), fc.nat(7), fc.boolean(), fc.constant(null), anyJson)
const anyFields = {
  type,
  id: fc.oneof(fc.nat(30), fc.constantFrom(0, -1, 2 ** 31 - 1), anyValue),
  custom_id: fc.oneof(fc.constantFrom('a', 'b', ''), anyValue),
  content: anyValue,
  style: anyValue,
  url: anyValue,
  options: anyValue,
  media: fc.oneof(media, anyValue),
  file: fc.oneof(media, anyValue),
  items: fc.oneof(fc.array(fc.record({ media }), { maxLength: 3 }), anyValue),
  name: anyValue,
  label: anyValue,
}

/** A component tree with any types, fields and children, rarely a valid one. */
const { tree } = fc.letrec<{ tree: Wire }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3 },
    fc.record(anyFields, { requiredKeys: ['type'] }),
    fc.record({ ...anyFields, components: fc.oneof(fc.array(tie('tree'), { maxLength: 3 }), anyValue) }),
    fc.record({
      type,
      accessory: fc.oneof(tie('tree'), anyValue),
      components: fc.array(tie('tree'), { maxLength: 2 }),
    }),
    fc.record({ type, component: fc.oneof(tie('tree'), anyValue), label: anyValue }),
  ),
}))

/** Arrays of such trees. */
export const anyTrees = fc.array(tree, { maxLength: 4 })
