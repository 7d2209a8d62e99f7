import {
  assignIds,
  countComponents,
  disableAll,
  findByCustomId,
  findById,
  fromJSON,
  isComponentError,
  mapComponents,
  parseComponents,
  replaceByCustomId,
  replaceById,
  textLength,
  toSendable,
  validateComponent,
  validateMessage,
  validateModal,
  walk,
} from 'rapport-sdk/components'
import type { PlacedComponent } from './json-components'

/** Wraps `innermost` in `depth` levels. */
export function nested(
  depth: number,
  level: (inner: unknown) => unknown,
  innermost: unknown = textAtTheEnd(),
): unknown {
  let value = innermost
  for (let index = 0; index < depth; index += 1) value = level(value)
  return value
}

const textAtTheEnd = () => ({ type: 10, content: 'a' })

/** Returns an object that throws on every access. */
export function throwing(): object {
  const fail = (): never => {
    throw new Error('do not read me')
  }
  return new Proxy({}, { get: fail, has: fail, ownKeys: fail, getOwnPropertyDescriptor: fail, getPrototypeOf: fail })
}

/** Returns a copy in which a getter that throws replaces one property. */
export function withThrowing(value: object, key: string): object {
  return Object.defineProperty({ ...value }, key, {
    enumerable: true,
    get() {
      throw new Error('do not read me')
    },
  })
}

/** Returns a container that contains itself. */
export function cyclic(): Record<string, unknown> {
  const container: Record<string, unknown> = { type: 17 }
  container.components = [textAtTheEnd(), container]
  return container
}

function cyclicArray(): unknown[] {
  const list: unknown[] = []
  list.push(list)
  return list
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

class Component {
  type = 10
  content = ''
}

/** Values that are not valid components and that no caller passes on purpose. */
export const READABLE_VALUES: readonly (readonly [name: string, make: () => unknown])[] = [
  ['undefined', () => undefined],
  ['null', () => null],
  ['a number', () => 5],
  ['not a number', () => Number.NaN],
  ['infinity', () => Number.POSITIVE_INFINITY],
  ['a big integer', () => 10n],
  ['a string', () => 'type'],
  ['a long string', () => 'x'.repeat(1_000_000)],
  ['a symbol', () => Symbol('type')],
  ['a function', () => () => ({ type: 10 })],
  ['a date', () => new Date(0)],
  ['a map', () => new Map([['type', 10]])],
  ['a set', () => new Set([{ type: 10 }])],
  ['a promise', () => Promise.resolve({ type: 10 })],
  ['bytes', () => new Uint8Array(8)],
  ['a class', () => class {}],
  ['an instance of a class', () => new Component()],
  ['an object without a prototype', () => Object.assign(Object.create(null), { type: 99 })],
  ['an array', () => [[]]],
  ['a sparse array', () => Array(3)],
  ['an array-like object', () => ({ length: 2, 0: { type: 10 }, 1: { type: 10 } })],
  ['a cycle', cyclic],
  ['a cyclic array', cyclicArray],
  ['a proxy of an invalid component', () => new Proxy({ type: 10, content: '' }, {})],
]

/** The same, and values that throw when they are read, as no parsed JSON does. */
export const ODD_VALUES: typeof READABLE_VALUES = [
  ...READABLE_VALUES,
  ['an object that throws on every access', throwing],
  ['a component whose type throws', () => withThrowing(textAtTheEnd(), 'type')],
  ['a component whose content throws', () => withThrowing(textAtTheEnd(), 'content')],
  ['a row whose components getter throws', () => withThrowing({ type: 1 }, 'components')],
  ['a revoked proxy', revoked],
]

/** Returns the result of a function, or a marker if it throws a `ComponentError`. Rethrows any other error. */
export function resultOf<T>(run: () => T): T | 'a ComponentError' {
  try {
    return run()
  } catch (error) {
    if (isComponentError(error)) return 'a ComponentError'
    throw error
  }
}

type Options = Parameters<typeof validateMessage>[1]
/** An error or warning of a validation. */
export type Issue = Extract<ReturnType<typeof validateMessage>, { ok: false }>['issues'][number]

const VALIDATE = { message: validateMessage, modal: validateModal, component: validateComponent }

/** A value to validate as a message, a modal or a component. */
interface ValidationInput {
  readonly as: keyof typeof VALIDATE
  readonly value: unknown
}

/** Returns the errors of a message, a modal or a component; an empty array if it is valid. */
export function errorsOf({ as, value }: ValidationInput, options?: Options): readonly Issue[] {
  const result = VALIDATE[as](value, options)
  return result.ok ? [] : result.issues
}

/** Returns the errors as lines: `components.0.label: too_long, limit 80, actual 81`. */
export function errorLines(checked: ValidationInput, options?: Options): string[] {
  return errorsOf(checked, options).map(({ path, code, limit, actual }) => {
    const passed = limit === undefined ? '' : `, limit ${limit}, actual ${JSON.stringify(actual)}`
    return `${path.join('.')}: ${code}${passed}`
  })
}

/** Returns the paths of the errors: `components.0.label`. */
export const errorPaths = (checked: ValidationInput, options?: Options): string[] =>
  errorsOf(checked, options).map(({ path }) => path.join('.'))

/** Whether there are errors, all of them at the component or one of its fields. */
export function isRejectedAt({ at, ...checked }: PlacedComponent): boolean {
  const errors = errorsOf(checked)
  return errors.length > 0 && errors.every(({ path }) => at.every((key, index) => path[index] === key))
}

type Source = Parameters<typeof walk>[0]
const replacement = { type: 2, style: 6, sku_id: '1' } as const

/** Public functions that read or edit components, by name. */
export const READERS: readonly (readonly [name: string, read: (value: unknown) => unknown])[] = [
  ['walk', (value) => [...walk(value as Source)]],
  ['countComponents', (value) => countComponents(value as Source)],
  ['textLength', (value) => textLength(value as Source)],
  ['findById', (value) => findById(value as Source, 12345)],
  ['findByCustomId', (value) => findByCustomId(value as Source, 'nobody')],
  ['replaceByCustomId', (value) => replaceByCustomId(value as Source, 'a', replacement)],
  ['fromJSON', (value) => fromJSON(value as never)],
  ['replaceById', (value) => replaceById(value as Source, 12345, replacement)],
  ['mapComponents', (value) => mapComponents(value as Source, (component) => component)],
  ['disableAll', (value) => disableAll(value as Source)],
  ['assignIds', (value) => assignIds(value as Source)],
  ['toSendable', (value) => toSendable(value as Source)],
  ['parseComponents', (value) => parseComponents(value)],
]

/** Public validators, by name. */
export const VALIDATORS = [
  ['validateMessage', validateMessage],
  ['validateModal', validateModal],
  ['validateComponent', validateComponent],
] as const
