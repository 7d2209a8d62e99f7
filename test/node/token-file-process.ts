import { readdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from '../../src/index'
import { fileTokenStore } from '../../src/node/index'

// A process that shares a token file. With an action, it changes the token and must then exit by itself.
const [, , path = '', action = '', ...tokens] = process.argv
const client = new Client({ baseUrl: 'https://service.example', tokenStore: fileTokenStore(path) })
await client.ready
if (action === 'sign in') await client.session.setToken(tokens[0] ?? '')
if (action === 'sign out') await client.session.setToken(null)
if (action === 'sign out late') {
  const before = readFileSync(path, 'utf8')
  console.log('loaded')
  // Nothing else can happen in this process, so it does not know of the token of another one when it signs out.
  while (readFileSync(path, 'utf8') === before);
  await client.session.setToken(null)
  console.log(readFileSync(path, 'utf8').includes(tokens[0] ?? '') ? 'kept' : 'replaced')
  while (!client.session.isAuthenticated) await pause(20)
  console.log(client.session.token)
}
if (action === 'die during a sign-in') {
  const killDuringWrite = () => {
    if (readdirSync(dirname(path)).some((name) => name.endsWith('.tmp'))) process.kill(process.pid, 'SIGKILL')
    setImmediate(killDuringWrite)
  }
  killDuringWrite()
  for (;;) await client.session.setToken(tokens[0] ?? '')
}
if (action === 'sign in often') {
  const endsAt = performance.now() + 1000
  for (let index = 0; performance.now() < endsAt; index++) {
    await client.session.setToken(tokens[index % tokens.length] ?? '')
  }
}
console.log(client.session.isAuthenticated)
