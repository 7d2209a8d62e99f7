import { describe, expect, it } from 'vitest'
import { routeOf } from '../../mocks/routes/index'
import { endpoints } from '../../src/contract/index'
import { setUp } from './calls'

describe('the mock and the contract', () => {
  it.each(endpoints.map(({ call, endpoint }) => [call, endpoint] as const))('has a route for %s', (_, endpoint) => {
    expect(routeOf(endpoint)).toBeTypeOf('function')
  })

  it('answers every row at its own path, and asks for a token where the contract says so', async () => {
    const { send } = setUp()
    for (const { endpoint } of endpoints) {
      const path = endpoint.path.replaceAll(/\{[^{}]+\}/g, '1')
      const { status } = await send(`${endpoint.method} ${path}` as 'GET /')
      const expected = endpoint.auth === 'token' ? [401] : [200, 400]
      expect(expected, `${endpoint.method} ${endpoint.path}`).toContain(status)
    }
  })
})
