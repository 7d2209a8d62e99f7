// A script that signs in once: `mfaPrompt` asks for the second factor in the terminal, and `fileTokenStore` keeps the token
// for the next run. Here the mock reads the SMS and types the code; your script calls `mfaPrompt()` without streams.
import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { Client } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'
import { fileTokenStore, mfaPrompt } from 'rapport-sdk/node'

const service = createMockService()
const credentials = { login: 'ada@example.com', password: 'correct horse' }
service.users.create({ ...credentials, mfa: ['totp', 'sms'] })

const keyboard = new PassThrough()
service.onEvent((event) => {
  if (event.type === 'sms' && event.message.kind === 'mfa') keyboard.write(`${event.message.code}\n`)
})

const folder = await mkdtemp(join(tmpdir(), 'my-script-'))
const file = join(folder, 'config', 'token.json') // your script: join(homedir(), '.config', 'my-script', 'token.json')

/** A run of the script, in a process of its own. */
async function run(): Promise<Client> {
  const client = new Client({
    baseUrl: service.baseUrl,
    fetch: service.fetch,
    tokenStore: fileTokenStore(file),
    onMfaRequired: mfaPrompt({ input: keyboard, output: process.stdout }),
  })
  await client.ready
  if (!client.session.isAuthenticated) await client.auth.login(credentials)
  const { length } = await client.relationships.list()
  console.log(`${length} relationships`)
  return client
}

console.log('The first run signs in, and asks:')
keyboard.write('2\n')
const first = await run()
first.dispose()
const mode = ((await stat(file)).mode & 0o777).toString(8)
console.log(`The token is in a file that only its owner may read (mode ${mode}).`)

console.log('The second run asks nothing:')
const second = await run()
assert.equal(service.journal.find('Login Account').length, 1)

await second.auth.logout()
assert.deepEqual(await readdir(join(folder, 'config')), [])
console.log('Signing out deletes the file.')
second.dispose()
await rm(folder, { recursive: true })
