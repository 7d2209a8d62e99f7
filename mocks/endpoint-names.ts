import type { Method } from '../src/contract/endpoint'
import type { contract } from '../src/contract/index'

type Rows = typeof contract
type NamesIn<Area> = { [M in keyof Area]: Area[M] extends { readonly name: infer N } ? N : never }[keyof Area]

/** The names of the 55 endpoints, as the interface document has them. */
export type EndpointName = Extract<{ [R in keyof Rows]: NamesIn<Rows[R]> }[keyof Rows], string>

/** An endpoint, by its name or by method and path: `'PUT /users/@me/relationships/{user.id}'`. */
export type EndpointSelector = EndpointName | `${Method} /${string}`
