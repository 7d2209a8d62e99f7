// The dialog for second factors in German, with the texts of `rapport-sdk/locales/de` and one of its own. A page passes
// `onMfaRequired` to its client and needs no more. Node has no page, so this example prints what the dialog would show.
import assert from 'node:assert/strict'
import { Client, explain, type MfaHandler } from 'rapport-sdk'
import { mfaDialog } from 'rapport-sdk/dialog'
import { de } from 'rapport-sdk/locales/de'
import { createMockService } from 'rapport-sdk/mocks'

const words = { ...de.dialog, verify: 'Weiter' }
const explainInGerman = (error: unknown) => explain(error, { words: de.errors })

/** Handler for the client of a page. */
export const onMfaRequired = mfaDialog({ words, explain: explainInGerman })

const service = createMockService()
const ada = service.users.create({
  login: 'ada@example.com',
  username: 'ada',
  password: 'correct horse',
  mfa: ['totp'],
})
const printDialog: MfaHandler = (challenge) => {
  const { hint, label } = words.methods.totp
  console.log(`  ${words.title(challenge)}\n  ${hint}\n  [ ${label} ]  (${words.cancel})  (${words.verify})`)
  if (challenge.lastError !== undefined) {
    const { message } = explainInGerman(challenge.lastError)
    assert.equal(message, 'Bitte prüfen Sie Ihre Eingabe und versuchen Sie es noch einmal.')
    console.log(`  ${message} ${words.attemptsLeft(challenge.attemptsLeft ?? 0)}`)
  }
  return { type: 'totp', code: challenge.attempt === 1 ? '000000' : service.users.totp(ada) }
}
const client = new Client({ baseUrl: service.baseUrl, fetch: service.fetch, onMfaRequired: printDialog })
await client.auth.login({ login: 'ada@example.com', password: 'correct horse' })
assert(client.session.isAuthenticated)
