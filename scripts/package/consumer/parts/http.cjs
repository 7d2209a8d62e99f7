const assert = require('node:assert/strict')

/** Over HTTP: two people become friends, and no longer are; errors of both sides of the wire have their classes. */
module.exports = async function http({ sdk }, { url, grace, alan }) {
  const first = new sdk.Client({ baseUrl: url, token: grace.token })
  const second = new sdk.Client({ baseUrl: url, token: alan.token })
  await first.relationships.sendRequest({ username: 'alan', discriminator: null })
  const [relationship] = await first.relationships.list()
  assert.equal(relationship.id, alan.id)
  assert.equal(relationship.type, sdk.RelationshipType.OUTGOING_REQUEST)
  await second.relationships.accept(grace.id)
  const { data, response } = await second.relationships.list().withResponse()
  assert.equal(data[0].type, sdk.RelationshipType.FRIEND)
  assert.equal(response.status, 200)

  const invalid = await first.relationships.update(alan.id, { nickname: '' }).catch((error) => error)
  assert.ok(invalid instanceof sdk.RequestValidationError && invalid instanceof sdk.RapportError)
  const stranger = new sdk.Client({ baseUrl: url, token: 'unknown' })
  const refused = await stranger.relationships.list().catch((error) => error)
  assert.ok(refused instanceof sdk.AuthenticationError && sdk.isAuthenticationError(refused))
  await first.relationships.delete(alan.id)
  for (const client of [first, second, stranger]) await client.dispose()
}
