// The form of a call, made from its row in the contract. The rows are not part of the public API.
import * as sdk from 'rapport-sdk'
import { type Endpoint, pathParameters } from '../../../src/contract/endpoint'
import { type Definition, definitionOf, keywordsOf, type Schema } from '../../../src/contract/schema'
import { isSecretField } from '../journal/redaction'
import { lineOf, syntaxErrorRange } from '../pages/json-ranges'

/** A field of the form of a call. */
export interface FormField {
  /** Name of a path parameter, or wire name. */
  readonly name: string
  readonly place: 'path' | 'query' | 'body'
  /** Control: `choices` are checkboxes, `lines` have one item each. Secrets never get into the URL. */
  readonly kind: 'text' | 'secret' | 'number' | 'choice' | 'choices' | 'lines' | 'json'
  /** Type and limits in words, in the notation of the API document. */
  readonly type: string
  readonly isRequired: boolean
  readonly isNullable: boolean
  /** Values of `choice` and `choices` as JSON, with their names. */
  readonly options: readonly (readonly [json: string, label: string])[]
  /** Text at the beginning. */
  readonly initial: string
}

/** What the user has entered in a field. */
export interface Entry {
  readonly text: string
  /** Whether to send `null`. */
  readonly isNull: boolean
}

/** Values to begin with, by the name of the field. */
export type Examples = Readonly<Record<string, string>>

/** Returns the fields of a call's form: path parameters, query and body, in the order of the contract. */
export function formFields({ path, params, query = [] }: Endpoint, examples: Examples = {}): FormField[] {
  const fields = params && unwrap(params).definition
  const entries = fields?.kind === 'object' ? Object.entries(fields.of) : []
  return [
    ...pathParameters(path).map((name) => fieldOf(name, 'path', PATH_PARAMETER, examples)),
    ...entries.map(([name, schema]) => fieldOf(name, query.includes(name) ? 'query' : 'body', schema, examples)),
  ]
}

const PATH_PARAMETER: Schema<unknown> = { kind: 'string' }

/** A schema without what wraps it. */
interface Unwrapped {
  readonly definition: Definition
  readonly isOptional: boolean
  readonly isNullable: boolean
  readonly keywords: Readonly<Record<string, unknown>>
}

function unwrap(schema: Schema<unknown>): Unwrapped {
  const definition = definitionOf(schema)
  if (definition.kind !== 'optional' && definition.kind !== 'nullable' && definition.kind !== 'rule') {
    return { definition, isOptional: false, isNullable: false, keywords: {} }
  }
  const inner = unwrap(definition.of)
  return {
    definition: inner.definition,
    isOptional: inner.isOptional || definition.kind === 'optional',
    isNullable: inner.isNullable || definition.kind === 'nullable',
    keywords: {
      ...inner.keywords,
      ...(definition.kind === 'rule' && keywordsOf(definition.of, definition.more.keywords)),
    },
  }
}

function fieldOf(name: string, place: FormField['place'], schema: Schema<unknown>, examples: Examples): FormField {
  const { definition, isOptional, isNullable, keywords } = unwrap(schema)
  const kind = kindOf(name, definition)
  const isRequired = !isOptional
  const item = definition.kind === 'array' ? unwrap(definition.of).definition : definition
  const example = isRequired || name === 'global_name' ? (examples[name] ?? '') : ''
  return {
    name,
    place,
    kind,
    type: `${isNullable ? '?' : ''}${typeOf(definition)}${limits(keywords)}`,
    isRequired,
    isNullable,
    options: kind === 'choice' || kind === 'choices' ? optionsOf(item) : [],
    initial: kind === 'json' && isRequired ? JSON.stringify(exampleOf(schema, name, examples), null, 2) : example,
  }
}

function kindOf(name: string, definition: Definition): FormField['kind'] {
  switch (definition.kind) {
    case 'string':
      return isSecretField(name) ? 'secret' : 'text'
    case 'number':
    case 'integer':
      return 'number'
    case 'boolean':
    case 'enum':
      return 'choice'
    case 'array': {
      const { kind } = unwrap(definition.of).definition
      return kind === 'enum' ? 'choices' : kind === 'string' ? 'lines' : 'json'
    }
    default:
      return 'json'
  }
}

function typeOf(definition: Definition): string {
  if (definition.kind === 'array') return `array[${typeOf(unwrap(definition.of).definition)}]`
  if (definition.kind === 'enum') return typeof definition.of[0] === 'number' ? 'integer' : 'string'
  return /^(?:union|unknown|rule)$/.test(definition.kind) ? 'object' : definition.kind
}

/** Returns the limits of a length in words. */
function limits({ minLength, maxLength, minItems, maxItems }: Unwrapped['keywords']): string {
  const [min, max, unit] = maxItems === undefined ? [minLength, maxLength, 'characters'] : [minItems, maxItems, 'items']
  if (min === undefined && max === undefined) return ''
  return min === undefined ? `, at most ${max} ${unit}` : `, ${min}–${max} ${unit}`
}

function optionsOf(definition: Definition): FormField['options'] {
  const values = definition.kind === 'enum' ? definition.of : [true, false]
  return values.map((value) => [JSON.stringify(value), labelOf(value, values)])
}

/** Returns the label of a value: with its name, if the SDK has an enumeration of exactly these numbers. */
function labelOf(value: unknown, values: readonly unknown[]): string {
  const numbers = values.filter((each) => typeof each === 'number' && each >= 0)
  const found = Object.values(sdk).find((each) => {
    const members: unknown[] = typeof each === 'object' ? Object.values(each) : []
    return numbers.length > 1 && members.length === numbers.length && numbers.every((each) => members.includes(each))
  })
  const [name] = Object.entries(found ?? {}).find(([, member]) => member === value) ?? []
  return name === undefined ? String(value) : `${value} · ${name}`
}

/** Returns a value with the required fields of a schema. */
function exampleOf(schema: Schema<unknown>, name: string, examples: Examples): unknown {
  const { definition, isNullable } = unwrap(schema)
  if (isNullable) return null
  switch (definition.kind) {
    case 'string':
      return examples[name] ?? ''
    case 'enum':
      return definition.of[0]
    case 'array':
      return [exampleOf(definition.of, name, examples)]
    case 'union':
      return exampleOf(definition.of[0] ?? PATH_PARAMETER, name, examples)
    case 'object': {
      const required = Object.entries(definition.of).filter(([, field]) => !unwrap(field).isOptional)
      return Object.fromEntries(required.map(([key, field]) => [key, exampleOf(field, key, examples)]))
    }
    default:
      return definition.kind === 'boolean' ? false : 0
  }
}

/** Returns what is entered in a field at the beginning: `null` if it must be sent and has no other value. */
export function initialEntry({ kind, options, isNullable, isRequired, initial }: FormField): Entry {
  const first = isRequired && kind === 'choice' ? options[0]?.[0] : undefined
  return { text: initial || (first ?? ''), isNull: isNullable && isRequired && initial === '' }
}

/** Returns the value of a field, `undefined` if it is not sent, or why it cannot be. */
export function readEntry(
  { kind, isRequired }: FormField,
  { text, isNull }: Entry,
): { value?: unknown; problem?: string } {
  if (isNull) return { value: null }
  if (text.trim() === '') return isRequired ? { problem: 'Required.' } : {}
  if (kind === 'number') return Number.isFinite(Number(text)) ? { value: Number(text) } : { problem: 'Not a number.' }
  if (kind === 'lines' || kind === 'choices') {
    const lines = text.split('\n').flatMap((line) => line.trim() || [])
    return { value: kind === 'lines' ? lines : lines.map((line) => JSON.parse(line)) }
  }
  if (kind !== 'json' && kind !== 'choice') return { value: text }
  try {
    return { value: JSON.parse(text) }
  } catch {
    return { problem: `Invalid JSON from line ${lineOf(text, syntaxErrorRange(text).start)} on.` }
  }
}
