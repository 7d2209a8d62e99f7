import type { Field } from './row'

/** Interface, "Common component fields". The document says neither whether it is signed; both readings pass. */
export const ID = { kind: 'integer', min: -(2 ** 31), max: 2 ** 32 - 1 } as const satisfies Field
/** Interface, "Common component fields". */
export const CUSTOM_ID = { kind: 'text', min: 1, max: 100, required: true } as const satisfies Field
export const OFF = { kind: 'boolean', default: false } as const satisfies Field
export const ON = { kind: 'boolean', default: true } as const satisfies Field
/** Interface, "Open shapes". */
export const EMOJI = { kind: 'open' } as const satisfies Field
/** A snowflake is a string; the document does not say of which characters. */
export const SNOWFLAKE = { kind: 'text' } as const satisfies Field
export const RECEIVED = { kind: 'any', only: 'received' } as const satisfies Field
/** Interface, "String Select" and "Radio Group": what both kinds of options have. */
export const OPTION_FIELDS = {
  label: { kind: 'text', max: 100, required: true },
  value: { kind: 'text', min: 1, max: 100, required: true },
  description: { kind: 'text', max: 100 },
  default: OFF,
} as const satisfies Readonly<Record<string, Field>>
