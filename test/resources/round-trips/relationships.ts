import { RelationshipType } from 'rapport-sdk'
import { expect } from 'vitest'
import type { RoundTrips } from './world'

const { FRIEND, INCOMING_REQUEST, OUTGOING_REQUEST } = RelationshipType
const text = expect.any(String)

/** API, "J. Relationships". */
export const relationshipRoundTrips: RoundTrips<
  | 'Get Relationships'
  | 'Send Friend Request'
  | 'Create Relationship'
  | 'Modify Relationship'
  | 'Remove Relationship'
  | 'Ignore User'
  | 'Unignore User'
  | 'Bulk Remove Relationships'
  | 'Bulk Add Relationships'
> = {
  'Get Relationships': async ({ client, service, ada, grace }) => {
    service.relationships.request(grace, ada, { note: 'From the chess club', spam: true, stranger: true })
    expect(await client.relationships.list()).toEqual([
      {
        id: grace.id,
        type: INCOMING_REQUEST,
        user: expect.objectContaining({ id: grace.id, username: 'grace' }),
        nickname: null,
        is_spam_request: true,
        stranger_request: true,
        user_ignored: false,
        origin_application_id: null,
        since: text,
        note: 'From the chess club',
      },
    ])
  },

  'Send Friend Request': async ({ client, other, ada, grace, service }) => {
    const call = client.relationships.sendRequest({ username: 'grace', discriminator: null, note: 'Hello' })
    expect((await call.withResponse()).response.status).toBe(204)
    expect(service.relationships.between(ada, grace)).toBe(OUTGOING_REQUEST)
    expect(await other.relationships.list()).toMatchObject([{ id: ada.id, type: INCOMING_REQUEST, note: 'Hello' }])
  },

  'Create Relationship': async ({ client, other, service, ada, grace }) => {
    const params = { type: -1, from_friend_suggestion: true, confirm_stranger_request: true, note: 'Hello' } as const
    expect((await client.relationships.create(grace.id, params).withResponse()).response.status).toBe(204)
    expect(await other.relationships.list()).toMatchObject([{ id: ada.id, type: INCOMING_REQUEST, note: 'Hello' }])
    await other.relationships.accept(ada.id)
    expect(service.relationships.between(ada, grace)).toBe(FRIEND)
    await client.relationships.block(grace.id)
    expect(service.relationships.between(ada, grace)).toBe(RelationshipType.BLOCKED)
  },

  'Modify Relationship': async ({ client, other, service, ada, grace }) => {
    service.relationships.befriend(ada, grace)
    const call = client.relationships.update(grace.id, { nickname: 'Amazing Grace' })
    expect((await call.withResponse()).response.status).toBe(204)
    expect(await client.relationships.list()).toMatchObject([{ type: FRIEND, nickname: 'Amazing Grace' }])
    expect(await other.relationships.list()).toMatchObject([{ type: FRIEND, nickname: null }])
  },

  'Remove Relationship': async ({ client, other, service, ada, grace }) => {
    service.relationships.befriend(ada, grace)
    expect((await client.relationships.delete(grace.id).withResponse()).response.status).toBe(204)
    expect([await client.relationships.list(), await other.relationships.list()]).toEqual([[], []])
  },

  'Ignore User': async ({ client, service, ada, grace }) => {
    service.relationships.befriend(ada, grace)
    expect((await client.relationships.ignore(grace.id).withResponse()).response.status).toBe(204)
    expect(await client.relationships.list()).toMatchObject([{ id: grace.id, type: FRIEND, user_ignored: true }])
  },

  'Unignore User': async ({ client, service, ada, grace }) => {
    service.relationships.befriend(ada, grace)
    await client.relationships.ignore(grace.id)
    expect((await client.relationships.unignore(grace.id).withResponse()).response.status).toBe(204)
    expect(await client.relationships.list()).toMatchObject([{ id: grace.id, type: FRIEND, user_ignored: false }])
  },

  'Bulk Remove Relationships': async ({ client, service, ada, grace }) => {
    const mary = service.users.create({ login: 'mary@example.test', username: 'mary' })
    service.relationships.request(grace, ada, { spam: true })
    service.relationships.request(mary, ada)
    const call = client.relationships.deleteBulk({ relationship_type: 3, only_spam: true, filters: [1] })
    expect((await call.withResponse()).response.status).toBe(204)
    expect(await client.relationships.list()).toMatchObject([{ id: mary.id }])
    await client.relationships.deleteBulk()
    expect(await client.relationships.list()).toEqual([])
  },

  'Bulk Add Relationships': async ({ client, other, service, ada, grace }) => {
    const params = { user_ids: [grace.id, '404'], token: service.users.contactSyncToken(ada) }
    const result = await client.relationships.addBulk(params)
    expect(result).toEqual({ failed_requests: ['404'], successful_requests: [grace.id] })
    expect(await other.relationships.list()).toMatchObject([{ id: ada.id }])
  },
}

/** API, "K. Game relationships and suggestions". */
export const gameRelationshipRoundTrips: RoundTrips<
  | 'Get Game Relationships'
  | 'Send Game Friend Request'
  | 'Create Game Relationship'
  | 'Create Game Relationship by Application'
  | 'Remove Game Relationship'
  | 'Remove Game Relationship by Application'
  | 'Get Friend Suggestions'
  | 'Remove Friend Suggestion'
> = {
  'Get Game Relationships': async ({ client, other, service, application, ada, grace }) => {
    await other.gameRelationships.create(ada.id)
    const relationship = {
      id: grace.id,
      application_id: application.id,
      type: INCOMING_REQUEST,
      since: text,
      dm_access_type: expect.any(Number),
      user_id: ada.id,
    }
    const user = expect.objectContaining({ id: grace.id, username: 'grace' })
    expect(await client.gameRelationships.list()).toEqual([{ ...relationship, user }])
    const inGame = client.as(service.token(ada, { oauth2: application }))
    expect(await inGame.gameRelationships.list()).toEqual([relationship])
  },

  'Send Game Friend Request': async ({ client, other, ada }) => {
    const call = client.gameRelationships.sendRequest({ username: 'grace' })
    expect((await call.withResponse()).response.status).toBe(204)
    expect(await other.gameRelationships.list()).toMatchObject([{ id: ada.id, type: INCOMING_REQUEST }])
  },

  'Create Game Relationship': async ({ client, other, ada, grace }) => {
    const call = client.gameRelationships.create(grace.id, { type: -1 })
    expect((await call.withResponse()).response.status).toBe(204)
    expect(await client.gameRelationships.list()).toMatchObject([{ id: grace.id, type: OUTGOING_REQUEST }])
    await other.gameRelationships.accept(ada.id)
    expect(await client.gameRelationships.list()).toMatchObject([{ id: grace.id, type: FRIEND }])
  },

  'Create Game Relationship by Application': async ({ client, other, application, ada, grace }) => {
    await other.gameRelationships.sendRequest({ username: 'ada' })
    const call = client.gameRelationships.createForApplication(grace.id, application.id, { type: FRIEND })
    expect((await call.withResponse()).response.status).toBe(204)
    expect(await other.gameRelationships.list()).toMatchObject([{ id: ada.id, type: FRIEND }])
  },

  'Remove Game Relationship': async ({ client, other, grace }) => {
    await client.gameRelationships.create(grace.id)
    expect((await client.gameRelationships.delete(grace.id).withResponse()).response.status).toBe(204)
    expect(await other.gameRelationships.list()).toEqual([])
  },

  'Remove Game Relationship by Application': async ({ client, other, application, grace }) => {
    await client.gameRelationships.create(grace.id)
    const call = client.gameRelationships.deleteForApplication(grace.id, application.id)
    expect((await call.withResponse()).response.status).toBe(204)
    expect(await other.gameRelationships.list()).toEqual([])
  },

  'Get Friend Suggestions': async ({ client, service, ada, grace }) => {
    const reasons = [{ type: 1, platform: 'chess', name: 'grace_h' }]
    service.users.suggest(ada, grace, { reasons, fromContacts: true })
    const suggested_user = expect.objectContaining({ id: grace.id })
    const expected = [{ suggested_user, reasons, from_suggested_user_contacts: true }]
    expect(await client.friendSuggestions.list()).toEqual(expected)
  },

  'Remove Friend Suggestion': async ({ client, service, ada, grace }) => {
    service.users.suggest(ada, grace)
    expect((await client.friendSuggestions.delete(grace.id).withResponse()).response.status).toBe(204)
    expect(await client.friendSuggestions.list()).toEqual([])
  },
}
