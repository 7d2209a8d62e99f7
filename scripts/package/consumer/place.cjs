const password = 'correct horse battery'

/**
 * A mock on loopback with three people, Ada of whom has a second factor. `place` is all that who reaches it over the
 * network has to know: plain JSON, as that may be another process.
 */
module.exports = async function openPlace({ mocks, node }) {
  const service = mocks.createMockService()
  const ada = service.users.create({ login: 'ada@example.com', username: 'ada', password, mfa: ['totp'] })
  const others = ['grace', 'alan'].map((username) =>
    service.users.create({ login: `${username}@example.com`, username, password }),
  )
  const [grace, alan] = others.map((user) => ({ id: user.id, token: service.token(user) }))
  const server = await node.listen(service, { port: 0 })
  const { url, gatewayUrl } = server
  const place = { url, gatewayUrl, login: 'ada@example.com', password, code: service.users.totp(ada), grace, alan }
  return { place, close: () => server.close() }
}
