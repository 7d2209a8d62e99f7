/** Defines `custom_id`s that carry typed parameters, and reads them back. The entry `rapport-sdk/components/custom-id`. */
import { ComponentError } from '../errors/client-errors'
import { countCharacters, createIssue, type Issue } from '../internal/issue'
import { CUSTOM_ID } from './schema'

/** Kind of a parameter: how its values are written into a `custom_id`. Those of {@link param}, or your own. */
export interface Param<Value> {
  /** Valid values, for errors: `expected an integer`. */
  readonly expects: string
  /** Returns the text of a value, or `undefined` if it is invalid. Different values need different texts. */
  write(value: Value): string | undefined
  /** Returns the value of a text, or `undefined`. Texts that `write` does not return for the value are rejected. */
  read(text: string): Value | undefined
}

/** Parameters of a {@link customId}, in the order in which they are written. */
export type ParamFields = Readonly<Record<string, Param<unknown>>>

/** Values of parameters. */
export type ParamsOf<Fields extends ParamFields> = {
  readonly [Name in keyof Fields]: Fields[Name] extends Param<infer Value> ? Value : never
}

function kind<T>(expects: string, write: Param<T>['write'], read: Param<T>['read']): Param<T> {
  return { expects, write, read }
}

const textKind = (expects: string, pattern: RegExp): Param<string> =>
  kind(expects, (value) => (typeof value === 'string' && pattern.test(value) ? value : undefined), String)

/** Kinds of parameters. */
export const param = {
  /** ID of a record, 1 to 20 digits; a `string`. That snowflakes are digits is a convention. */
  snowflake: textKind('1 to 20 digits', /^\d{1,20}$/),
  /** Whole number that JavaScript represents exactly. */
  integer: kind<number>('an integer', (n) => (Number.isSafeInteger(n) ? `${n}` : undefined), Number),
  /** Any string, also an empty one. It is written as it is, except `~`, `,` and `)`, which take two characters. */
  string: textKind('a string', /^/),
  /** `true` or `false`, written as `1` or `0`. */
  boolean: kind<boolean>(
    'a boolean',
    (b) => (b === !!b ? `${+b}` : undefined),
    (s) => s === '1',
  ),
  /** One of these strings. */
  oneOf<const Value extends string>(...values: readonly Value[]): Param<Value> {
    const find = (text: string) => values.find((value) => value === text)
    return kind<Value>(`one of ${values.join(', ')}`, find, find)
  },
}

/** Returns the parameters of the current version for the texts of an older one, or `undefined`, as for a foreign ID. */
export type Upgrade<Params> = (texts: readonly string[]) => Params | undefined

/** Options of {@link customId}. */
export interface CustomIdOptions<Params> {
  /** Version of the parameters, a positive integer; increment it when they change. Default: 1. */
  readonly version?: number
  /** Reads older versions, by their number; see {@link upgradeFrom}. IDs of other versions are foreign. */
  readonly upgrade?: Readonly<Record<number, Upgrade<Params>>>
  /** Not set; see {@link SignedCustomIdOptions}. */
  readonly sign?: undefined
}

/** Options of a {@link customId} that is signed. */
export interface SignedCustomIdOptions<Params> extends Omit<CustomIdOptions<Params>, 'sign'> {
  /**
   * Secret key of 32 random bytes, or several: the first one signs, all verify. IDs that were not written with it are
   * foreign. The signature (HMAC-SHA-256, cut to 96 bits) takes 16 of the 100 characters. It prevents that IDs are made
   * up or changed, not that one is used again: bind it to its message or user with `context`.
   */
  readonly sign: Uint8Array | readonly Uint8Array[]
}

/** What a signature is bound to. */
export interface SignatureContext {
  /** ID of a message or user, for example. `match` needs the same. */
  readonly context?: string | undefined
}

/** Arguments for values of parameters: none if there are no parameters. */
type ParamsArgument<Params> = keyof Params extends never
  ? readonly [params?: Readonly<Record<string, never>>]
  : readonly [params: Params]

/** A kind of `custom_id`; see {@link customId}. */
export interface CustomId<Params> {
  /** Returns a `custom_id`. Throws a ComponentError that names each invalid parameter, or the one that is too long. */
  (...params: ParamsArgument<Params>): string
  /** Name of the kind. */
  readonly prefix: string
  /** Returns the parameters of a `custom_id`, or `undefined` if it is of another kind or damaged. Never throws. */
  match(id: unknown): Params | undefined
}

/** A kind of `custom_id` with a signature; see {@link customId}. */
export interface SignedCustomId<Params> {
  /** Returns a `custom_id`, or rejects with a ComponentError, as that of {@link CustomId}. */
  (params: Params, bound?: SignatureContext): Promise<string>
  /** Name of the kind. */
  readonly prefix: string
  /** Returns the parameters, or `undefined`, for example if the `custom_id` was signed with another key or context. */
  match(id: unknown, bound?: SignatureContext): Promise<Params | undefined>
}

const SIGNATURE_LENGTH = 16
// No escape sequence contains a separator.
const ESCAPES: Readonly<Record<string, string>> = { '~': '~~', ',': '~.', ')': '~]' }
const ESCAPED: Readonly<Record<string, string>> = { '~': '~', '.': ',', ']': ')' }

// Unpaired surrogates do not survive the way to the service.
const escapeText = (text: string): string =>
  text.replace(/[~,)]|\p{Cs}/gu, (one) => ESCAPES[one] ?? `~${one.charCodeAt(0).toString(16)}`)

const unescapeText = (text: string): string =>
  text.replace(/~(d[\da-f]{3}|.)/gs, (_, code) => ESCAPED[code] ?? String.fromCharCode(Number.parseInt(code, 16)))

/** Returns the escaped texts of values, and an issue for each invalid one. */
function writeTexts(fields: ParamFields, params: Readonly<Record<string, unknown>>) {
  const issues: Issue[] = []
  const texts = Object.entries(fields).map(([name, kind]) => {
    const value = Object.hasOwn(params, name) ? params[name] : undefined
    const text = value === undefined ? undefined : kind.write(value)
    const code = value === undefined ? 'required' : 'invalid_value'
    if (text === undefined) issues.push(createIssue([name], code, `expected ${kind.expects}`))
    return escapeText(text ?? '')
  })
  return { texts, issues }
}

/** Returns the values of texts, or `undefined` if they would be written otherwise. */
function readTexts<Fields extends ParamFields>(fields: Fields, texts: readonly string[]): ParamsOf<Fields> | undefined
function readTexts(fields: ParamFields, texts: readonly string[]): object | undefined {
  const entries = Object.entries(fields).map(([name, kind], index) => [name, kind.read(texts[index] ?? '')])
  const params = Object.fromEntries(entries)
  const written = writeTexts(fields, params)
  const isSame = written.issues.length === 0 && `${written.texts}` === `${texts.map(escapeText)}`
  // Without parameters, there is one text, which is empty.
  return isSame && texts.length === (entries.length || 1) ? params : undefined
}

/** Returns an {@link Upgrade} from a version with these `fields`, whose parameters `upgrade` receives. */
export function upgradeFrom<const Fields extends ParamFields, Params>(
  fields: Fields,
  upgrade: (old: ParamsOf<Fields>) => Params | undefined,
): Upgrade<Params> {
  return (texts) => {
    const old = readTexts(fields, texts)
    return old && upgrade(old)
  }
}

/**
 * Defines a kind of `custom_id` with typed parameters, written as `vote(42,tea,2)`: a button or select carries what its
 * handler needs. Every string survives; an ID that is cut off is rejected.
 *
 * @param name Letters, digits, `_`, `.`, `:` and `-`; different for each kind.
 * @param fields Parameters by name, in the order in which they are written.
 * @throws ComponentError if the name, the version or a key is invalid.
 *
 * @example
 * import { button } from 'rapport-sdk/components'
 * import { customId, param } from 'rapport-sdk/components/custom-id'
 *
 * const vote = customId('vote', { poll: param.snowflake, choice: param.oneOf('tea', 'coffee'), page: param.integer })
 * const tea = button.primary(vote({ poll: '42', choice: 'tea', page: 2 }), 'Tea')
 * const params = vote.match(tea.custom_id) // { poll: '42', choice: 'tea', page: 2 }
 */
export function customId<const Fields extends ParamFields = Record<never, never>>(
  name: string,
  fields?: Fields,
  options?: CustomIdOptions<ParamsOf<Fields>>,
): CustomId<ParamsOf<Fields>>
export function customId<const Fields extends ParamFields>(
  name: string,
  fields: Fields,
  options: SignedCustomIdOptions<ParamsOf<Fields>>,
): SignedCustomId<ParamsOf<Fields>>
export function customId(
  name: string,
  fields: ParamFields = {},
  options: CustomIdOptions<unknown> | SignedCustomIdOptions<unknown> = {},
): unknown {
  const keys = options.sign === undefined ? undefined : [options.sign].flat()
  const { write, read } = createKind(name, fields, options, keys)
  const matchUnsigned = (id: unknown) => [read(id)].find((found) => found?.signature === '')?.params
  const [create, match] = keys ? createSigned(write, read, keys) : [write, matchUnsigned]
  return Object.assign(create, { prefix: name, match })
}

type Kind = ReturnType<typeof createKind>

/** Returns functions that write an ID without its signature, and read any. */
function createKind(
  name: string,
  fields: ParamFields,
  { version = 1, upgrade = {} }: Pick<CustomIdOptions<unknown>, 'version' | 'upgrade'>,
  keys: readonly Uint8Array[] | undefined,
) {
  const start = `${name}${version === 1 ? '' : `@${version}`}(`
  const max = CUSTOM_ID.max - (keys ? SIGNATURE_LENGTH : 0)
  const room = max - (start.length - name.length) - Math.max(1, Object.keys(fields).length * 2)
  const isKey = (key: Uint8Array) => Object(key)[Symbol.toStringTag] === 'Uint8Array' && key.byteLength === 32
  const check = (isValid: boolean, path: string, expected: string) => {
    const issue = createIssue([path], 'invalid_value', `expected ${expected}`)
    if (!isValid) throw new ComponentError(`the kind of custom_id ${JSON.stringify(name)}`, [issue])
  }
  check(/^[\w.:-]+$/.test(name), 'name', 'letters, digits, "_", ".", ":" and "-"')
  check(Number.isSafeInteger(version) && version > 0, 'version', 'a positive integer')
  check(!keys || (keys.length > 0 && keys.every(isKey)), 'sign', 'a key of 32 bytes')
  check(name.length <= room, 'name', `at most ${room} of ${CUSTOM_ID.max} characters, with room for the fields`)

  const readParams = (written: number, texts: readonly string[]) => {
    if (written === version) return readTexts(fields, texts)
    const params = Object.hasOwn(upgrade, written) ? upgrade[written]?.(texts) : undefined
    return writeTexts(fields, Object(params)).issues.length === 0 ? params : undefined
  }
  return {
    write(params: Readonly<Record<string, unknown>> = {}): string {
      const { texts, issues } = writeTexts(fields, params)
      const id = `${start}${texts})`
      const excess = countCharacters(id) - max
      if (issues.length === 0 && excess > 0) issues.push(issueOfLongest(Object.keys(fields), texts, excess))
      if (issues.length > 0) throw new ComponentError(`the custom_id "${name}"`, issues)
      return id
    },
    /** Splits an ID, and returns its parameters unless it is of another kind. Never throws. */
    read(id: unknown) {
      if (typeof id !== 'string' || !id.startsWith(name) || countCharacters(id) > CUSTOM_ID.max) return undefined
      const [, at, body = '', signature] = /^(?:@([1-9]\d*))?\(([^)]*)\)(.*)$/s.exec(id.slice(name.length)) ?? []
      const texts = body.split(',').map(unescapeText)
      // `write` would not write it like this.
      if (signature === undefined || at === '1' || `${texts.map(escapeText)}` !== body) return undefined
      try {
        return { params: readParams(Number(at ?? 1), texts), signature }
      } catch {
        return undefined
      }
    },
  }
}

/** Returns the issue of an ID that is too long: at its longest parameter. */
function issueOfLongest(names: readonly string[], texts: readonly string[], excess: number): Issue {
  const sizes = texts.map(countCharacters)
  const actual = Math.max(0, ...sizes)
  const limit = Math.max(0, actual - excess)
  const path = names.filter((_, index) => index === sizes.indexOf(actual))
  const message = `${actual} characters with escapes, at most ${limit} next to the other parameters`
  return { ...createIssue(path, 'too_long', message), limit, actual }
}

/** Returns functions that write and match IDs with a signature: the first key signs, all verify. */
function createSigned(write: Kind['write'], read: Kind['read'], keys: readonly Uint8Array[]) {
  const signers = keys.map(createSigner)
  const create = async (params: Readonly<Record<string, unknown>>, { context = '' }: SignatureContext = {}) =>
    write(params) + (await signers[0]?.(write(params) + context))
  const match = async (id: unknown, bound?: SignatureContext) => {
    const found = read(id)
    if (found?.params === undefined || found.signature.length !== SIGNATURE_LENGTH) return undefined
    // The end of the ID is its only closing parenthesis, so that ID and context cannot be shifted.
    const text = String(id).slice(0, -SIGNATURE_LENGTH) + (bound?.context ?? '')
    const valid = await Promise.all(signers.map(async (signer) => isEqual(await signer(text), found.signature)))
    return valid.includes(true) ? found.params : undefined
  }
  return [create, match] as const
}

function createSigner(secret: Uint8Array): (text: string) => Promise<string> {
  const key = Uint8Array.from(secret)
  return async (text) => {
    const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
    const bytes = await crypto.subtle.sign('HMAC', imported, new TextEncoder().encode(`custom_id:${text}`))
    const text64 = btoa(String.fromCharCode(...new Uint8Array(bytes, 0, 12)))
    return text64.replaceAll('+', '-').replaceAll('/', '_')
  }
}

/** Compares strings of the same length in constant time. */
const isEqual = (one: string, other: string): boolean =>
  [...one].reduce((difference, char, index) => difference | (char.charCodeAt(0) ^ other.charCodeAt(index)), 0) === 0
