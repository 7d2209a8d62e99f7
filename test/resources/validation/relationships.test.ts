import { describe, expect, test } from 'vitest'
import { problems, sentBody } from './refusal'

// Interface, "Relationship Type" and "J. Relationships": -1 accepts an existing request or creates one.
describe('the type of a relationship', () => {
  test.each([-1, 0, 1, 2, 3, 4, 5])('may be %i', async (type) => {
    expect(await sentBody('client.relationships.create', '101', { type })).toEqual({ type })
  })

  test.each([-2, 6, 1.5, '1', null])('may not be %s', async (type) => {
    const given = await problems('client.relationships.create', '101', { type })
    expect(given).toEqual([`type: invalid_value, actual ${JSON.stringify(type)}`])
  })
})

// Game Relationship Type is a subset of Relationship Type.
describe('the type of a game relationship', () => {
  test.each([-1, 1, 3, 4])('may be %i', async (type) => {
    expect(await sentBody('client.gameRelationships.create', '101', { type })).toEqual({ type })
  })

  test.each([0, 2, 5, 6])('may not be %i', async (type) => {
    const given = await problems('client.gameRelationships.create', '101', { type })
    expect(given).toEqual([`type: invalid_value, actual ${type}`])
  })

  test('may be FRIEND by application', async () => {
    expect(await sentBody('client.gameRelationships.createForApplication', '101', '200', { type: 1 })).toEqual({
      type: 1,
    })
  })

  test.each([-1, 0, 2, 3, 4, 5])('may not be %i by application', async (type) => {
    const given = await problems('client.gameRelationships.createForApplication', '101', '200', { type })
    expect(given).toEqual([`type: invalid_value, actual ${type}`])
  })
})

describe('bulk removal', () => {
  const call = 'client.relationships.deleteBulk'

  test.each([[[]], [[1]], [[2]], [[1, 2]]])('takes the filters %j', async (filters) => {
    expect(await sentBody(call, { filters })).toEqual({ filters })
  })

  test('takes incoming requests', async () => {
    expect(await sentBody(call, { relationship_type: 3 })).toBeUndefined()
  })

  test.each([-1, 0, 1, 2, 4, 5, 6])('takes no relationships of type %i', async (relationship_type) => {
    expect(await problems(call, { relationship_type })).toEqual([
      `relationship_type: invalid_value, actual ${relationship_type}`,
    ])
  })

  test('tells of query and body at once', async () => {
    const given = { relationship_type: 1, only_spam: 'yes', filters: [0, 3, '1', null], since: 'now' }
    expect((await problems(call, given)).sort()).toEqual(
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
})

// The path is checked with the parameters. That snowflakes are digits there is a convention.
describe('path parameters', () => {
  test.each(['', 'abc', '1 ', '-1', '1.5', '1/2', '..', '１'])('that are snowflakes are not %j', async (id) => {
    expect(await problems('client.relationships.delete', id)).toEqual(['user.id: invalid_format'])
  })

  test.each([[undefined], [null], [101], [101n], [['101']], [{}]])(
    'that are snowflakes are texts, not %o',
    async (id) => {
      expect(await problems('client.friendSuggestions.delete', id)).toEqual(['user.id: invalid_format'])
    },
  )

  test.each(['', '.', '..', '%2e%2E', '\ud800'])('that are any text are not %j', async (id) => {
    expect(await problems('client.identities.getProfile', '200', '100', id)).toEqual([
      'external_user_id: invalid_format',
    ])
  })

  test('are all told of, with the parameters', async () => {
    const given = await problems('client.identities.updateProfile', 'a', 'b', '', { username: 5, metadata: [] })
    expect(given).toEqual([
      'application.id: invalid_format',
      'user.id: invalid_format',
      'external_user_id: invalid_format',
      'username: invalid_type, actual 5',
      'metadata: invalid_type',
    ])
  })
})
