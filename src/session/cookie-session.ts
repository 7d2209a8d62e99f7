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

/** Creates the token store and the `fetch` of a client whose session is a cookie. */
export function createCookieSession(baseUrl: string, mfaHeader: string, fetch: Fetch | undefined) {
  const send: Fetch = fetch ?? ((url, init) => Reflect.apply(globalThis.fetch, undefined, [url, init]))
  const listeners = new Set<(record: TokenRecord | null) => void>()
  const name = `rapport-session ${baseUrl}`
  // A server that loads a page's modules has no cookies.
  const isPage = fetch !== undefined || globalThis.location !== undefined
  /** Number of sign-ins and sign-outs that this tab knows of. An answer to what was sent before one may leave a cookie. */
  let changes = 0
  /** Whether the browser may have the cookie of a session. */
  let mayHaveCookie = true

  const get = async (): Promise<TokenRecord | null> => {
    if (!isPage) return null
    const before = changes
    const init = { method: 'GET', headers: {}, redirect: 'manual', signal: new AbortController().signal } as const
    const response = await send(`${baseUrl}/session`, init)
    const { status, user } = await readJson(response)
    if (response.status !== 200 || (status !== 'signedIn' && status !== 'signedOut'))
      throw new Error(`GET session failed with status ${response.status}`)
    const userId = Object(user).id
    if (before !== changes) return get()
    mayHaveCookie = status === 'signedIn'
    if (status === 'signedOut') return null
    return { token: standInFor(userId), userId: typeof userId === 'string' ? userId : undefined }
  }
  /** Follows a session that has ended, or that another tab has changed. Without an answer the session stays. */
  const refresh = () =>
    get().then(
      (record) => {
        for (const listener of listeners) listener(record)
      },
      () => {},
    )

  /** Tells other tabs that the cookie has changed. */
  const announce = () => {
    changes++
    if (typeof BroadcastChannel === 'undefined') return
    const channel = new BroadcastChannel(name)
    channel.postMessage('changed')
    channel.close()
  }
  /** Removes the cookie, by a sign-out that the app has not called itself. The handler removes it whatever the service answers. */
  const signOut = async (userId: string | undefined) => {
    changes++
    const headers = { 'content-type': 'application/json', ...(userId && { 'x-rapport-user': userId }) }
    const init = { method: 'POST', headers, body: '{}', redirect: 'manual', keepalive: true } as const
    const { status } = await send(`${baseUrl}/auth/logout`, { ...init, signal: new AbortController().signal })
    mayHaveCookie = status === 409
  }

  const tokenStore: TokenStore = {
    get,
    async set(record, previous) {
      if (record === null && mayHaveCookie && isPage) await signOut(previous?.userId)
      announce()
    },
    subscribe(listener) {
      listeners.add(listener)
      const channel = typeof BroadcastChannel === 'undefined' || !isPage ? undefined : new BroadcastChannel(name)
      channel?.addEventListener('message', () => {
        changes++
        void refresh()
      })
      // In Node it would keep the process running.
      Object(channel).unref?.()
      return () => {
        listeners.delete(listener)
        channel?.close()
      }
    },
  }

  const withCookie: Fetch = async (url, { headers, ...init }: FetchInit) => {
    const { authorization, [mfaHeader]: verification, ...others } = headers
    const before = changes
    const [, userId] = /^cookie (.+)$/.exec(authorization ?? '') ?? []
    // The handler refuses the call with 409 if the cookie is that of another user, of whom this tab has not heard.
    const response = await send(url, { ...init, headers: userId ? { ...others, 'x-rapport-user': userId } : others })
    if (response.status === 409) void refresh()
    const { pathname } = new URL(url)
    const isSet = init.method === 'POST' && SETS_COOKIE.test(pathname)
    if (init.method === 'POST' && REMOVES_COOKIE.test(pathname)) {
      if (response.status < 300) mayHaveCookie = false
      // The session of the client stays, but its cookie may be gone.
      else {
        announce()
        void refresh()
      }
    }
    if (!isSet && response.status !== 401) return response
    const content = await readJson(response)
    if (isSet ? before !== changes : content.code !== 60003) void refresh()
    const isDone = isSet && response.status === 200 && content.ticket === undefined
    if (isDone) mayHaveCookie = true
    const body = isDone ? { ...content, token: standInFor(content.user_id) } : content
    return withBody(response, body)
  }
  return { tokenStore, fetch: withCookie }
}

/** Returns the object that a response contains, an empty one if it contains none. */
async function readJson(response: FetchResponse): Promise<Record<string, unknown>> {
  try {
    return Object(JSON.parse(new TextDecoder().decode(await response.arrayBuffer())))
  } catch {
    return {}
  }
}

function withBody({ status, headers, url = '', type = '' }: FetchResponse, body: object): FetchResponse {
  const bytes = new TextEncoder().encode(JSON.stringify(body))
  return { status, headers, url, type, arrayBuffer: async () => bytes.buffer }
}
