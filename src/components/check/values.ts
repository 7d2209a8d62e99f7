import { characters, sizeBreach } from '../../contract/size'
import { isObject } from '../edge'
import type { Field } from '../table/row'
import { fail, failType, type Run } from './run'

/** Looks at the value of one field and reports what is wrong with it. It is never given `undefined`. */
export type Check = (value: unknown, run: Run) => void

type Kind<K extends Field['kind']> = Extract<Field, { readonly kind: K }>

export function textCheck({ min = 0, max = Infinity, prefix, nullable }: Kind<'text'>): Check {
  return (value, run) => {
    if (typeof value !== 'string') {
      if (value !== null || !nullable) failType(run, 'a string', value)
      return
    }
    let size = value.length
    if (size > max && !run.isUtf16) {
      run.work += size / 100
      size = characters(value)
    }
    if (size < min || size > max) for (const breach of sizeBreach(size, 'characters', { min, max })) fail(run, breach)
    if (prefix && !(value.length > prefix.length && value.startsWith(prefix))) {
      fail(run, { code: 'invalid_format', message: `expected ${prefix} and the name of a file`, actual: value })
    }
  }
}

export function integerCheck(field: Kind<'integer'>): Check {
  const { min = -Infinity, max = Infinity, nullable } = field
  const values = field.values && Object.values(field.values)
  return (value, run) => {
    if (typeof value !== 'number' || !Number.isInteger(value)) {
      if (value !== null || !nullable) failType(run, 'an integer', value)
    } else if (value < min || value > max) {
      const limit = value < min ? min : max
      const message = `${value}, at ${value < min ? 'least' : 'most'} ${limit}`
      fail(run, { code: 'invalid_value', message, limit, actual: value })
    } else if (values && !values.includes(value)) {
      fail(run, { code: 'invalid_value', message: `${value}, expected one of ${values.join(', ')}`, actual: value })
    }
  }
}

export const booleanCheck: Check = (value, run) => {
  if (typeof value !== 'boolean') failType(run, 'a boolean', value)
}

/** An object whose fields the document does not show. */
export const openCheck: Check = (value, run) => {
  if (!isObject(value)) failType(run, 'an object', value)
}
