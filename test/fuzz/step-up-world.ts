import { getEventListeners } from 'node:events'
import { Client, type Fetch, isMfaRequiredError, type MfaAnswer, type MfaChallenge, type MfaHandler } from 'rapport-sdk'
import { MFA_HEADER, type StepUpRequest, StepUpService } from '../servers/step-up-service'
import { storeInMemory } from '../session-stores'
import { type Outcome, outcomeOf } from './responses'

interface Prompt {
  readonly account: string
  readonly client: Client
  readonly challenge: MfaChallenge
  readonly settle: (answer: MfaAnswer | null | Error) => void
  isAnswered: boolean
}

/** An operation of the client that was started and must settle. */
export interface Operation {
  readonly control: AbortController
  readonly epoch: number
  /** Account of the call; `nobody-` and the index of the client if it has no token. */
  readonly account: string
  requests: number
  outcome?: Outcome
}

interface EpochRequest extends StepUpRequest {
  /** How often a session had changed when the request was sent. */
  readonly epoch: number
  /** Number of the process that sent the request. */
  readonly process: number
}

/** Number of clients: a parent and three that it created, two of them with its token; or two parents that share verifications. */
export const CLIENTS = 4

/** Clients of one parent, a service whose responses a test releases, and users who answer prompts when a test says so. */
export class World {
  readonly service = new StepUpService<EpochRequest>()
  /** Rules that the client has broken. */
  readonly violations: string[] = []
  readonly operations: Operation[] = []
  readonly pendingRequests: { readonly release: () => void }[] = []
  readonly clients: readonly Client[]
  /** Tokens of the sessions of the clients. */
  readonly tokens: (string | null)[] = ['ada', 'ada', 'ada', 'grace']
  readonly disposed = new Set<Client>()
  #epoch = 0
  /** Number of the process of each client. */
  readonly #processes: readonly number[]
  /** The epoch in which a session of an account last ended in a process, and with it the verification of that account. */
  readonly #endedAt = new Map<string, number>()
  readonly #prompts: Prompt[] = []

  /** @param isShared Whether the clients are those of two processes that share verifications. */
  constructor(retry: number, isShared = false) {
    const verifications = isShared ? storeInMemory() : undefined
    const createParent = (process: number) => {
      const fetch: Fetch = (input, { signal, ...init }) => this.#receive(new Request(input, init), signal, process)
      return new Client({ baseUrl: 'https://service.example', token: 'ada', retry, fetch, verifications })
    }
    const parent = createParent(0)
    const one = parent.as('ada')
    const other = isShared ? createParent(1) : parent
    this.clients = [parent, one, isShared ? other : one.as('ada'), other.as('grace')]
    this.#processes = isShared ? [0, 0, 1, 1] : [0, 0, 0, 0]
  }

  /** Prompts that a user can still answer. */
  get prompts(): Prompt[] {
    return this.#prompts.filter(({ isAnswered, challenge }) => !isAnswered && !challenge.signal.aborted)
  }

  get promptCount(): number {
    return this.#prompts.length
  }

  /** Makes a call of a client, with its own token or that of the session. */
  call(which: number, own: string | undefined, prompts: boolean): void {
    const client = this.#client(which)
    const account = own ?? this.#accountOf(which)
    const onMfaRequired: MfaHandler | false = prompts && ((challenge) => this.#prompt(account, client, challenge))
    const headers = { 'x-call': String(this.operations.length) }
    this.#start(account, (signal) =>
      client.relationships.list({ signal, headers, onMfaRequired, ...(own !== undefined && { token: own }) }),
    )
  }

  /** Verifies the challenge of the error that a call failed with, if it has one. */
  verify({ outcome, account }: Operation, code: string): void {
    const error = outcome !== undefined && 'error' in outcome ? outcome.error : undefined
    const challenge = isMfaRequiredError(error) ? error.challenge : undefined
    if (challenge !== undefined) this.#start(account, () => challenge.verify({ type: 'totp', code }))
  }

  setToken(which: number, token: string | null): void {
    this.#epoch++
    const account = this.#accountOf(which)
    this.#endedAt.set(`${account} ${this.#processes[which]}`, this.#epoch)
    this.tokens[which] = token
    this.#start(account, () => this.#client(which).session.setToken(token))
  }

  dispose(which: number): void {
    const client = this.#client(which)
    this.disposed.add(client)
    client.dispose()
    if (this.prompts.some((prompt) => prompt.client === client)) this.violations.push('a disposed client prompts')
  }

  /** Ends everything that is open. */
  end(): void {
    for (const client of this.clients) client.dispose()
  }

  /** The number of listeners on the signals of callers. */
  get listeners(): number {
    return this.operations.reduce((sum, { control }) => sum + getEventListeners(control.signal, 'abort').length, 0)
  }

  #client(which: number): Client {
    const client = this.clients[which]
    if (client === undefined) throw new RangeError(`there is no client ${which}`)
    return client
  }

  #accountOf(which: number): string {
    return this.tokens[which] ?? `nobody-${which}`
  }

  #start(account: string, run: (signal: AbortSignal) => Promise<unknown>): void {
    const operation: Operation = { control: new AbortController(), epoch: this.#epoch, account, requests: 0 }
    this.operations.push(operation)
    void outcomeOf(run(operation.control.signal)).then((outcome) => {
      operation.outcome = outcome
    })
  }

  #prompt(account: string, client: Client, challenge: MfaChallenge): Promise<MfaAnswer | null> {
    const processOf = (one: Client) => this.#processes[this.clients.indexOf(one)]
    const open = this.prompts.filter(
      (prompt) => prompt.account === account && processOf(prompt.client) === processOf(client),
    )
    if (this.disposed.has(client)) this.violations.push(`a disposed client asked ${account}`)
    if (open.length > 0) this.violations.push(`${account} has two prompts open`)
    return new Promise((resolve, reject) => {
      const settle = (answer: MfaAnswer | null | Error) => {
        prompt.isAnswered = true
        if (answer instanceof Error) reject(answer)
        else resolve(answer)
      }
      const prompt: Prompt = { account, client, challenge, settle, isAnswered: false }
      this.#prompts.push(prompt)
    })
  }

  async #receive(request: Request, signal: AbortSignal, process: number): Promise<Response> {
    const { headers } = request
    const operation = this.operations[Number(headers.get('x-call') ?? Number.NaN)]
    if (operation !== undefined) operation.requests++
    const text = await request.text()
    const body: StepUpRequest['body'] = text === '' ? {} : JSON.parse(text)
    const received: EpochRequest = {
      path: new URL(request.url).pathname,
      // A verification without a token belongs to the client whose ticket it is.
      account: headers.get('authorization') ?? operation?.account ?? this.service.tickets.get(body.ticket ?? '') ?? '',
      jwt: headers.get(MFA_HEADER) ?? undefined,
      body,
      epoch: this.#epoch,
      process,
    }
    this.#check(received, operation?.epoch ?? this.#epoch)
    await this.#waitForRelease(signal)
    const reply = this.service.handle(received)
    if (reply === undefined) throw new TypeError('fetch failed')
    return Response.json(reply.body, reply)
  }

  /** Checks a request as it is sent. `callEpoch` is the epoch in which its call was made. */
  #check({ path, account, jwt, body, process }: EpochRequest, callEpoch: number): void {
    if (path === '/mfa/finish' && this.service.tickets.get(body.ticket ?? '') !== account)
      this.violations.push(`${account} sent the ticket ${body.ticket}`)
    if (jwt === undefined) return
    const issued = this.service.issued.get(jwt)
    if (issued === undefined) this.violations.push(`${jwt} was never issued`)
    else if (issued.request.account !== account) this.violations.push(`${jwt} was sent with the token of ${account}`)
    else if (issued.expiresAt < performance.now()) this.violations.push(`${jwt} was sent after it had expired`)
    const endedAt = this.#endedAt.get(`${account} ${process}`) ?? 0
    const isOwn = issued?.request.process === process
    if (issued !== undefined && isOwn && issued.request.epoch < endedAt && callEpoch >= endedAt)
      this.violations.push(`${jwt} was sent after the session had changed`)
  }

  #waitForRelease(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const remove = () => {
        const index = this.pendingRequests.indexOf(entry)
        if (index >= 0) this.pendingRequests.splice(index, 1)
        signal.removeEventListener('abort', abort)
      }
      const abort = () => {
        remove()
        reject(signal.reason)
      }
      const entry = {
        release: () => {
          remove()
          resolve()
        },
      }
      this.pendingRequests.push(entry)
      if (signal.aborted) abort()
      else signal.addEventListener('abort', abort, { once: true })
    })
  }
}
