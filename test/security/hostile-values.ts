import { PLANTED } from './planted-secrets'

/** Returns an error that an app or a library might throw, with a text in each place that errors have. */
export const errorWith = (text: string) =>
  Object.assign(new TypeError(`it was ${text}`, { cause: new Error(text) }), { code: 'EFAILED', sent: { text } })

/** Returns an object whose properties throw an error that quotes a secret. */
export function throwingObject(...names: readonly string[]): object {
  const get = () => {
    throw errorWith(PLANTED.token)
  }
  return Object.defineProperties({}, Object.fromEntries(names.map((name) => [name, { enumerable: true, get }])))
}

/** Returns a circular object with a secret. */
export function circularObject(): object {
  const value: Record<string, unknown> = { secret: PLANTED.password }
  value.self = value
  return value
}
