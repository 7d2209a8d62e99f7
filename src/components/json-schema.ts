/** A JSON Schema, draft 2020-12. */
export interface JsonSchema {
  /** A keyword. */
  readonly [keyword: string]: unknown
}

/** The JSON Schema of a message. */
export function messageJsonSchema(): JsonSchema {
  return {}
}

/** The JSON Schema of a modal. */
export function modalJsonSchema(): JsonSchema {
  return {}
}

/** The JSON Schema of any component. */
export function componentJsonSchema(): JsonSchema {
  return {}
}
