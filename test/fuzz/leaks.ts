import { inspect } from 'node:util'
import { Client, type ClientOptions, isMfaRequiredError, type MfaChallenge } from 'rapport-sdk'

const EVENTS = [
  ...(['request', 'response', 'retry', 'rateLimited'] as const),
  ...(['mfaRequired', 'elevated', 'unauthorized', 'responseMismatch'] as const),
]

/** Keeps, as text, all that a client shows to whoever looks. */
export class Witness {
  readonly seen: { readonly where: string; readonly text: string }[] = []

  /** Keeps a value in every form that a log may give it. */
  look(where: string, value: unknown): void {
    const inspected = inspect(value, { depth: Infinity, showHidden: true, maxStringLength: null, maxArrayLength: null })
    this.seen.push({ where: `${where}, inspected`, text: inspected })
    this.seen.push({ where: `${where}, as JSON`, text: JSON.stringify(value) ?? '' })
    this.seen.push({ where: `${where}, as text`, text: String(value) })
    if (typeof value === 'string') this.seen.push({ where, text: value })
    if (value instanceof Error) {
      this.look(`${where}, its message`, value.message)
      this.look(`${where}, its stack`, value.stack)
      if (value.cause !== undefined) this.look(`${where}, its cause`, value.cause)
      if (isMfaRequiredError(value)) this.look(`${where}, its challenge`, value.challenge)
    }
  }

  /** Looks at a challenge and at what it tells of the last attempt. */
  lookAtChallenge(challenge: MfaChallenge): void {
    this.look('a challenge', challenge)
    this.look('the last error of a challenge', challenge.lastError)
  }

  /** A client that logs to it and whose events it sees. */
  client(options: ClientOptions): Client {
    const log = (level: string) => (message: string, details?: unknown) => {
      this.look(`${level} log`, message)
      this.look(`${level} log, details`, details)
    }
    const logger = { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') }
    const client = new Client({ ...options, logger })
    for (const type of EVENTS) client.on(type, (event) => this.look(`event ${type}`, event))
    return client
  }

  /** Where a secret is to be read, whichever way it is written. */
  leaksOf(secrets: Readonly<Record<string, string>>): string[] {
    return Object.entries(secrets).flatMap(([name, secret]) => {
      const escaped = JSON.stringify(secret).slice(1, -1)
      const forms = [secret, escaped, JSON.stringify(escaped).slice(1, -1), encodeURIComponent(secret)]
      const found = this.seen.filter(({ text }) => forms.some((form) => text.includes(form)))
      return found.map(({ where, text }) => `${name} in ${where}: ${text.slice(0, 2000)}`)
    })
  }
}
