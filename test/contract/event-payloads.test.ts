import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gatewayEvents } from '../../src/contract/gateway-events'
import { isValid } from '../../src/contract/validate'
import { toZod } from '../../src/zod/to-zod'

const NAMES = Object.keys(gatewayEvents) as (keyof typeof gatewayEvents)[]
const FIELDS = [
  ...'id type user nickname user_ignored is_spam_request stranger_request origin_application_id since'.split(' '),
  ...'has_played_game note application_id dm_access_type user_id suggested_user_id auth_session_id_hash'.split(' '),
  ...'session_id resume_gateway_url relationships constructor __proto__ later'.split(' '),
]

/** A valid payload: generated payloads differ from it in a few fields, so that one field decides. */
const valid = {
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
/** Payloads with some fields missing or changed, in any order. */
const payloads = fc
  .tuple(changes, fc.shuffledSubarray(Object.entries(valid), { minLength: 8 }))
  .map(([changed, kept]) => Object.fromEntries([...changed, ...kept, ...changed]))

describe('isValid() of an event', () => {
  it.each(NAMES)('isValid() accepts exactly the payloads of %s that its schema accepts', (name) => {
    const { payload } = gatewayEvents[name]
    fc.assert(
      fc.property(payloads, (data) => isValid(payload, data) === toZod<unknown>(payload).safeParse(data).success),
      { numRuns: 2_000 },
    )
  })

  it.each([null, undefined, 5, 'a', [valid], []])('isValid() rejects %j for every event', (data) => {
    for (const name of NAMES) expect(isValid(gatewayEvents[name].payload, data)).toBe(false)
  })
})
