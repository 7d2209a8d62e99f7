import type { Method } from '../contract/endpoint'

/** The HTTP methods that the interface uses, to check what callers give. */
export const METHODS: ReadonlySet<unknown> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] satisfies Method[])
