import { getEventListeners } from 'node:events'
import { Client, type Fetch, isMfaRequiredError, type MfaAnswer, type MfaChallenge, type MfaHandler } from 'rapport-sdk'
import { type Outcome, outcomeOf } from './answers'
import { type Asked, ModelService } from './step-up-service'

interface Prompt {
  readonly account: string
  readonly challenge: MfaChallenge
  readonly settle: (answer: MfaAnswer | null | Error) => void
  isAnswered: boolean
}

/** Something that was begun and must come to an end. */
export interface Begun {
  readonly control: AbortController
  readonly epoch: number
  requests: number
  outcome?: Outcome
}

/** A client, a service that answers when it is told to, and people who do so too. */
export class World {
  readonly service = new ModelService()
  readonly begun: Begun[] = []
  readonly waiting: { readonly settle: () => void }[] = []
  readonly client: Client
  token: string | null = 'ada'
  epoch = 0
  readonly #prompts: Prompt[] = []

  constructor(retry: number) {
    const fetch: Fetch = (input, { signal, ...init }) => this.#receive(new Request(input, init), signal)
    this.client = new Client({ baseUrl: 'https://service.example', token: 'ada', retry, fetch })
  }

  /** Prompts that a person could still answer. */
  get prompts(): Prompt[] {
    return this.#prompts.filter(({ isAnswered, challenge }) => !isAnswered && !challenge.signal.aborted)
  }

  /** How often a person was asked. */
  get questions(): number {
    return this.#prompts.length
  }

  /** Makes a call, with a token of its own or the session's. */
  call(own: string | undefined, prompts: boolean): void {
    const account = own ?? this.token ?? 'nobody'
    const onMfaRequired: MfaHandler | false = prompts && ((challenge) => this.#ask(account, challenge))
    const headers = { 'x-call': String(this.begun.length) }
    this.#begin((signal) =>
      this.client.relationships.list({ signal, headers, onMfaRequired, ...(own !== undefined && { token: own }) }),
    )
  }

  /** Verifies by hand the challenge that a call ended with, if it did with one. */
  verify({ outcome }: Begun, code: string): void {
    const error = outcome !== undefined && 'error' in outcome ? outcome.error : undefined
    const challenge = isMfaRequiredError(error) ? error.challenge : undefined
    if (challenge !== undefined) this.#begin(() => challenge.verify({ type: 'totp', code }))
  }

  changeSession(token: string | null): void {
    this.epoch++
    this.service.close([this.token ?? 'nobody', token ?? 'nobody'], this.epoch)
    this.token = token
    this.#begin(() => this.client.session.setToken(token))
  }

  /** Listeners that are left on the signals of callers. */
  get listeners(): number {
    return this.begun.reduce((sum, { control }) => sum + getEventListeners(control.signal, 'abort').length, 0)
  }

  #begin(start: (signal: AbortSignal) => Promise<unknown>): void {
    const begun: Begun = { control: new AbortController(), epoch: this.epoch, requests: 0 }
    this.begun.push(begun)
    void outcomeOf(start(begun.control.signal)).then((outcome) => {
      begun.outcome = outcome
    })
  }

  #ask(account: string, challenge: MfaChallenge): Promise<MfaAnswer | null> {
    const open = this.prompts.filter((prompt) => prompt.account === account)
    if (open.length > 0) this.service.violations.push(`${account} has two prompts open`)
    return new Promise((resolve, reject) => {
      const settle = (answer: MfaAnswer | null | Error) => {
        prompt.isAnswered = true
        if (answer instanceof Error) reject(answer)
        else resolve(answer)
      }
      const prompt: Prompt = { account, challenge, settle, isAnswered: false }
      this.#prompts.push(prompt)
    })
  }

  async #receive(request: Request, signal: AbortSignal): Promise<Response> {
    const { headers } = request
    const call = this.begun[Number(headers.get('x-call') ?? Number.NaN)]
    if (call !== undefined) call.requests++
    const text = await request.text()
    const asked: Asked = {
      path: new URL(request.url).pathname,
      account: headers.get('authorization') ?? 'nobody',
      jwt: headers.get('x-service-mfa-authorization'),
      body: text === '' ? {} : (JSON.parse(text) as Asked['body']),
      epoch: this.epoch,
    }
    this.service.inspect(asked, call?.epoch ?? this.epoch)
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        const index = this.waiting.indexOf(entry)
        if (index >= 0) this.waiting.splice(index, 1)
        signal.removeEventListener('abort', abort)
      }
      const abort = () => {
        leave()
        reject(signal.reason)
      }
      const entry = {
        settle: () => {
          leave()
          resolve()
        },
      }
      this.waiting.push(entry)
      if (signal.aborted) abort()
      else signal.addEventListener('abort', abort, { once: true })
    })
    return this.service.answer(asked)
  }
}
