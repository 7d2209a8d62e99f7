// Accounts that were disabled or deleted: the login rejects, and a second login with `undelete` restores them.
import assert from 'node:assert/strict'
import { Client, isAccountDeletionScheduledError, isAccountRecoverableError, type LoginResult } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'

const service = createMockService()
const password = 'correct horse battery'
const ada = service.users.create({ login: 'ada@example.com', username: 'ada', password })
const grace = service.users.create({ login: 'grace@example.com', username: 'grace', password })
service.users.disable(ada)
service.users.scheduleDeletion(grace)

/** Stands in for the dialog of an app. */
function confirmRestore(question: string, answer: boolean): boolean {
  console.log(`  ${question} ${answer ? 'Yes' : 'No'}`)
  return answer
}

/** Signs in, and offers to restore the account if possible. */
async function signIn(client: Client, login: string, wantsItBack: boolean): Promise<LoginResult | undefined> {
  try {
    return await client.auth.login({ login, password })
  } catch (error) {
    if (!isAccountRecoverableError(error)) throw error
    console.log(`  ${error.name} (${error.code})`)
    const what = isAccountDeletionScheduledError(error) ? 'will be deleted' : 'is disabled'
    if (!confirmRestore(`This account ${what}. Restore it?`, wantsItBack)) return undefined
    return await client.auth.login({ login, password, undelete: true })
  }
}

console.log('A disabled account:')
const client = new Client({ baseUrl: service.baseUrl, fetch: service.fetch })
const restored = await signIn(client, 'ada@example.com', true)
assert.equal(restored?.status, 'complete')
assert.equal(service.users.get(ada).status, 'active')
console.log('  restored and signed in')

console.log('An account that will be deleted:')
const other = new Client({ baseUrl: service.baseUrl, fetch: service.fetch })
assert.equal(await signIn(other, 'grace@example.com', false), undefined)
assert.equal(service.users.get(grace).status, 'deletion_scheduled')
console.log('  not restored')

console.log('The same account, restored after all:')
assert.equal((await signIn(other, 'grace@example.com', true))?.status, 'complete')
assert.equal(service.users.get(grace).status, 'active')
console.log('  restored and signed in')
