type Schema = boolean | { readonly [keyword: string]: unknown }

/** Says nothing about what is right. */
const ANNOTATIONS = ['$schema', '$defs', '$id', 'title', 'description', 'default', 'deprecated']

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
const characters = (text: string) => [...text].length
const schemas = (given: unknown) => given as readonly Schema[]

function isOfType(value: unknown, type: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'array') return Array.isArray(value)
  if (type === 'null') return value === null
  return type === 'object' ? isObject(value) : typeof value === type
}

/**
 * Whether a value fits a JSON Schema of draft 2020-12, as far as ours go: a keyword that is not known here is an error, so
 * that none is overlooked.
 */
export function fits(value: unknown, schema: Schema, root: Schema = schema): boolean {
  if (typeof schema === 'boolean') return schema
  const is = (inner: Schema) => fits(value, inner, root)
  const KEYWORDS: Readonly<Record<string, (given: unknown) => boolean>> = {
    type: (given) => [given].flat().some((type) => isOfType(value, type)),
    const: (given) => same(value, given),
    enum: (given) => Array.isArray(given) && given.some((one) => same(value, one)),
    anyOf: (given) => schemas(given).some(is),
    oneOf: (given) => schemas(given).filter(is).length === 1,
    allOf: (given) => schemas(given).every(is),
    not: (given) => !is(given as Schema),
    $ref: (given) => is(definition(root, String(given))),
    properties: (given) =>
      !isObject(value) ||
      Object.entries(Object(given)).every(
        ([name, inner]) => !Object.hasOwn(value, name) || fits(value[name], inner as Schema, root),
      ),
    required: (given) => !isObject(value) || (given as string[]).every((name) => Object.hasOwn(value, name)),
    items: (given) => !Array.isArray(value) || value.every((item) => fits(item, given as Schema, root)),
    minItems: (given) => !Array.isArray(value) || value.length >= Number(given),
    maxItems: (given) => !Array.isArray(value) || value.length <= Number(given),
    minLength: (given) => typeof value !== 'string' || characters(value) >= Number(given),
    maxLength: (given) => typeof value !== 'string' || characters(value) <= Number(given),
    minimum: (given) => typeof value !== 'number' || value >= Number(given),
    maximum: (given) => typeof value !== 'number' || value <= Number(given),
    pattern: (given) => typeof value !== 'string' || new RegExp(String(given), 'u').test(value),
  }
  return Object.entries(schema).every(([keyword, given]) => {
    if (ANNOTATIONS.includes(keyword)) return true
    const check = KEYWORDS[keyword]
    if (check === undefined) throw new Error(`the keyword ${keyword} is not known here`)
    return check(given)
  })
}

function definition(root: Schema, reference: string): Schema {
  const name = reference.replace('#/$defs/', '')
  const found: unknown = Reflect.get(Object(Reflect.get(Object(root), '$defs')), name)
  if (found === undefined) throw new Error(`there is no ${reference}`)
  return found as Schema
}
