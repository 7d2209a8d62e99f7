import { describe, expect, test } from 'vitest'
import { issuesOf, sentBody } from './param-table'

// API, "Relationship Type" and "J. Relationships": -1 accepts an existing request or creates one.
test.each([-1, 0, 1, 2, 3, 4, 5])('a relationship can be created with type %i', async (type) => {
  expect(await sentBody('client.relationships.create', '101', { type })).toEqual({ type })
})

test.each([-2, 6, 1.5, '1', null])('a relationship with type %s is rejected', async (type) => {
  const issues = await issuesOf('client.relationships.create', '101', { type })
  expect(issues).toEqual([`type: invalid_value, actual ${JSON.stringify(type)}`])
})

// Game Relationship Type is a subset of Relationship Type.
test.each([-1, 1, 3, 4])('a game relationship can be created with type %i', async (type) => {
  expect(await sentBody('client.gameRelationships.create', '101', { type })).toEqual({ type })
})

test.each([0, 2, 5, 6])('a game relationship with type %i is rejected', async (type) => {
  const issues = await issuesOf('client.gameRelationships.create', '101', { type })
  expect(issues).toEqual([`type: invalid_value, actual ${type}`])
})

test('a game relationship by application can be created with type FRIEND', async () => {
  expect(await sentBody('client.gameRelationships.createForApplication', '101', '200', { type: 1 })).toEqual({
    type: 1,
  })
})

test.each([-1, 0, 2, 3, 4, 5])('a game relationship by application with type %i is rejected', async (type) => {
  const issues = await issuesOf('client.gameRelationships.createForApplication', '101', '200', { type })
  expect(issues).toEqual([`type: invalid_value, actual ${type}`])
})

const call = 'client.relationships.deleteBulk'

test.each([[[]], [[1]], [[2]], [[1, 2]]])('deleteBulk() accepts the filters %j', async (filters) => {
  expect(await sentBody(call, { filters })).toEqual({ filters })
})

test('deleteBulk() accepts incoming requests', async () => {
  expect(await sentBody(call, { relationship_type: 3 })).toBeUndefined()
})

test.each([-1, 0, 1, 2, 4, 5, 6])('deleteBulk() rejects relationships of type %i', async (relationship_type) => {
  expect(await issuesOf(call, { relationship_type })).toEqual([
    `relationship_type: invalid_value, actual ${relationship_type}`,
  ])
})

test('deleteBulk() reports problems of query and body at once', async () => {
  const params = { relationship_type: 1, only_spam: 'yes', filters: [0, 3, '1', null], since: 'now' }
  expect((await issuesOf(call, params)).sort()).toEqual(
    [
      'relationship_type: invalid_value, actual 1',
      'only_spam: invalid_type, actual "yes"',
      'filters.0: invalid_value, actual 0',
      'filters.1: invalid_value, actual 3',
      'filters.2: invalid_value, actual "1"',
      'filters.3: invalid_value, actual null',
      'since: unknown_field',
    ].sort(),
  )
})

// The path is validated with the parameters. That a snowflake has only digits is a convention.
describe('path parameters', () => {
  test.each(['', 'abc', '1 ', '-1', '1.5', '1/2', '..', '１'])('a snowflake in a path cannot be %j', async (id) => {
    expect(await issuesOf('client.relationships.delete', id)).toEqual(['user.id: invalid_format'])
  })

  test.each([[undefined], [null], [101], [101n], [['101']], [{}]])(
    'a snowflake in a path must be a string, not %o',
    async (id) => {
      expect(await issuesOf('client.friendSuggestions.delete', id)).toEqual(['user.id: invalid_format'])
    },
  )

  test.each(['', '.', '..', '%2e%2E', '\ud800'])('free text in a path cannot be %j', async (id) => {
    expect(await issuesOf('client.identities.getProfile', '200', '100', id)).toEqual([
      'external_user_id: invalid_format',
    ])
  })

  test('invalid path parameters are reported together with other parameters', async () => {
    const issues = await issuesOf('client.identities.updateProfile', 'a', 'b', '', { username: 5, metadata: [] })
    expect(issues).toEqual([
      'application.id: invalid_format',
      'user.id: invalid_format',
      'external_user_id: invalid_format',
      'username: invalid_type, actual 5',
      'metadata: invalid_type',
    ])
  })
})
