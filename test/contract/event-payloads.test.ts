import { expect, it } from 'vitest'
import { gatewayEvents } from '../../src/contract/gateway-events'
import { isValid } from '../../src/contract/validate'

// That the payloads accepted are those of the schemas is a property in `test/fuzz/schemas.test.ts`.
it.each([null, undefined, 5, 'a', [{ id: '1' }], []])('isValid() rejects %j for every event', (data) => {
  for (const { payload } of Object.values(gatewayEvents)) expect(isValid(payload, data)).toBe(false)
})
