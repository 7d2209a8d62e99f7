import { describe, expect, it } from 'vitest'
import { gatewayEvents } from '../../src/contract/gateway-events'
import { contract } from '../../src/contract/index'
import type { Schema } from '../../src/contract/schema'
import { check, isValid } from '../../src/contract/validate'

const lists: [string, Schema<unknown>, (list: unknown[]) => unknown, (string | number)[]][] = [
  ['that is all of an answer', contract.relationships.list.response, (list) => list, [0]],
  ['in an answer', contract['auth.sessions'].list.response, (list) => ({ user_sessions: list }), ['user_sessions', 0]],
  [
    'in an event',
    gatewayEvents.ready.payload,
    (relationships) => ({ auth_session_id_hash: 'h', relationships }),
    ['relationships', 0],
  ],
]

describe('a list', () => {
  it.each(lists)('%s may be empty', (_, schema, within) => {
    expect(isValid(schema, within([]))).toBe(true)
  })

  it.each(lists)(
    '%s does not fit with a place that holds nothing, which a protocol may leave',
    (_, schema, within, path) => {
      const value = within(new Array(1))
      expect(isValid(schema, value)).toBe(false)
      expect(check(schema, value)).toMatchObject([{ path, code: 'required' }])
    },
  )
})
