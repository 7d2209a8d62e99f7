// Loads on a server what the first render of a page shows.
import { RapportError } from '../errors/base'
import type { Session } from '../session/session'
import type { InitialLists, InitialState } from './collection'

/** Options of {@link dehydrate}. */
export interface DehydrateOptions<Name extends keyof InitialLists> {
  /** Lists to load: those whose live stores the page shows. */
  readonly live: readonly Name[]
  /** Aborts the requests, for example when the browser is gone. */
  readonly signal?: AbortSignal | undefined
}

/** A client with these lists. */
export type ClientWithLists<Name extends keyof InitialLists> = {
  readonly ready: Promise<void>
  readonly session: Pick<Session, 'status' | 'user'>
} & {
  readonly [N in Name]: {
    /** Loads the list. */
    list(options: { readonly signal: AbortSignal | undefined }): PromiseLike<NonNullable<InitialLists[N]>>
  }
}

/**
 * Loads lists of the user of a client, for the first render of a page on a server, and returns them as plain JSON without a
 * secret. Pass it to `RapportProvider` or to `live({ initial })`. Loads no list if the client is `undefined` or signed out,
 * or its user is unknown: see `client.as(token, userId)`.
 *
 * @param client Client of this request only: one that several users share would mix their data.
 * @throws The same as `list`; render without `initial` then.
 *
 * @example
 * import { Client } from 'rapport-sdk'
 * import { dehydrate, type SessionHandler, serialize } from 'rapport-sdk/server'
 *
 * const parent = new Client({ baseUrl: 'https://service.example' })
 *
 * export async function renderData(handler: SessionHandler, request: Request) {
 *   const client = await handler.client(request, parent)
 *   const initial = await dehydrate(client, { live: ['relationships'], signal: request.signal })
 *   return `<script type="application/json" id="initial">${serialize(initial)}</script>`
 * }
 */
export async function dehydrate<Name extends keyof InitialLists>(
  client: ClientWithLists<Name> | undefined,
  options: DehydrateOptions<Name>,
): Promise<InitialState> {
  const { live, signal } = options
  const time = Date.now()
  await client?.ready
  const user = client?.session.user
  if (!client || !user) {
    const status = client?.session.status === 'signedIn' ? 'signedIn' : 'signedOut'
    return { session: { status, user: null }, time, live: {} }
  }
  const { id } = user
  const lists = await Promise.all(live.map(async (name) => [name, await client[name].list({ signal })] as const))
  if (client.session.user?.id !== id)
    throw new RapportError('dehydrate: the user of the client changed. Use a client for each request.')
  return { session: { status: 'signedIn', user: { id } }, time, live: Object.fromEntries(lists) }
}

/**
 * Returns JSON that can be put into a `<script>` element, as a data block or as an expression: `<`, `>`, `&`, U+2028 and
 * U+2029 are escaped, and keys `__proto__`, which would set a prototype in an expression, are left out.
 */
export function serialize(state: InitialState | null): string {
  const text = JSON.stringify(state, (key, value) => (key === '__proto__' ? undefined : value))
  return text.replace(/[<>&\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
