// German. Not reviewed by a native speaker.
import type { Locale } from './locale'

export type { Locale } from './locale'

const errors: Locale['errors'] = {
  cancelled: { title: 'Abgebrochen', message: 'Der Vorgang wurde abgebrochen.' },
  invalidInput: {
    title: 'Bitte prüfen Sie Ihre Eingaben',
    message: ({ detail }) => detail || 'Bitte korrigieren Sie die markierten Felder.',
  },
  refused: {
    title: 'Das hat nicht geklappt',
    message: ({ detail }) => detail || 'Der Dienst hat dies abgelehnt.',
  },
  signInFailed: {
    title: 'Anmeldung fehlgeschlagen',
    message: 'Bitte prüfen Sie Ihre Eingaben und versuchen Sie es noch einmal.',
  },
  codeRefused: {
    title: 'Nicht akzeptiert',
    message: 'Bitte prüfen Sie Ihre Eingabe und versuchen Sie es noch einmal.',
  },
  codeExpired: {
    title: 'Bestätigung abgelaufen',
    message: 'Die Bestätigung ist abgelaufen. Bitte beginnen Sie von vorn.',
  },
  mfaFailed: {
    title: 'Bestätigung fehlgeschlagen',
    message: ({ count }) =>
      count === 1
        ? 'Die Antwort wurde nicht akzeptiert. Bitte beginnen Sie von vorn.'
        : `${count} Antworten wurden nicht akzeptiert. Bitte beginnen Sie von vorn.`,
  },
  mfaRequired: { title: 'Bestätigung nötig', message: 'Bitte bestätigen Sie, dass Sie es sind.' },
  signedOut: { title: 'Abgemeldet', message: 'Melden Sie sich an, um fortzufahren.' },
  forbidden: {
    title: 'Nicht erlaubt',
    message: ({ detail }) => detail || 'Sie haben dafür keine Berechtigung.',
  },
  notFound: {
    title: 'Nicht gefunden',
    message: ({ detail }) => detail || 'Das gibt es nicht oder nicht mehr.',
  },
  rateLimited: {
    title: 'Zu viele Versuche',
    message: ({ when }) => `Bitte versuchen Sie es ${when('de') ?? 'später'} noch einmal.`,
  },
  accountDisabled: {
    title: 'Konto deaktiviert',
    message: 'Dieses Konto ist deaktiviert. Möchten Sie es wiederherstellen?',
  },
  accountDeleted: {
    title: 'Konto zum Löschen vorgemerkt',
    message: 'Dieses Konto ist zum Löschen vorgemerkt. Möchten Sie es wiederherstellen?',
  },
  serviceDown: {
    title: 'Dienst nicht verfügbar',
    message: 'Der Dienst hat eine Störung. Bitte versuchen Sie es später noch einmal.',
  },
  offline: {
    title: 'Sie sind offline',
    message: 'Bitte prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.',
  },
  unreachable: {
    title: 'Keine Verbindung',
    message: 'Der Dienst ist nicht erreichbar. Bitte versuchen Sie es noch einmal.',
  },
  corsSuspected: {
    title: 'Keine Verbindung',
    message: 'Der Dienst ist nicht erreichbar. Bitte versuchen Sie es noch einmal.',
  },
  timeout: {
    title: 'Zeitüberschreitung',
    message: 'Das hat zu lange gedauert. Bitte versuchen Sie es noch einmal.',
  },
  unreadable: {
    title: 'Unerwartete Antwort',
    message: 'Ihre Änderung wurde vielleicht gespeichert. Bitte laden Sie neu, um es zu sehen.',
  },
  passkeyUnsupported: {
    title: 'Passkeys nicht verfügbar',
    message: 'Dieses Gerät oder dieser Browser kann hier keine Passkeys verwenden.',
  },
  passkeyFailed: {
    title: 'Passkey fehlgeschlagen',
    message: 'Der Passkey hat nicht funktioniert. Versuchen Sie es noch einmal oder wählen Sie eine andere Methode.',
  },
  unexpected: { title: 'Etwas ist schiefgegangen', message: 'Ein unerwarteter Fehler ist aufgetreten.' },
  fields: {
    required: 'Pflichtfeld.',
    invalid_type: 'Dieser Wert hat die falsche Art.',
    invalid_value: 'Dieser Wert ist hier nicht möglich.',
    invalid_format: 'Dieser Wert hat das falsche Format.',
    unknown_field: 'Dieses Feld ist unbekannt.',
    too_short: 'Geben Sie mindestens {limit} Zeichen ein.',
    too_long: 'Geben Sie höchstens {limit} Zeichen ein.',
    too_few: 'Wählen Sie mindestens {limit} aus.',
    too_many: 'Wählen Sie höchstens {limit} aus.',
    conflict: 'Das passt nicht zu einer anderen Eingabe.',
    too_deep: 'Das ist zu tief verschachtelt.',
  },
}

const attemptsLeft = (count: number) => (count === 1 ? 'Noch ein Versuch.' : `Noch ${count} Versuche.`)
const repeated = 'Das wurde schon abgelehnt. Geben Sie etwas anderes ein.'

/** German texts. Not reviewed by a native speaker. */
export const de: Locale = {
  errors,
  dialog: {
    lang: 'de',
    dir: 'ltr',
    title: ({ reason }) =>
      reason === 'login'
        ? 'Anmeldung bestätigen'
        : reason === 'password_reset'
          ? 'Neues Passwort bestätigen'
          : 'Bitte bestätigen Sie, dass Sie es sind',
    operations: {
      'Logout Auth Sessions': 'Geräte abmelden',
      'Create Handoff Token': 'Auf einem anderen Gerät anmelden',
      'Publish Application Widget Config': 'Ein Widget veröffentlichen',
      'Delete Application Widget Config': 'Ein Widget löschen',
    },
    choose: 'Bestätigen mit',
    methods: {
      totp: { name: 'Authenticator-App', hint: 'Geben Sie den Code aus Ihrer Authenticator-App ein.', label: 'Code' },
      sms: { name: 'SMS', hint: 'Fordern Sie einen Code per SMS an und geben Sie ihn ein.', label: 'Code' },
      backup: { name: 'Ersatzcode', hint: 'Geben Sie einen unbenutzten Ersatzcode ein.', label: 'Ersatzcode' },
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
    sendAgainIn: (when) => `Erneut senden ${when}`,
    sending: 'Wird gesendet …',
    sent: (phone) => `Der Code wurde an ${phone} gesendet.`,
    verify: 'Bestätigen',
    verifyIn: (when) => `Wieder möglich ${when}`,
    verifying: 'Wird geprüft …',
    cancel: 'Abbrechen',
    empty: 'Bitte füllen Sie dieses Feld aus.',
    digits: (count) => `Geben Sie die ${count} Ziffern des Codes ein.`,
    refused: 'Das wurde nicht akzeptiert.',
    repeated,
    attemptsLeft,
    rateLimited: 'Zu viele Versuche.',
    unavailable: 'Der Dienst ist nicht erreichbar. Bitte versuchen Sie es noch einmal.',
    expired: 'Das hat zu lange gedauert. Bestätigen Sie erneut, um fortzufahren.',
    failed: 'Das hat nicht geklappt. Bitte versuchen Sie es noch einmal.',
  },
  prompt: {
    title: ({ reason, endpoint }) => {
      const subject = { login: 'Die Anmeldung', password_reset: 'Das neue Passwort', elevation: `„${endpoint}“` }
      return `${subject[reason]} erfordert eine Bestätigung.`
    },
    choices: {
      totp: 'Code Ihrer Authenticator-App',
      sms: 'Code per SMS senden',
      backup: 'Ersatzcode',
      password: 'Passwort',
    },
    choose: (count, preset) => `Nummer von 1 bis ${count} [${preset}]`,
    prompts: {
      totp: 'Code Ihrer Authenticator-App',
      sms: 'Code aus der SMS',
      backup: 'Ersatzcode',
      password: 'Passwort',
    },
    enter: {
      send: 'mit der Eingabetaste senden',
      sendAgain: 'mit der Eingabetaste erneut senden',
      otherMethod: 'Eingabetaste zeigt andere Methoden',
    },
    sent: (phone) => `An ${phone} gesendet.`,
    sendAgainIn: (seconds) => `Eine weitere SMS ist in ${seconds} s möglich.`,
    attemptsLeft,
    repeated,
    closed: 'Eine Antwort wird nicht mehr benötigt.',
    errors,
  },
}
