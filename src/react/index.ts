'use client'

/** Hooks for React 18 and 19. On the server, and while hydrating, each returns its initial state, or that of a server. */

import {
  createContext,
  createElement,
  type ReactElement,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import type { BaseClient } from '../client/base-client'
import type { Client } from '../client/client'
import type { GatewayState } from '../gateway/events'
import type { InitialState } from '../live/collection'
import type { LiveStore, LiveView } from '../live/live-store'
import type { MfaPrompt } from '../mfa/prompt'
import type { Session, SessionSnapshot } from '../session/session'

/**
 * Type of your client, if it is not a `Client` of `rapport-sdk`: {@link useClient} returns it. Add a member `client`, once, next
 * to where you create the client. As hooks import the type of no client, they cannot infer it.
 *
 * @example
 * import { auth, createClient, relationships } from 'rapport-sdk/core'
 * import { useClient } from 'rapport-sdk/react'
 *
 * const client = createClient({ baseUrl: 'https://service.example' }, { auth, relationships })
 *
 * declare module 'rapport-sdk/react' {
 *   interface Register {
 *     client: typeof client
 *   }
 * }
 *
 * export const useRelationships = () => useClient().relationships
 */
// biome-ignore lint/suspicious/noEmptyInterface: an app adds the member.
export interface Register {}

/** Type of the app's client: that of {@link Register}, or else `Client`. */
export type RegisteredClient = Register extends { readonly client: infer C extends BaseClient } ? C : Client

/** Properties of {@link RapportProvider}. */
export interface RapportProviderProps {
  /**
   * The app's client. Create it outside of components, so that React does not create another one. The provider neither connects
   * nor disposes it. Its session may be a cookie; {@link Register} its type if the app reads results of sign-ins.
   */
  readonly client: RegisteredClient | (Register extends { readonly client: BaseClient } ? never : Client<'cookie'>)
  /** Result of `createMfaPrompt` whose `handler` is the client's `onMfaRequired`, for {@link useMfaPrompt}. */
  readonly mfaPrompt?: MfaPrompt | undefined
  /**
   * State that `dehydrate` of `rapport-sdk/server` returned for this page: the same object in each render. The first render shows it.
   * If the client's session is that of another user, it is dropped after that.
   */
  readonly initial?: InitialState | null | undefined
  /** Components that use the hooks. */
  readonly children?: ReactNode
}

type Provided = RapportProviderProps & { readonly client: RegisteredClient }

const RapportContext = createContext<Provided | undefined>(undefined)

function useRapport(): Provided {
  const context = useContext(RapportContext)
  if (!context) throw new Error('This component needs a <RapportProvider client={client}> around it.')
  return context
}

/**
 * Provides a client to the hooks of all components below it. A provider inside of another one is for another account.
 *
 * @example
 * ```tsx
 * import { Client } from 'rapport-sdk'
 * import { RapportProvider } from 'rapport-sdk/react'
 *
 * const client = new Client({ baseUrl: 'https://service.example' })
 *
 * export const Root = () => <RapportProvider client={client}>…</RapportProvider>
 * ```
 */
export function RapportProvider(props: RapportProviderProps): ReactElement {
  const { children } = props
  // Only results of sign-ins differ with a cookie.
  const client: RegisteredClient = Object(props.client)
  // Not one of a polluted `Object.prototype`.
  const mfaPrompt = Object.hasOwn(props, 'mfaPrompt') ? props.mfaPrompt : undefined
  const initial = Object.hasOwn(props, 'initial') ? props.initial : undefined
  const value = useMemo(() => ({ client, mfaPrompt, initial }), [client, mfaPrompt, initial])
  return createElement(RapportContext.Provider, { value }, children)
}

/**
 * Returns the client of the nearest {@link RapportProvider}. Its type is `Client`, or that of {@link Register}.
 *
 * @throws Error if there is no provider.
 */
export function useClient(): RegisteredClient {
  return useRapport().client
}

const LOADING: SessionSnapshot = Object.freeze({ status: 'loading', user: null })

/** Returns the session that a server has rendered, `loading` without one. */
function readSession(initial: InitialState | null | undefined): SessionSnapshot {
  const { status, user }: Partial<InitialState['session']> = Object(initial?.session)
  if (status !== 'signedIn' && status !== 'signedOut') return LOADING
  return Object.freeze({ status, user: typeof user?.id === 'string' ? { id: user.id } : null })
}

/**
 * Returns the status of the session and its user, as far as known. On the server, while hydrating, and while the client loads its
 * session, they are those of the provider's `initial`. Without it the status is `loading`: the page is the same for all users.
 *
 * @example
 * ```tsx
 * import { useSession } from 'rapport-sdk/react'
 *
 * export function Account() {
 *   const { status, user } = useSession()
 *   if (status === 'loading') return null
 *   return <p>{status === 'signedIn' ? `Signed in as ${user?.id ?? '…'}` : 'Signed out'}</p>
 * }
 * ```
 */
export function useSession(): SessionSnapshot {
  const { client, initial } = useRapport()
  const { subscribe, getSnapshot } = client.session
  const rendered = useMemo(() => readSession(initial), [initial])
  const read = () => (getSnapshot().status === 'loading' ? rendered : getSnapshot())
  return useSyncExternalStore(subscribe, read, () => rendered)
}

const NONE: readonly never[] = Object.freeze([])
/** A store that has not loaded, as on the server. */
const EMPTY: LiveView<never, unknown, unknown> = {
  all: () => NONE,
  get: () => undefined,
  filter: () => NONE,
  status: 'loading',
  stale: true,
  lastError: undefined,
}

/**
 * Returns the items of a live store, and renders again when they change. On the server and while hydrating they are those of the
 * provider's `initial`, from which the store then starts; without it there are none. The hook
 * neither opens nor closes the store: open it once, next to the client. It then outlives components and sign-outs.
 *
 * @example
 * ```tsx
 * import { Client, RelationshipType } from 'rapport-sdk'
 * import { useLive } from 'rapport-sdk/react'
 *
 * const client = new Client({
 *   baseUrl: 'https://service.example',
 *   gateway: { url: 'wss://gateway.service.example', connectOnSignIn: true },
 * })
 * const relationships = client.relationships.live()
 *
 * export function Friends() {
 *   const friends = useLive(relationships, ({ filter }) => filter(RelationshipType.FRIEND))
 *   const isLoading = useLive(relationships, ({ status }) => status === 'loading')
 *   return isLoading ? <p>Loading…</p> : friends.map(({ id, nickname }) => <p key={id}>{nickname ?? id}</p>)
 * }
 * ```
 */
export function useLive<Item, Key, Type>(store: LiveStore<Item, Key, Type>): readonly Item[]
/**
 * Returns a value selected from a live store, and renders again when it changes.
 *
 * @param selector May be an inline function, and may create new objects.
 * @param isEqual Whether a new value counts as the previous one, which is then returned again. Default: `Object.is`.
 */
export function useLive<Item, Key, Type, T>(
  store: LiveStore<Item, Key, Type>,
  selector: (store: LiveView<Item, Key, Type>) => T,
  isEqual?: (one: T, other: T) => boolean,
): T
export function useLive<Item, Key, Type, T>(
  store: LiveStore<Item, Key, Type>,
  selector: (store: LiveView<Item, Key, Type>) => T | readonly Item[] = selectAll,
  isEqual: (one: T | readonly Item[], other: T | readonly Item[]) => boolean = Object.is,
): T | readonly Item[] {
  const rendered = useRef<{ readonly value: T | readonly Item[] }>(undefined)
  const state = useContext(RapportContext)?.initial
  const [subscribe, given] = useMemo(() => {
    const found = state ? store.readInitial(state) : undefined
    return [
      // Only a browser subscribes: on a server, the store belongs to all users.
      (listener: () => void) => {
        found?.adopt()
        return store.subscribe(listener)
      },
      found?.view ?? EMPTY,
    ]
  }, [store, state])
  const [getSnapshot, getServerSnapshot] = useMemo(() => {
    const selection = store.select((view) => {
      const value = selector(view)
      // The selection itself compares only its own values; an inline selector makes another one in each render.
      return rendered.current && isEqual(rendered.current.value, value) ? rendered.current.value : value
    }, isEqual)
    let initial: { readonly value: T | readonly Item[] } | undefined
    return [
      selection.getSnapshot,
      () => {
        initial ??= { value: selector(given) }
        return initial.value
      },
    ]
  }, [store, given, selector, isEqual])
  const value = useSyncExternalStore(subscribe, getSnapshot, getServerSnapshot)
  useEffect(() => {
    rendered.current = { value }
  })
  return value
}

function selectAll<Item>({ all }: Pick<LiveView<Item, never, never>, 'all'>): readonly Item[] {
  return all()
}

/**
 * Returns the challenge that needs a second factor, and the functions that answer or cancel it: render a dialog while `current` is
 * not `null`. It is `null` on the server and while hydrating.
 *
 * @throws Error if the provider has no `mfaPrompt`.
 *
 * @example
 * ```tsx
 * import { useMfaPrompt } from 'rapport-sdk/react'
 * import type { FormEvent } from 'react'
 *
 * export function CodeForm() {
 *   const { current, answer, cancel } = useMfaPrompt()
 *   if (!current) return null
 *   const submit = (event: FormEvent<HTMLFormElement>) => {
 *     event.preventDefault()
 *     answer({ type: 'totp', code: String(new FormData(event.currentTarget).get('code')) })
 *   }
 *   return (
 *     <form onSubmit={submit}>
 *       <input name="code" inputMode="numeric" autoComplete="one-time-code" disabled={current.state === 'verifying'} />
 *       {current.lastError && <p role="alert">Wrong code, {current.attemptsLeft} attempts left</p>}
 *       <button type="button" onClick={cancel}>Cancel</button>
 *     </form>
 *   )
 * }
 * ```
 */
export function useMfaPrompt(): Pick<MfaPrompt, 'current' | 'answer' | 'cancel'> {
  const { mfaPrompt } = useRapport()
  if (!mfaPrompt) throw new Error('useMfaPrompt: pass createMfaPrompt() to <RapportProvider mfaPrompt={…}>.')
  const { subscribe, answer, cancel } = mfaPrompt
  const current = useSyncExternalStore(
    subscribe,
    () => mfaPrompt.current,
    () => null,
  )
  const challenge = current?.challenge
  // An answer to what is shown: the next challenge may be of another account.
  return { current, answer: useCallback((value) => answer(value, challenge), [answer, challenge]), cancel }
}

/**
 * Returns the state of the client's gateway; `idle` on the server and while hydrating.
 *
 * @throws Error if the client has no gateway, because `createClient` was not given the part `gateway`.
 */
export function useGatewayState(): GatewayState {
  const { gateway }: BaseClient & Partial<Pick<Client, 'gateway'>> = useClient()
  if (!gateway) throw new Error('useGatewayState: the client needs the part `gateway` of rapport-sdk/core.')
  const subscribe = useCallback(
    (listener: () => void) => {
      gateway.on('stateChange', listener)
      return () => {
        gateway.off('stateChange', listener)
      }
    },
    [gateway],
  )
  return useSyncExternalStore(
    subscribe,
    () => gateway.state,
    () => 'idle',
  )
}

/** Options that {@link useCall} passes to the call. */
export interface CallOptions {
  /** Aborts when the component unmounts, or the call runs again. */
  readonly signal: AbortSignal
}

/** State of a {@link useCall}. */
export interface CallState<T> {
  /**
   * Result of the last call that succeeded; `undefined` before the first one and after the dependencies or the account have
   * changed. It stays while the call runs again, and if that fails.
   */
  readonly data: T | undefined
  /** Error of the last call, or `undefined` if it succeeded. It stays until the next call has ended. */
  readonly error: unknown
  /** Whether a call is in flight; `true` on the server and in the first render. */
  readonly loading: boolean
  /** Aborts the call in flight, if any, and starts it again. Stays the same function. */
  readonly run: () => void
}

/** Outcome of a call that has ended. */
interface Outcome<T> {
  readonly current: object
  readonly run: object
  readonly data: T | undefined
  readonly error: unknown
}

/** Returns functions that follow and read the account of a session: another object for another token. */
function followAccount(session: Partial<Session> = {}) {
  let { token, status } = session
  let account = {}
  const read = () => {
    // Calls wait while the stored token is loaded: what they return belongs to its account.
    if (token !== session.token && status !== 'loading') account = {}
    ;({ token, status } = session)
    return account
  }
  return [session.subscribe ?? (() => () => {}), read] as const
}

/**
 * Calls `call` when the component mounts, when a value of `dependencies`, the provider's client or its token changes, and
 * when you call `run`. The call in flight is aborted by the next one and when the component unmounts; only the last call sets `data`
 * and `error`. Nothing is called on the server. React's StrictMode mounts twice in development, so the first call is aborted there.
 *
 * For a call that a click or a form starts, no hook is needed: await it in the handler.
 *
 * @param call Receives the `signal`, so that a method with no other parameter can be passed as it is.
 * @param dependencies Values that `call` uses, as for `useEffect`. Default: none, so that it is called once.
 *
 * @example
 * ```tsx
 * import { useCall, useClient } from 'rapport-sdk/react'
 *
 * export function Devices() {
 *   const client = useClient()
 *   const { data, error, loading, run } = useCall(client.auth.sessions.list, [client])
 *   if (error) return <button onClick={run}>Try again</button>
 *   return <p>{loading ? 'Loading…' : data?.user_sessions.length}</p>
 * }
 * ```
 */
export function useCall<T>(
  call: (options: CallOptions) => T | PromiseLike<T>,
  dependencies: readonly unknown[] = [],
): CallState<T> {
  const client = useContext(RapportContext)?.client
  const [subscribe, read] = useMemo(() => followAccount(client?.session), [client])
  // Never rendered, so that the page of a server needs no other one.
  const account = useSyncExternalStore(subscribe, read, read)
  // A new object, because the same function may be passed with other dependencies.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the caller lists them.
  const current = useMemo(() => ({ call }), [account, ...dependencies])
  const [run, setRun] = useState({})
  const [outcome, setOutcome] = useState<Outcome<T>>()
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    const end = (next: (before: T | undefined) => Pick<Outcome<T>, 'data' | 'error'>) => {
      if (signal.aborted) return
      setOutcome((before) => ({ current, run, ...next(before?.current === current ? before.data : undefined) }))
    }
    // Async, so that an exception of the call is an error like a rejection.
    ;(async () => current.call({ signal }))().then(
      (data) => end(() => ({ data, error: undefined })),
      (error) => end((data) => ({ data, error })),
    )
    return () => controller.abort()
  }, [current, run])
  // The outcome for other dependencies is not shown, not even in the render before the effect.
  const last = outcome?.current === current ? outcome : undefined
  return {
    data: last?.data,
    error: last?.error,
    loading: last?.run !== run,
    run: useCallback(() => setRun({}), []),
  }
}
