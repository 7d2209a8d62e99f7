// Calls of the control API and its events, from the page of the inspector.
import type { MockServiceEvent } from '../../core'
import type { readEvents as readControlEvents } from '../caller'

export type Connection = ReturnType<typeof createConnection>

export interface ConnectionHandlers {
  /** Called when the event stream is open, before the first event is emitted. */
  readonly onOpen: () => Promise<void>
  readonly onEvent: (event: MockServiceEvent) => void
  readonly onState: (state: 'live' | 'disconnected, trying again' | 'needs the control token') => void
  readonly onError: (error: unknown) => void
}

/**
 * Creates the connection of the inspector to the control API. The page contains the text of this function, so it must not use
 * anything outside of it but types.
 */
export function createConnection(readEvents: typeof readControlEvents) {
  // The page of a namespace is below `namespaces/`.
  const [, root = '', own = ''] = /^(.*)\/_mock\/(?:namespaces\/([^/]+)\/)?/.exec(location.pathname) ?? []
  const base = `${root}/_mock/`
  let selected = decodeURIComponent(own) || 'default'
  /** Control token; in memory only. */
  let token: string | undefined
  let following = new AbortController()

  class Refusal extends Error {
    constructor(
      readonly status: number,
      message: string,
    ) {
      super(message)
    }
  }

  const headers = (namespace: string): Record<string, string> => ({
    ...(namespace && { 'x-mock-namespace': namespace }),
    ...(token && { authorization: `Bearer ${token}` }),
  })

  const send = (path: string, init: RequestInit) =>
    fetch(base + path, init).catch((error) => {
      if (init.signal?.aborted) throw error
      throw new Refusal(0, 'The mock does not answer.')
    })

  async function refusalOf(response: Response): Promise<Refusal> {
    const problem = await response.json().catch(() => ({}))
    const details = (problem.errors ?? []).map((one: { path: string; message: string }) =>
      one.path ? `${one.path}: ${one.message}` : one.message,
    )
    return new Refusal(response.status, details.join('\n') || (problem.detail ?? `Status ${response.status}.`))
  }

  async function call<T>(method: string, path: string, body?: object, namespace = selected): Promise<T> {
    const type = { ...(body && { 'content-type': 'application/json' }) }
    const init: RequestInit = { method, headers: { ...headers(namespace), ...type } }
    if (body) init.body = JSON.stringify(body)
    const response = await send(path, init)
    // Another namespace was selected: nothing of this one is shown any more.
    if (namespace && namespace !== selected) return new Promise(() => {})
    if (!response.ok) throw await refusalOf(response)
    // The page comes from the mock that answers.
    return (response.status === 204 ? undefined : await response.json()) as T
  }

  const items = async <T>(path: string, namespace?: string) =>
    (await call<{ items: T[] }>('GET', path, undefined, namespace)).items

  /** Returns the names of the namespaces. Names none, which would create the selected one again if it was removed. */
  const names = async () => (await items<{ name: string }>('namespaces', '')).map(({ name }) => name)

  /** Follows the events of the namespace from now on, and connects again after a failure. */
  async function follow(handlers: ConnectionHandlers, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const response = await send('events', { headers: headers(selected), signal })
        if (!response.ok || !response.body) throw await refusalOf(response)
        await handlers.onOpen()
        handlers.onState('live')
        for await (const event of readEvents(response.body)) handlers.onEvent(event)
      } catch (error) {
        if (signal.aborted) return
        const isForbidden = error instanceof Refusal && error.status === 403
        const isAnswer = error instanceof Refusal && error.status > 0
        if (isAnswer && (token !== undefined || !isForbidden)) handlers.onError(error)
        if (isForbidden) return handlers.onState('needs the control token')
      }
      if (signal.aborted) return
      handlers.onState('disconnected, trying again')
      await new Promise((resolve) => setTimeout(resolve, 1000))
    }
  }

  return {
    call,
    items,
    names,
    /** Base URL of the service. */
    serviceUrl: location.origin + root + (document.getElementById('main')?.dataset.base ?? ''),
    get namespace() {
      return selected
    },
    /** Follows the events of a namespace instead of the current one. */
    connect(
      handlers: ConnectionHandlers,
      options: { readonly namespace?: string; readonly token?: string } = {},
    ): void {
      selected = options.namespace ?? selected
      token = options.token ?? token
      following.abort()
      following = new AbortController()
      void follow(handlers, following.signal)
    },
  }
}
