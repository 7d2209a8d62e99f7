// Signing in from a new IP address: the service mails a token, the app authorizes the address with it and logs in again.
import assert from 'node:assert/strict'
import { Client, isApiError } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'

const service = createMockService({ policy: { verifyNewLocation: () => true } })
const [login, password] = ['ada@example.com', 'correct horse battery']
const ada = service.users.create({ login, password, username: 'ada' })
service.token(ada, { ip: '192.0.2.10' })

const atHome = new Client({ baseUrl: service.baseUrl, fetch: service.fetchFrom('192.0.2.10') })
assert.equal((await atHome.auth.login({ login, password })).status, 'complete')
console.log('At home: signed in')

const abroad = new Client({ baseUrl: service.baseUrl, fetch: service.fetchFrom('203.0.113.7') })
const refused: unknown = await abroad.auth.login({ login, password }).catch((error: unknown) => error)
assert(isApiError(refused))
const [problem] = refused.fieldErrors
assert.equal(problem?.code, 'ACCOUNT_LOGIN_VERIFICATION_EMAIL')
console.log(`Abroad: ${problem?.message}`)

const mail = service.mail.last(login, 'new_location')
console.log(`Mail: "${mail.text}"`)
await abroad.auth.authorizeIp({ token: mail.token })

assert.equal((await abroad.auth.login({ login, password })).status, 'complete')
assert(abroad.session.isAuthenticated)
console.log('Authorized and signed in')
