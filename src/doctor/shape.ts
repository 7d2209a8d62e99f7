// Where JSON of the service differs from the contract: fields, types, and values of the open enumerations.
import { gatewayEvents } from '../contract/gateway-events'
import { UserApplicationProfileSchema } from '../contract/identities'
import { documentedValues } from '../contract/index'
import { PartialUserSchema } from '../contract/relationships'
import { type Definition, definitionFor, definitionOf, OpenObjectSchema, refine, type Schema } from '../contract/schema'
import { check } from '../contract/validate'
import type { Issue } from '../internal/issue'
import { describeType, isObject, readField } from '../internal/json'
import type { Drift } from '../transport/events'

/** A difference from the contract: an unknown value as `name` shows it, or the type of another one. */
export type Difference = Pick<Drift, 'path' | 'kind' | 'seen'>

/** Shows a name or a value that the service sent. */
type NameOf = (value: unknown) => string

/** Maximum number of places that are compared: a hostile answer has millions. */
const MAX_ISSUES = 10_000

const KINDS: Readonly<Record<string, Difference['kind']>> = {
  unknown_field: 'unknown field',
  required: 'missing field',
  invalid_type: 'other type',
  invalid_value: 'unknown value',
}

/** Returns how a value differs from a schema, each difference once. Others of the given issues are of kind `mismatch`. */
export function compareShape(
  schema: Schema<unknown> | undefined,
  value: unknown,
  nameOf: NameOf,
  others: readonly Issue[] = [],
): Difference[] {
  const found = new Map<string, Difference>()
  const paths = new Set<string>()
  for (const { path, code } of schema ? check(strictOf(schema), value, { maxIssues: MAX_ISSUES }) : []) {
    const shown = pathOf(schema, value, path, nameOf)
    const kind = KINDS[code] ?? 'mismatch'
    const item = path.reduce((inner, key) => readField(inner, String(key)), value)
    const seen = kind === 'other type' || isObject(item) ? describeType(item) : nameOf(item)
    const hasSeen = kind === 'other type' || kind === 'unknown value'
    paths.add(shown)
    found.set(`${shown} ${kind} ${hasSeen && seen}`, { path: shown, kind, ...(hasSeen && { seen }) })
  }
  for (const { path, code } of others) {
    const shown = pathOf(schema, value, path, nameOf)
    if (!paths.has(shown)) found.set(`${shown} ${code}`, { path: shown, kind: 'mismatch', seen: nameOf(code) })
  }
  return [...found.values()]
}

/** Objects whose fields the API document does not show, so that any field may occur. */
const OPEN = (() => {
  const { relationshipAdd: _, gameRelationshipAdd: __, ...events } = gatewayEvents
  const payloads = Object.values(events).map(({ payload }): Schema<unknown> => payload)
  return new Set<Schema<unknown>>([PartialUserSchema, OpenObjectSchema, UserApplicationProfileSchema, ...payloads])
})()

/** Strict schemas of objects, by the schema of the object with its rule. */
const strict = new Map<Schema<unknown>, Definition>()

/** Returns a schema that rejects fields and values of enumerations that the document does not have. */
function strictOf(schema: Schema<unknown>, values: readonly unknown[] = [], owner = schema): Definition {
  const definition = definitionOf(schema)
  const { kind, of, more } = definition
  if (kind === 'rule') return strictOf(of, values, schema)
  if (kind === 'union') return { kind, of, more: (value) => strictOf(more(value), values) }
  if (kind === 'optional' || kind === 'nullable' || kind === 'array')
    return { kind, of: strictOf(of, values), more: null }
  if (kind === 'object') {
    const known = strict.get(owner)
    if (known) return known
    const fields: Record<string, Schema<unknown>> = {}
    const rest = more?.kind === 'unknown' ? (OPEN.has(schema) ? more : null) : more && strictOf(more)
    const created: Definition = { kind, of: fields, more: rest }
    // First, because a field may have the same schema.
    strict.set(owner, created)
    for (const [name, field] of Object.entries(of)) fields[name] = strictOf(field, documentedValues(name, owner))
    return created
  }
  if (values.length === 0) return definition
  return definitionOf(
    refine(schema, function* (value) {
      if (!values.includes(value)) yield { code: 'invalid_value', message: 'unknown value' }
    }),
  )
}

/** Formats a path; `[]` stands for any item of an array, `{key}` for any key of a map. */
function pathOf(schema: Schema<unknown> | undefined, value: unknown, path: Issue['path'], nameOf: NameOf): string {
  let [text, inner, item]: [string, Schema<unknown>, unknown] = ['', schema ?? OpenObjectSchema, value]
  for (const key of path) {
    const { kind, of, more } = definitionFor(inner, item)
    const field = kind === 'object' && Object.hasOwn(of, key) ? of[key] : undefined
    const rest = kind === 'object' && more?.kind !== 'unknown' ? more : null
    const name = field ? String(key) : rest ? '{key}' : nameOf(key)
    text += typeof key === 'number' ? '[]' : `${text && '.'}${name}`
    inner = field ?? (kind === 'array' ? of : rest) ?? OpenObjectSchema
    item = readField(item, String(key))
  }
  return text
}
