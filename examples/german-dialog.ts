// The dialog for second factors in German: its own texts, and those of errors. A page passes `onMfaRequired` to its
// client and needs no more. Node has no page, so this example prints what the dialog would show.
import assert from 'node:assert/strict'
import { Client, type ErrorWords, explain, type MfaHandler } from 'rapport-sdk'
import { type MfaDialogWords, mfaDialog } from 'rapport-sdk/dialog'
import { createMockService } from 'rapport-sdk/mocks'

const TITLES = {
  login: 'Anmeldung bestätigen',
  password_reset: 'Neues Passwort bestätigen',
  elevation: 'Bitte bestätigen Sie, dass Sie es sind',
} as const

const words: MfaDialogWords = {
  lang: 'de',
  title: ({ reason }) => TITLES[reason],
  choose: 'Bestätigen mit',
  methods: {
    totp: { name: 'Authenticator-App', hint: 'Geben Sie den Code aus Ihrer Authenticator-App ein.', label: 'Code' },
    sms: { name: 'SMS', hint: 'Fordern Sie einen Code per SMS an und geben Sie ihn ein.', label: 'Code' },
    backup: { name: 'Ersatzcode', hint: 'Geben Sie einen noch unbenutzten Ersatzcode ein.', label: 'Ersatzcode' },
    password: { name: 'Passwort', hint: 'Geben Sie Ihr Passwort ein.', label: 'Passwort' },
    webauthn: {
      name: 'Passkey',
      hint: 'Verwenden Sie Ihren Passkey oder Sicherheitsschlüssel.',
      verify: 'Passkey verwenden',
    },
  },
  noMethod: 'Für dieses Konto ist keine Bestätigung eingerichtet.',
  send: 'Code senden',
  sendAgain: 'Erneut senden',
  sendAgainIn: (seconds) => `Erneut senden in ${seconds} s`,
  sent: (phone) => `Der Code wurde an ${phone} gesendet.`,
  verify: 'Bestätigen',
  verifying: 'Wird geprüft …',
  cancel: 'Abbrechen',
  refused: 'Das wurde nicht akzeptiert.',
  repeated: 'Das wurde schon abgelehnt. Geben Sie etwas anderes ein.',
  attemptsLeft: (count) => (count === 1 ? 'Noch ein Versuch.' : `Noch ${count} Versuche.`),
  failed: 'Das hat nicht geklappt. Bitte versuchen Sie es noch einmal.',
}

/** The errors that the dialog can show. Without `explain`, it shows the service's message, in the service's language. */
const errors: Partial<ErrorWords> = {
  cancelled: { title: 'Abgebrochen', message: 'Es wurde nichts geändert.' },
  codeRefused: { title: 'Nicht akzeptiert', message: 'Bitte prüfen Sie Ihre Eingabe.' },
  rateLimited: {
    title: 'Zu viele Versuche',
    message: ({ count }) => `Bitte versuchen Sie es ${count === undefined ? 'später' : `in ${count} s`} noch einmal.`,
  },
  offline: { title: 'Offline', message: 'Bitte prüfen Sie Ihre Internetverbindung.' },
  unreachable: { title: 'Keine Verbindung', message: 'Der Dienst ist nicht erreichbar.' },
  passkeyFailed: { title: 'Passkey', message: 'Bitte wählen Sie eine andere Methode.' },
}

/** Handler for the client of a page. */
export const onMfaRequired = mfaDialog({ words, explain: (error) => explain(error, { words: errors }) })

const service = createMockService()
const ada = service.users.create({
  login: 'ada@example.com',
  username: 'ada',
  password: 'correct horse',
  mfa: ['totp'],
})
const printDialog: MfaHandler = (challenge) => {
  const { hint, label } = words.methods.totp ?? { hint: '' }
  console.log(`  ${words.title(challenge)}\n  ${hint}\n  [ ${label} ]  (${words.cancel})  (${words.verify})`)
  if (challenge.lastError !== undefined) {
    const { message } = explain(challenge.lastError, { words: errors })
    assert.equal(message, 'Bitte prüfen Sie Ihre Eingabe.')
    console.log(`  ${message} ${words.attemptsLeft(challenge.attemptsLeft ?? 0)}`)
  }
  return { type: 'totp', code: challenge.attempt === 1 ? '000000' : service.users.totp(ada) }
}
const client = new Client({ baseUrl: service.baseUrl, fetch: service.fetch, onMfaRequired: printDialog })
await client.auth.login({ login: 'ada@example.com', password: 'correct horse' })
assert(client.session.isAuthenticated)
