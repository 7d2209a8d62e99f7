import {
  buttonOf,
  containerOf,
  labelOf,
  legacyOf,
  messageOf,
  modalOf,
  type PlainObject,
  rowOf,
  textOf,
} from './json-components'

/** A message or modal to validate, and the path of the component under test in it. */
export interface PlacedComponent {
  readonly as: 'message' | 'modal'
  readonly value: PlainObject
  readonly at: readonly (string | number)[]
}

const inMessage = (value: PlainObject, ...at: (string | number)[]): PlacedComponent => ({ as: 'message', value, at })
const inModal = (value: PlainObject, ...at: (string | number)[]): PlacedComponent => ({ as: 'modal', value, at })

/** Functions that put a component into a message or modal, whether it is allowed there or not. */
export const PLACES = {
  'top level of a message': (component: unknown) => inMessage(messageOf(component), 'components', 0),
  'top level of a legacy message': (component: unknown) => inMessage(legacyOf(component), 'components', 0),
  'top level of a modal': (component: unknown) => inModal(modalOf(component), 'components', 0),
  'row of a message': (component: unknown) => inMessage(messageOf(rowOf(component)), 'components', 0, 'components', 0),
  'row of a legacy message': (component: unknown) =>
    inMessage(legacyOf(rowOf(component)), 'components', 0, 'components', 0),
  'row of a modal': (component: unknown) => inModal(modalOf(rowOf(component)), 'components', 0, 'components', 0),
  'row of a container': (component: unknown) =>
    inMessage(messageOf(containerOf(rowOf(component))), 'components', 0, 'components', 0, 'components', 0),
  'texts of a section': (component: unknown) =>
    inMessage(
      messageOf({ type: 9, components: [component], accessory: buttonOf() }),
      ...['components', 0, 'components', 0],
    ),
  'accessory of a section': (accessory: unknown) =>
    inMessage(messageOf({ type: 9, components: [textOf('A text')], accessory }), 'components', 0, 'accessory'),
  container: (component: unknown) => inMessage(messageOf(containerOf(component)), 'components', 0, 'components', 0),
  label: (component: unknown) => inModal(modalOf(labelOf(component)), 'components', 0, 'component'),
} as const satisfies Record<string, (component: unknown) => PlacedComponent>

export type Place = keyof typeof PLACES

/** Returns a place with its article, for test titles: `the top level of a message`. */
export const placeName = (place: Place): string =>
  /^(?:top|texts|accessory)/.test(place) ? `the ${place}` : `a ${place}`

/** A valid place for each type that can be sent. API, "Component Type" and the placement of each. */
export const DEFAULT_PLACE: Readonly<Record<number, Place>> = {
  1: 'top level of a message',
  2: 'row of a message',
  3: 'row of a message',
  4: 'label',
  5: 'row of a message',
  6: 'row of a message',
  7: 'row of a message',
  8: 'row of a message',
  9: 'top level of a message',
  10: 'top level of a modal',
  11: 'accessory of a section',
  12: 'top level of a message',
  13: 'top level of a message',
  14: 'top level of a message',
  17: 'top level of a message',
  18: 'top level of a modal',
  19: 'label',
  21: 'label',
  22: 'label',
  23: 'label',
}

/** Puts a component where its type is allowed. */
export function placeCorrectly(component: PlainObject): PlacedComponent {
  const place = DEFAULT_PLACE[Number(component.type)]
  if (place === undefined) throw new Error(`type ${component.type} is not allowed anywhere`)
  return PLACES[place](component)
}

/** Returns a copy with a value set at a path. */
export function copyWith(base: PlainObject, path: readonly (string | number)[], value: unknown): PlainObject {
  const copy = structuredClone(base)
  let owner: unknown = copy
  for (const key of path.slice(0, -1)) owner = Reflect.get(Object(owner), key)
  Reflect.set(Object(owner), path.at(-1) ?? '', value)
  return copy
}

/** Returns a copy without the field at a path. */
export function copyWithout(base: PlainObject, path: readonly (string | number)[]): PlainObject {
  const copy = structuredClone(base)
  let owner: unknown = copy
  for (const key of path.slice(0, -1)) owner = Reflect.get(Object(owner), key)
  Reflect.deleteProperty(Object(owner), path.at(-1) ?? '')
  return copy
}
