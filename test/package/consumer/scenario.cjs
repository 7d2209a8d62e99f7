// What a stranger does first, given the entries however they were loaded.
const assert = require('node:assert/strict')

const baseUrl = 'https://service.example/api'
const login = 'ada@example.com'
const password = 'correct horse battery'

/** Signs in with a second factor, works with friends in memory and over HTTP, shows a message, and meets an error of each kind. */
module.exports = async function scenario({ sdk, components, preview, storage, webauthn, mocks, node }) {
  const service = mocks.createMockService({ baseUrl })
  const ada = service.users.create({ login, password, mfa: ['totp'] })
  const grace = service.users.create({ login: 'grace@example.com', username: 'grace', password })
  const onMfaRequired = () => ({ type: 'totp', code: service.users.totp(ada) })

  const client = new sdk.Client({
    baseUrl,
    fetch: service.fetch,
    tokenStore: storage.memoryTokenStore(),
    onMfaRequired,
  })
  const result = await client.auth.login({ login, password })
  assert.equal(result.status, 'complete')
  await client.relationships.sendRequest({ username: 'grace', discriminator: null })
  const [relationship] = await client.relationships.list()
  assert.equal(relationship.id, grace.id)
  assert.equal(relationship.type, sdk.RelationshipType.OUTGOING_REQUEST)

  const invalid = await client.relationships.update(grace.id, { nickname: '' }).catch((error) => error)
  assert.ok(invalid instanceof sdk.RequestValidationError && invalid instanceof sdk.RapportError)
  const stranger = new sdk.Client({ baseUrl, fetch: service.fetch, token: 'unknown' })
  const refused = await stranger.relationships.list().catch((error) => error)
  assert.ok(refused instanceof sdk.AuthenticationError && sdk.isAuthenticationError(refused))

  const server = await node.listen(service, { port: 0 })
  const overHttp = new sdk.Client({ baseUrl: server.url, token: service.token(grace) })
  await overHttp.relationships.accept(ada.id)
  assert.equal((await overHttp.relationships.list())[0].type, sdk.RelationshipType.FRIEND)
  const listener = new sdk.Client({
    baseUrl: server.url,
    token: service.token(ada),
    gateway: { url: server.gatewayUrl },
  })
  const inMemory = { url: service.gateway.url, WebSocket: service.WebSocket }
  const other = new sdk.Client({ baseUrl, fetch: service.fetch, token: service.token(ada), gateway: inMemory })
  for (const { gateway } of [listener, other]) await gateway.connect()
  const removed = [listener, other].map(({ gateway }) => gateway.waitFor('relationshipRemove'))
  await overHttp.relationships.delete(ada.id)
  for (const { id } of await Promise.all(removed)) assert.equal(id, grace.id)
  await Promise.all([listener, other].map(({ gateway }) => gateway.disconnect()))

  const { messageV2, row, button, text } = components
  const message = messageV2(text('# Hello <b>'), row(button.primary('go', 'Go')))
  assert.deepEqual(components.validateMessage(message).ok, true)
  assert.equal(client.components.button, components.button)
  assert.throws(() => components.assertMessage(messageV2(text(''))), sdk.isComponentError)
  const sent = { method: 'POST', path: '/channels/{channel.id}/messages', pathParams: { 'channel.id': '1' } }
  const received = await overHttp.request({ ...sent, body: message })
  assert.match(preview.toHtml(received), /Hello &#60;b>|Hello &#60;b&#62;/)
  assert.deepEqual(await webauthn.passkeySupport(), { webauthn: false, platform: false, autofill: false })
  await overHttp.dispose()
  await client.dispose()
  await server.close()
}
