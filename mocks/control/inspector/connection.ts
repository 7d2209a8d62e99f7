// Calls of the control API and its events, from the page of the inspector.
import type { MockServiceEvent } from '../../core'
import type { readEvents as readControlEvents } from '../caller'

export interface ConnectionHandlers {
  /** Called when the event stream is open, before the first event is emitted. */
  readonly onOpen: () => Promise<void>
  readonly onEvent: (event: MockServiceEvent) => void
  readonly onState: (state: 'live' | 'disconnected, trying again' | 'needs the control token') => void
  readonly onError: (error: unknown) => void
}

/**
 * Connects the inspector to the control API. The page contains the text of this class, so it must not use anything outside of
 * it but types.
 */
export class Connection {
  namespace: string
  /** Base URL of the service. */
  readonly serviceUrl: string
  readonly #base: string
  readonly #readEvents: typeof readControlEvents
  /** Control token; in memory only. */
  #token: string | undefined
  #following = new AbortController()

  constructor(readEvents: typeof readControlEvents, basePath: string) {
    this.#readEvents = readEvents
    // The page of a namespace is below `namespaces/`.
    const [, root = '', own = ''] = /^(.*)\/_mock\/(?:namespaces\/([^/]+)\/)?/.exec(location.pathname) ?? []
    this.#base = `${root}/_mock/`
    this.namespace = decodeURIComponent(own) || 'default'
    this.serviceUrl = location.origin + root + basePath
  }

  async call<T>(method: string, path: string, body?: object, namespace = this.namespace): Promise<T> {
    const type = { ...(body && { 'content-type': 'application/json' }) }
    const init: RequestInit = { method, headers: { ...this.#headers(namespace), ...type } }
    if (body) init.body = JSON.stringify(body)
    const response = await this.#send(path, init)
    // Another namespace was selected: nothing of this one is shown any more.
    if (namespace && namespace !== this.namespace) return new Promise(() => {})
    // The page comes from the mock that answers.
    return (response.status === 204 ? undefined : await response.json()) as T
  }

  async items<T>(path: string, namespace?: string): Promise<T[]> {
    return (await this.call<{ items: T[] }>('GET', path, undefined, namespace)).items
  }

  /** Returns the names of the namespaces. Names none, which would create the selected one again if it was removed. */
  async names(): Promise<string[]> {
    return (await this.items<{ name: string }>('namespaces', '')).map(({ name }) => name)
  }

  /** Follows the events of a namespace instead of the current one, and connects again after a failure. */
  async connect(handlers: ConnectionHandlers, options: { namespace?: string; token?: string } = {}): Promise<void> {
    this.namespace = options.namespace ?? this.namespace
    this.#token = options.token ?? this.#token
    this.#following.abort()
    this.#following = new AbortController()
    const { signal } = this.#following
    while (!signal.aborted) {
      try {
        const { body } = await this.#send('events', { headers: this.#headers(this.namespace), signal })
        await handlers.onOpen()
        handlers.onState('live')
        if (body) for await (const event of this.#readEvents(body)) handlers.onEvent(event)
      } catch (error) {
        if (signal.aborted) return
        const { status = 0 } = Object(error)
        if (status > 0 && (this.#token !== undefined || status !== 403)) handlers.onError(error)
        if (status === 403) return handlers.onState('needs the control token')
      }
      if (signal.aborted) return
      handlers.onState('disconnected, trying again')
      await new Promise((resolve) => setTimeout(resolve, 1000))
    }
  }

  #headers(namespace: string): Record<string, string> {
    const authorization = this.#token && { authorization: `Bearer ${this.#token}` }
    return { ...(namespace && { 'x-mock-namespace': namespace }), ...authorization }
  }

  /** @throws Error with the status of a refusal, 0 without an answer. */
  async #send(path: string, init: RequestInit): Promise<Response> {
    const response = await fetch(this.#base + path, init).catch((error) => {
      if (init.signal?.aborted) throw error
      throw Object.assign(new Error('The mock does not answer.'), { status: 0 })
    })
    if (response.ok) return response
    const { errors = [], detail } = await response.json().catch(() => ({}))
    const lines = errors.map(({ path: at, message }: Record<string, string>) => (at ? `${at}: ${message}` : message))
    const text = lines.join('\n') || (detail ?? `Status ${response.status}.`)
    throw Object.assign(new Error(text), { status: response.status })
  }
}
