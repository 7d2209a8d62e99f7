import { execFileSync } from 'node:child_process'
import { createInterface } from 'node:readline/promises'
import { createMockService } from '../../mocks/index'
import { Client } from '../../src/index'
import { mfaPrompt } from '../../src/node/index'

// Signs in with the prompt in the terminal of the process, and prints whether the terminal is as before.
const [, , mode = ''] = process.argv
const service = createMockService()
const user = service.users.create({
  login: 'ada@example.com',
  password: 'correct horse',
  mfa: mode === 'menu' ? ['totp', 'sms'] : ['totp'],
  phone: '+15550100100',
})
const onMfaRequired = mfaPrompt(mode === 'passed' ? { input: process.stdin } : {})
const client = new Client({ baseUrl: service.baseUrl, fetch: service.fetch, onMfaRequired })
const settings = () => execFileSync('stty', ['-a'], { stdio: ['inherit', 'pipe', 'inherit'], encoding: 'utf8' })
const before = process.stdin.isTTY ? settings() : ''
console.log(`code ${service.users.totp(user)}`)

const readline = mode === 'readline' ? createInterface({ input: process.stdin, output: process.stdout }) : undefined
const login = readline ? await readline.question('Login: ') : 'ada@example.com'
client.on('mfaRequired', () => void (mode === 'exit' && setTimeout(() => process.exit(), 100)))
try {
  const { status } = await client.auth.login({ login, password: 'correct horse' })
  console.log(`status ${status}`)
} catch (error) {
  console.log(error instanceof Error ? `${error.name}: ${error.message}\n${error.cause ?? ''}` : error)
}
if (readline) console.log(`answered ${await readline.question('Continue? ')}`)
readline?.close()
if (process.stdin.isTTY) console.log(settings() === before ? 'the terminal is as before' : settings())
