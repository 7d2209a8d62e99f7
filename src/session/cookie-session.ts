// The option `session: 'cookie'`: a token store and a `fetch` for pages whose token is in a cookie of `rapport-sdk/server`.
// Loaded on first use. Imports nothing that the client contains: see `seal.ts`.
import type { Fetch, FetchInit, FetchResponse, TokenRecord, TokenStore } from '../types/options'

/** Paths of calls whose success sets the cookie of a session or of a verification. */
export const SETS_COOKIE =
  /\/(?:auth\/(?:login|mfa\/[^/]+|conditional\/finish|handoff\/exchange|register|reset|one-time-login)|mfa\/finish)$/

/** Paths of calls that remove it: a sign-out always, the recovery of an account with a success. */
const REMOVES_COOKIE = /\/auth\/(?:logout|revert)$/

/** Stands for the token of a user, which the page does not have: limits, prompts and verifications are kept by it. */
const standInFor = (userId: unknown) => (typeof userId === 'string' ? `cookie ${userId}` : 'cookie')

/** The token store and the `fetch` of a client whose session is a cookie. */
export class CookieSession implements TokenStore {
  readonly #baseUrl: string
  readonly #mfaHeader: string
  readonly #send: Fetch
  /** A server that loads a page's modules has no cookies. */
  readonly #isPage: boolean
  readonly #listeners = new Set<(record: TokenRecord | null) => void>()
  /** Number of sign-ins and sign-outs that this tab knows of. An answer to what was sent before one may leave a cookie. */
  #changes = 0
  /** Whether the browser may have the cookie of a session. */
  #mayHaveCookie = true

  constructor(baseUrl: string, mfaHeader: string, fetch: Fetch | undefined) {
    this.#baseUrl = baseUrl
    this.#mfaHeader = mfaHeader
    this.#send = fetch ?? ((url, init) => Reflect.apply(globalThis.fetch, undefined, [url, init]))
    this.#isPage = fetch !== undefined || globalThis.location !== undefined
  }

  async get(): Promise<TokenRecord | null> {
    if (!this.#isPage) return null
    const before = this.#changes
    const init = { method: 'GET', headers: {}, redirect: 'manual', signal: new AbortController().signal } as const
    const response = await this.#send(`${this.#baseUrl}/session`, init)
    const { status, user } = Object(await readJson(response))
    if (response.status !== 200 || (status !== 'signedIn' && status !== 'signedOut'))
      throw new Error(`GET session failed with status ${response.status}`)
    const userId = Object(user).id
    if (before !== this.#changes) return this.get()
    this.#mayHaveCookie = status === 'signedIn'
    if (status === 'signedOut') return null
    return { token: standInFor(userId), userId: typeof userId === 'string' ? userId : undefined }
  }

  async set(record: TokenRecord | null, previous?: TokenRecord | null): Promise<void> {
    if (record === null && this.#mayHaveCookie && this.#isPage) await this.#signOut(previous?.userId)
    this.#announce()
  }

  subscribe(listener: (record: TokenRecord | null) => void): () => void {
    this.#listeners.add(listener)
    const channel = this.#isPage ? this.#openChannel() : undefined
    channel?.addEventListener('message', () => {
      this.#changes++
      void this.#refresh()
    })
    // In Node it would keep the process running.
    Object(channel).unref?.()
    return () => {
      this.#listeners.delete(listener)
      channel?.close()
    }
  }

  async fetch(url: string, { headers, ...init }: FetchInit): Promise<FetchResponse> {
    const { authorization, [this.#mfaHeader]: verification, ...others } = headers
    const before = this.#changes
    const [, userId] = /^cookie (.+)$/.exec(authorization ?? '') ?? []
    const { pathname } = new URL(url)
    const isSet = init.method === 'POST' && SETS_COOKIE.test(pathname)
    const isRemoved = init.method === 'POST' && REMOVES_COOKIE.test(pathname)
    // The handler refuses the call with 409 if the cookie is that of another user, of whom this tab has not heard.
    const sent = { ...init, headers: userId ? { ...others, 'x-rapport-user': userId } : others }
    const response = await this.#send(url, sent).catch((error) => {
      if (isSet || isRemoved) this.#onLost()
      throw error
    })
    const { status } = response
    if (status === 409) void this.#refresh()
    if (isRemoved && status < 300) this.#mayHaveCookie = false
    // The session of the client stays, but its cookie may be gone.
    else if (isRemoved) this.#onLost()
    if (!isSet && status !== 401) return response
    const content = await readJson(response)
    if (isSet ? before !== this.#changes : content?.code !== 60003) void this.#refresh()
    const isDone = isSet && status === 200 && content?.ticket === undefined
    if (isDone) this.#mayHaveCookie = true
    if (isDone && !content) this.#onLost()
    return withBody(response, content && isDone ? { ...content, token: standInFor(content.user_id) } : content)
  }

  /** Finds out which cookie the browser has, here and in other tabs: an answer that is lost, or not used, may have changed it. */
  #onLost(): void {
    this.#mayHaveCookie = true
    this.#announce()
    void this.#refresh()
  }

  /** Follows a session that has ended, or that another tab has changed. Without an answer the session stays. */
  async #refresh(): Promise<void> {
    const record = await this.get().catch(() => undefined)
    if (record !== undefined) for (const listener of this.#listeners) listener(record)
  }

  /** Tells other tabs that the cookie has changed. */
  #announce(): void {
    this.#changes++
    const channel = this.#openChannel()
    channel?.postMessage('changed')
    channel?.close()
  }

  #openChannel(): BroadcastChannel | undefined {
    return typeof BroadcastChannel === 'undefined'
      ? undefined
      : new BroadcastChannel(`rapport-session ${this.#baseUrl}`)
  }

  /** Removes the cookie, by a sign-out that the app has not called itself. The handler removes it whatever the service answers. */
  async #signOut(userId: string | undefined): Promise<void> {
    this.#changes++
    const headers = { 'content-type': 'application/json', ...(userId && { 'x-rapport-user': userId }) }
    const init = { method: 'POST', headers, body: '{}', redirect: 'manual', keepalive: true } as const
    const signal = new AbortController().signal
    const { status } = await this.#send(`${this.#baseUrl}/auth/logout`, { ...init, signal })
    this.#mayHaveCookie = status === 409
  }
}

/** Returns the object that a response contains, if it does. */
async function readJson(response: FetchResponse): Promise<Record<string, unknown> | undefined> {
  try {
    return Object(JSON.parse(new TextDecoder().decode(await response.arrayBuffer())))
  } catch {
    return undefined
  }
}

/** Without an object, the body is empty: the call fails as without JSON. */
function withBody({ status, headers, url = '', type = '' }: FetchResponse, body: object | undefined): FetchResponse {
  const bytes = new TextEncoder().encode(JSON.stringify(body))
  return { status, headers, url, type, arrayBuffer: async () => bytes.buffer }
}
