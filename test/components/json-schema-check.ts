type Schema = boolean | { readonly [keyword: string]: unknown }

/** Keywords that do not restrict a value. */
const ANNOTATIONS = ['$schema', '$defs', '$id', 'title', 'description', 'default', 'deprecated']

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
const characters = (text: string) => [...text].length
const schemas = (argument: unknown) => argument as readonly Schema[]

function isOfType(value: unknown, type: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'array') return Array.isArray(value)
  if (type === 'null') return value === null
  return type === 'object' ? isObject(value) : typeof value === type
}

/**
 * Whether a value is valid by a JSON Schema of draft 2020-12. Supports the keywords of our schemas; an unknown keyword throws,
 * so that none is ignored by accident.
 */
export function isValid(value: unknown, schema: Schema, root: Schema = schema): boolean {
  if (typeof schema === 'boolean') return schema
  const is = (inner: Schema) => isValid(value, inner, root)
  const KEYWORDS: Readonly<Record<string, (argument: unknown) => boolean>> = {
    type: (argument) => [argument].flat().some((type) => isOfType(value, type)),
    const: (argument) => same(value, argument),
    enum: (argument) => Array.isArray(argument) && argument.some((one) => same(value, one)),
    anyOf: (argument) => schemas(argument).some(is),
    oneOf: (argument) => schemas(argument).filter(is).length === 1,
    allOf: (argument) => schemas(argument).every(is),
    not: (argument) => !is(argument as Schema),
    $ref: (argument) => is(definition(root, String(argument))),
    properties: (argument) =>
      !isObject(value) ||
      Object.entries(Object(argument)).every(
        ([name, inner]) => !Object.hasOwn(value, name) || isValid(value[name], inner as Schema, root),
      ),
    propertyNames: (argument) =>
      !isObject(value) || Object.keys(value).every((name) => isValid(name, argument as Schema, root)),
    required: (argument) => !isObject(value) || (argument as string[]).every((name) => Object.hasOwn(value, name)),
    items: (argument) => !Array.isArray(value) || value.every((item) => isValid(item, argument as Schema, root)),
    minItems: (argument) => !Array.isArray(value) || value.length >= Number(argument),
    maxItems: (argument) => !Array.isArray(value) || value.length <= Number(argument),
    minLength: (argument) => typeof value !== 'string' || characters(value) >= Number(argument),
    maxLength: (argument) => typeof value !== 'string' || characters(value) <= Number(argument),
    minimum: (argument) => typeof value !== 'number' || value >= Number(argument),
    maximum: (argument) => typeof value !== 'number' || value <= Number(argument),
    pattern: (argument) => typeof value !== 'string' || new RegExp(String(argument), 'u').test(value),
  }
  return Object.entries(schema).every(([keyword, argument]) => {
    if (ANNOTATIONS.includes(keyword)) return true
    const check = KEYWORDS[keyword]
    if (check === undefined) throw new Error(`unknown keyword ${keyword}`)
    return check(argument)
  })
}

function definition(root: Schema, reference: string): Schema {
  const name = reference.replace('#/$defs/', '')
  const found: unknown = Reflect.get(Object(Reflect.get(Object(root), '$defs')), name)
  if (found === undefined) throw new Error(`there is no ${reference}`)
  return found as Schema
}
