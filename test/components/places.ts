import { buttonOf, containerOf, labelOf, legacyOf, messageOf, modalOf, rowOf, textOf, type Wire } from './wire'

/** Something to check: as what, and where in it the component in question is. */
export interface Given {
  readonly as: 'message' | 'modal'
  readonly value: Wire
  readonly at: readonly (string | number)[]
}

const inMessage = (value: Wire, ...at: (string | number)[]): Given => ({ as: 'message', value, at })
const inModal = (value: Wire, ...at: (string | number)[]): Given => ({ as: 'modal', value, at })

/** Where a component may be put, rightly or not. */
export const PLACES = {
  'top of a message': (component: unknown) => inMessage(messageOf(component), 'components', 0),
  'top of a legacy message': (component: unknown) => inMessage(legacyOf(component), 'components', 0),
  'top of a modal': (component: unknown) => inModal(modalOf(component), 'components', 0),
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
} as const satisfies Record<string, (component: unknown) => Given>

export type Place = keyof typeof PLACES

/** A place where each type that can be sent is right. Interface, "Component Type" and the placement of each. */
export const HOME: Readonly<Record<number, Place>> = {
  1: 'top of a message',
  2: 'row of a message',
  3: 'row of a message',
  4: 'label',
  5: 'row of a message',
  6: 'row of a message',
  7: 'row of a message',
  8: 'row of a message',
  9: 'top of a message',
  10: 'top of a modal',
  11: 'accessory of a section',
  12: 'top of a message',
  13: 'top of a message',
  14: 'top of a message',
  17: 'top of a message',
  18: 'top of a modal',
  19: 'label',
  21: 'label',
  22: 'label',
  23: 'label',
}

/** A component where its type is right. */
export function atHome(component: Wire): Given {
  const place = HOME[Number(component.type)]
  if (place === undefined) throw new Error(`type ${component.type} is right nowhere`)
  return PLACES[place](component)
}

/** A copy with a value put at a path. */
export function withAt(base: Wire, path: readonly (string | number)[], value: unknown): Wire {
  const copy = structuredClone(base)
  let owner: unknown = copy
  for (const key of path.slice(0, -1)) owner = Reflect.get(Object(owner), key)
  Reflect.set(Object(owner), path.at(-1) ?? '', value)
  return copy
}

/** A copy without what is at a path. */
export function without(base: Wire, path: readonly (string | number)[]): Wire {
  const copy = structuredClone(base)
  let owner: unknown = copy
  for (const key of path.slice(0, -1)) owner = Reflect.get(Object(owner), key)
  Reflect.deleteProperty(Object(owner), path.at(-1) ?? '')
  return copy
}
