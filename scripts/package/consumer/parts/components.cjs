const assert = require('node:assert/strict')

const baseUrl = 'https://service.example/api'

/** Creates a message, sends it to the mock in memory, and renders the response. */
module.exports = async function componentsPart({ sdk, components, preview, mocks }) {
  const service = mocks.createMockService({ baseUrl })
  const token = service.token(service.users.create({ login: 'ada@example.com' }))
  const client = new sdk.Client({ baseUrl, fetch: service.fetch, token })
  const { messageV2, row, button, text } = components
  const message = messageV2(text('# Hello <b>'), row(button.primary('go', 'Go')))
  assert.deepEqual(components.validateMessage(message).ok, true)
  assert.equal(client.components.button, components.button)
  // The names that a console shows: bundlers rename classes that refer to themselves.
  assert.equal(client.constructor.name, 'Client')
  for (const name of Object.keys(sdk).filter((key) => key.endsWith('Error') && !key.startsWith('is')))
    assert.equal(sdk[name].name, name)
  assert.throws(() => components.assertMessage(messageV2(text(''))), sdk.isComponentError)
  const sent = { method: 'POST', path: '/channels/{channel.id}/messages', pathParams: { 'channel.id': '1' } }
  const received = await client.request({ ...sent, body: message })
  assert.match(preview.toHtml(received), /Hello &#60;b>|Hello &#60;b&#62;/)
  await client.dispose()
}
