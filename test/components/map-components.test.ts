import {
  button,
  type Child,
  ComponentError,
  container,
  countComponents,
  isButton,
  isContainer,
  isText,
  mapComponents,
  messageV2,
  type Page,
  paginate,
  parseComponents,
  replaceById,
  row,
  section,
  separator,
  text,
  textLength,
  thumbnail,
  validateMessage,
} from 'rapport-sdk/components'
import { describe, expect, test, vi } from 'vitest'

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
const yes = button.success('yes', 'Yes')
const no = button.danger('no', 'No')
const message = messageV2('Sure?', container(section('A').withAccessory(yes.withCustomId('more')), row(yes, no)))

describe('mapComponents', () => {
  test('returns the source itself if nothing changes', () => {
    expect(mapComponents(message, (component) => component)).toBe(message)
  })

  test('replaces components and shares what is unchanged', () => {
    const changed = mapComponents(message, (component) => (component === no ? no.withDisabled() : component))
    expect(plain(changed)).toEqual(
      plain(
        messageV2(
          'Sure?',
          container(section('A').withAccessory(yes.withCustomId('more')), row(yes, no.withDisabled())),
        ),
      ),
    )
    expect(changed.components[0]).toBe(message.components[0])
    expect(changed.components[1]).toHaveProperty('withAccentColor')
    expect(Object.isFrozen(changed.components)).toBe(true)
  })

  test.each([null, undefined, false] as const)('removes a component for %s', (nothing) => {
    const changed = mapComponents(message, (component) => (component === no ? nothing : component))
    expect(JSON.stringify(changed)).not.toContain('"no"')
    expect(countComponents(changed)).toBe(countComponents(message) - 1)
  })

  test('a parent that loses its last or a required child is removed too', () => {
    const changed = mapComponents(message, (component) => !isButton(component) && component)
    expect(plain(changed)).toEqual({ flags: 32768, components: [{ type: 10, content: 'Sure?' }] })
  })

  test('inserts the components of an array, which are not visited', () => {
    const seen: number[] = []
    const changed = mapComponents(message, (component) => {
      seen.push(component.type)
      return isText(component) && component.content === 'Sure?'
        ? [component, separator(), [text('Really?')]]
        : component
    })
    expect(changed.components.map(({ type }) => type)).toEqual([10, 14, 10, 17])
    expect(seen).toEqual([10, 10, 2, 9, 2, 2, 1, 17])
  })

  test('can wrap a component without an endless loop', () => {
    const changed = mapComponents(messageV2('A'), (component) => (isText(component) ? container(component) : component))
    expect(plain(changed)).toEqual(plain(messageV2(container('A'))))
  })

  test('passes paths of the source and original parents', () => {
    const visits: unknown[] = []
    mapComponents(message, (component, path, parent) => {
      if (isButton(component)) visits.push([path.join('.'), parent?.type])
      return component
    })
    expect(visits).toEqual([
      ['components.1.components.0.accessory', 9],
      ['components.1.components.1.components.0', 1],
      ['components.1.components.1.components.1', 1],
    ])
  })

  test('throws for several components in place of one', () => {
    const duplicate = (component: Parameters<Parameters<typeof mapComponents>[1]>[0]): Child<typeof component> =>
      isButton(component) ? [component, component] : component
    expect(() => mapComponents(section('A').withAccessory(yes), duplicate)).toThrow(ComponentError)
    expect(() => mapComponents(section('A').withAccessory(yes), duplicate)).toThrow(
      'accessory: 2 components in place of one',
    )
  })

  test('accepts received arrays and keeps unknown types', () => {
    const received = parseComponents([
      { type: 99, id: 1 },
      { type: 10, id: 2, content: 'A' },
    ])
    expect(mapComponents(received, (component) => !isText(component) && component)).toEqual([{ type: 99, id: 1 }])
  })
})

const numbered = messageV2(text('A').withId(7), container('B').withId(8))

test('replaceById replaces the component with the id', () => {
  expect(plain(replaceById(numbered, 7, text('C')))).toEqual(plain(messageV2('C', container('B').withId(8))))
  const changed = replaceById(numbered, 8, (component) =>
    isContainer(component) ? container('D').withId(8) : text('never'),
  )
  expect(plain(changed)).toEqual(plain(messageV2(text('A').withId(7), container('D').withId(8))))
})

test('replaceById returns the source itself if no component has the id', () => {
  expect(replaceById(numbered, 9, text('C'))).toBe(numbered)
  expect(replaceById(messageV2(text('A').withId(0)), 0, text('C')).components[0]).toHaveProperty('content', 'A')
})

describe('paginate', () => {
  const items = Array.from({ length: 95 }, (_, index) => `Item ${index}`)

  test('keeps all items in their order, within 10 components in a container', () => {
    const pages = paginate(items, (shown, { index, count }) => messageV2(container(shown), `${index + 1}/${count}`))
    expect(pages).toHaveLength(10)
    expect(pages.every((page) => validateMessage(page).ok)).toBe(true)
    const texts = pages.flatMap((page) => JSON.stringify(page).match(/Item \d+/g))
    expect(texts).toEqual(items)
    expect(JSON.stringify(pages[9])).toContain('10/10')
  })

  test('stays within 40 components in total', () => {
    const picture = thumbnail('https://example.test/a.png')
    const pages = paginate(items, (shown) =>
      messageV2(
        shown.map((item) => section(item).withAccessory(picture)),
        row(button.primary('next', 'Next')),
      ),
    )
    expect(pages.map(countComponents)).toEqual([38, 38, 38, 38, 38, 38, 38, 35])
    expect(pages.every((page) => validateMessage(page).ok)).toBe(true)
  })

  test('stays within 4000 characters of text', () => {
    const pages = paginate(['a', 'b', 'c', 'd', 'e'], (shown) => messageV2(shown.map((item) => item.repeat(1500))))
    expect(pages.map((page) => textLength(page))).toEqual([3000, 3000, 1500])
  })

  test('returns one page without items if there are none', () => {
    expect(paginate([], (shown) => messageV2('Nothing', shown.map(String)))).toEqual([messageV2('Nothing')])
  })

  test('puts at most five buttons into a row', () => {
    const names = Array.from({ length: 12 }, (_, index) => `b${index}`)
    const pages = paginate(names, (shown) => messageV2(row(shown.map((name) => button.primary(name, name)))))
    expect(pages.map((page) => countComponents(page) - 1)).toEqual([5, 5, 2])
  })

  test('mapComponents inserts 200,000 components', () => {
    const many = Array.from({ length: 200_000 }, () => ({ type: 10 as const, content: 'A' }))
    expect(mapComponents(messageV2('A'), () => many).components).toHaveLength(200_000)
  })

  test('mapComponents passes on what its visitor throws', () => {
    const boom = new Error('boom')
    const throwing = () => {
      throw boom
    }
    expect(() => mapComponents(messageV2('Hello'), throwing)).toThrow(boom)
  })

  test('adds controls as the last row of each page, which stays a built one', () => {
    const controls = ({ index, count }: Page) => row(button.primary(`${index}`, `${index + 1}/${count}`))
    const pages = paginate(items, (shown) => messageV2(container(shown)), { controls })
    expect(pages).toHaveLength(10)
    expect(pages.every((page) => validateMessage(page).ok)).toBe(true)
    expect(pages[9]?.components.at(-1)).toEqual(controls({ index: 9, count: 10 }))
    expect(Object.getPrototypeOf(pages[9])).toBe(Object.getPrototypeOf(messageV2('A')))
    expect(Object.isFrozen(pages[9]?.components)).toBe(true)
    const legacy = paginate(['A', 'B'], (shown) => ({ content: shown.join(), components: shown.map(() => row(yes)) }), {
      controls,
    })
    expect(legacy).toEqual([{ content: 'A,B', components: [row(yes), row(yes)] }])
  })

  test('adds no controls to the only page, even if they would not fit on it', () => {
    const forty = (shown: readonly string[]) => messageV2(shown.map((item) => text(item)))
    const controls = vi.fn(({ index }: Page) => row(button.primary(`${index}`, 'Next')))
    expect(paginate(items.slice(0, 40), forty, { controls }).map(countComponents)).toEqual([40])
    expect(paginate([], forty, { controls }).map(countComponents)).toEqual([0])
    expect(controls).not.toHaveBeenCalled()
    expect(paginate(items.slice(0, 41), forty, { controls }).map(countComponents)).toEqual([40, 5])
  })

  test('throws if one item does not fit', () => {
    expect(() => paginate(['a', 'b'], (shown) => messageV2(shown.map((item) => item.repeat(4001))))).toThrow(
      'components: 4001 characters of text in total, at most 4000',
    )
  })
})
