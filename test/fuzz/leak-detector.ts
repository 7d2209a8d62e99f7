import { inspect } from 'node:util'
import { Client, type ClientOptions, isMfaRequiredError, type MfaChallenge } from 'rapport-sdk'

const EVENTS = [
  ...(['request', 'response', 'requestFailed', 'retry', 'rateLimited', 'callEnd'] as const),
  ...(['mfaRequired', 'elevated', 'unauthorized', 'responseMismatch'] as const),
]

/** Records the textual representations of everything that a client exposes. */
export class LeakDetector {
  readonly recorded: { readonly place: string; readonly text: string }[] = []

  /** Records a value as `inspect`, JSON and string, and the parts of an error. */
  record(place: string, value: unknown): void {
    const inspected = inspect(value, { depth: Infinity, showHidden: true, maxStringLength: null, maxArrayLength: null })
    this.recorded.push({ place: `${place}, inspected`, text: inspected })
    this.recorded.push({ place: `${place}, as JSON`, text: JSON.stringify(value) ?? '' })
    this.recorded.push({ place: `${place}, as text`, text: String(value) })
    if (typeof value === 'string') this.recorded.push({ place, text: value })
    if (value instanceof Error) {
      this.record(`${place}, its message`, value.message)
      this.record(`${place}, its stack`, value.stack)
      if (value.cause !== undefined) this.record(`${place}, its cause`, value.cause)
      if (isMfaRequiredError(value)) this.record(`${place}, its challenge`, value.challenge)
    }
  }

  /** Records a challenge and the error of its last attempt. */
  recordChallenge(challenge: MfaChallenge): void {
    this.record('a challenge', challenge)
    this.record('the last error of a challenge', challenge.lastError)
  }

  /** Creates a client whose log lines and events are recorded. */
  createClient(options: ClientOptions): Client {
    const log = (level: string) => (message: string, details?: unknown) => {
      this.record(`${level} log`, message)
      this.record(`${level} log, details`, details)
    }
    const logger = { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') }
    const client = new Client({ ...options, logger })
    for (const type of EVENTS) client.on(type, (event) => this.record(`event ${type}`, event))
    return client
  }

  /** Returns the places that contain a secret, plain or encoded. */
  findLeaks(secrets: Readonly<Record<string, string>>): string[] {
    return Object.entries(secrets).flatMap(([name, secret]) => {
      const escaped = JSON.stringify(secret).slice(1, -1)
      const forms = [secret, escaped, JSON.stringify(escaped).slice(1, -1), encodeURIComponent(secret)]
      const found = this.recorded.filter(({ text }) => forms.some((form) => text.includes(form)))
      return found.map(({ place, text }) => `${name} in ${place}: ${text.slice(0, 2000)}`)
    })
  }
}
