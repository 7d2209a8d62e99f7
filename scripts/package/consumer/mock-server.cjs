const password = 'correct horse battery'

/**
 * Starts a mock on loopback with three users, of whom Ada has a second factor. `connection` is plain JSON, so that a client
 * in another process can use it.
 */
module.exports = async function startMockServer({ mocks, node }) {
  const service = mocks.createMockService()
  const ada = service.users.create({ login: 'ada@example.com', username: 'ada', password, mfa: ['totp'] })
  const others = ['grace', 'alan'].map((username) =>
    service.users.create({ login: `${username}@example.com`, username, password }),
  )
  const [grace, alan] = others.map((user) => ({ id: user.id, token: service.token(user) }))
  const server = await node.listen(service, { port: 0 })
  const { url, gatewayUrl } = server
  const connection = { url, gatewayUrl, login: 'ada@example.com', password, code: service.users.totp(ada), grace, alan }
  return { connection, close: () => server.close() }
}
