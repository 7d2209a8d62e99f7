import type { Endpoint } from '../src/contract/endpoint'
import { endpoints } from '../src/contract/index'
import { createMessage } from './messages'

/** Every row that the service answers: the interface's, and the mock's own. */
export const rows: readonly Endpoint[] = [...endpoints.map(({ endpoint }) => endpoint), createMessage]
