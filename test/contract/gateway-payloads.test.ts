import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gatewayEvents } from '../../src/contract/gateway-events'
import { isPlainlyRight } from '../../src/contract/gateway-payloads'

const NAMES = Object.keys(gatewayEvents) as (keyof typeof gatewayEvents)[]
const FIELDS = [
  ...'id type user nickname user_ignored is_spam_request stranger_request origin_application_id since'.split(' '),
  ...'has_played_game note application_id dm_access_type user_id suggested_user_id auth_session_id_hash'.split(' '),
]

/** Payloads that are mostly right, so that one field decides. */
const right = {
  id: '1',
  type: 1,
  user: { id: '1' },
  nickname: null,
  user_ignored: false,
  application_id: '2',
  since: 's',
  dm_access_type: 1,
  user_id: '3',
  suggested_user_id: '4',
  auth_session_id_hash: 'h',
}
const value = fc.constantFrom<unknown>(null, undefined, 'a', '', 0, 1.5, true, [], {}, { id: '1' }, { id: 1 }, 2 ** 60)
const changes = fc.array(fc.tuple(fc.constantFrom(...FIELDS), value), { maxLength: 4 })

describe('the checks by hand', () => {
  it.each(NAMES)('let nothing of %s through that its schema does not', (name) => {
    const { payload } = gatewayEvents[name]
    fc.assert(
      fc.property(changes, (changed) => {
        const data = { ...right, ...Object.fromEntries(changed) }
        return !isPlainlyRight(name, data) || payload.safeParse(data).success
      }),
      { numRuns: 2_000 },
    )
  })

  it.each([
    'relationshipAdd',
    'relationshipUpdate',
    'relationshipRemove',
    'gameRelationshipAdd',
    'gameRelationshipRemove',
  ] as const)('let all of %s through that its schema does: the schema is slow', (name) => {
    const { payload } = gatewayEvents[name]
    fc.assert(
      fc.property(changes, (changed) => {
        const data = { ...right, ...Object.fromEntries(changed) }
        return isPlainlyRight(name, data) === payload.safeParse(data).success
      }),
      { numRuns: 2_000 },
    )
  })

  it.each([null, undefined, 5, 'a', [right], []])('let %j through for no event', (data) => {
    for (const name of NAMES) expect(isPlainlyRight(name, data)).toBe(false)
  })
})
