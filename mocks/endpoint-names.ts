import type { Method } from '../src/contract/endpoint'
import type { contract } from '../src/contract/index'
import type { createMessage } from './messages'

type Rows = typeof contract
type NamesIn<Area> = { [M in keyof Area]: Area[M] extends { readonly name: infer N } ? N : never }[keyof Area]

/** The names of the 55 endpoints, as the interface document has them, and that of the mock's own for messages. */
export type EndpointName =
  | Extract<{ [R in keyof Rows]: NamesIn<Rows[R]> }[keyof Rows], string>
  | (typeof createMessage)['name']

/** An endpoint, by its name or by method and path: `'PUT /users/@me/relationships/{user.id}'`. */
export type EndpointSelector = EndpointName | `${Method} /${string}`
