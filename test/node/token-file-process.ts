import { Client } from '../../src/index'
import { fileTokenStore } from '../../src/node/index'

// A process that shares a token file. With an action, it changes the token and must then exit by itself.
const [, , path = '', action = '', ...tokens] = process.argv
const client = new Client({ baseUrl: 'https://service.example', tokenStore: fileTokenStore(path) })
await client.ready
if (action === 'sign in') await client.session.setToken(tokens[0] ?? '')
if (action === 'sign out') await client.session.setToken(null)
if (action === 'sign in often') {
  const endsAt = performance.now() + 1000
  for (let index = 0; performance.now() < endsAt; index++) {
    await client.session.setToken(tokens[index % tokens.length] ?? '')
  }
}
console.log(client.session.isAuthenticated)
