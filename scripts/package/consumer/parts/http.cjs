const assert = require('node:assert/strict')

/** Adds and removes a friend over HTTP. Errors of the client and of the service have their classes. */
module.exports = async function httpPart({ sdk, zod }, { url, grace, alan }) {
  const first = new sdk.Client({ baseUrl: url, token: grace.token })
  const second = new sdk.Client({ baseUrl: url, token: alan.token })
  await first.relationships.sendRequest({ username: 'alan', discriminator: null })
  const [relationship] = await first.relationships.list()
  assert.equal(relationship.id, alan.id)
  // An optional peer.
  if (zod) assert.deepEqual(zod.RelationshipSchema.parse(relationship), relationship)
  assert.equal(relationship.type, sdk.RelationshipType.OUTGOING_REQUEST)
  await second.relationships.accept(grace.id)
  const { data, response } = await second.relationships.list().withResponse()
  assert.equal(data[0].type, sdk.RelationshipType.FRIEND)
  assert.equal(response.status, 200)

  const invalid = await first.relationships.update(alan.id, { nickname: '' }).catch((error) => error)
  assert.ok(invalid instanceof sdk.RequestValidationError && invalid instanceof sdk.RapportError)
  const unauthenticated = new sdk.Client({ baseUrl: url, token: 'unknown' })
  const rejected = await unauthenticated.relationships.list().catch((error) => error)
  assert.ok(rejected instanceof sdk.AuthenticationError && sdk.isAuthenticationError(rejected))
  await first.relationships.delete(alan.id)
  for (const client of [first, second, unauthenticated]) await client.dispose()
}
