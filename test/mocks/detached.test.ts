import { createMockService } from 'rapport-sdk/mocks'
import { expect, test } from 'vitest'

test('methods of the mock service and of its parts work detached', async () => {
  const service = createMockService({ now: '2026-05-01T10:00:00Z' })
  const { clock, users, faults, journal, token, gateway, snapshot, restore, reset, close } = service
  const { now, advance } = clock
  const { create } = users
  const user = create({ login: 'ada@example.test', password: 'correct horse', username: 'ada' })
  const before = now()
  advance('5m')
  expect(now() - before).toBe(300_000)
  const { on, clear } = faults
  on('Get Relationships', { status: 500 })
  clear()
  const { emit, sessions } = gateway
  expect([emit('relationshipAdd', {}), sessions]).toEqual([0, []])
  const given = token(user)
  const saved = snapshot()
  reset()
  restore(saved)
  const { fetch } = service
  const response = await fetch(`${service.baseUrl}/users/@me/relationships`, { headers: { authorization: given } })
  expect([response.status, journal.requests.length]).toEqual([200, 1])
  await close()
})
