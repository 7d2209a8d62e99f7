import type { MockServiceEvent } from '../core'
import type { PolicySettings } from '../policy'
import type { MockService } from '../service'
import type { MockSnapshot } from '../snapshot'
import { assertName, type NamespaceHost, type NamespaceState, refusal } from './row'

export const DEFAULT_NAMESPACE = 'default'

export const MAX_NAMESPACES = 64

const MAX_EVENTS = 1000

export interface NumberedEvent {
  readonly id: number
  readonly event: MockServiceEvent
}

/** Numbers the events of a service and keeps the last ones. */
export class EventLog {
  readonly #events: NumberedEvent[] = []
  readonly #listeners = new Set<(event: NumberedEvent) => void>()
  #lastId = 0

  constructor(service: MockService) {
    service.onEvent((event) => {
      this.#lastId += 1
      const numbered = { id: this.#lastId, event }
      this.#events.push(numbered)
      if (this.#events.length > MAX_EVENTS) this.#events.shift()
      for (const listener of this.#listeners) listener(numbered)
    })
  }

  /** Calls `listener` with the events after an ID that are kept, then with each new one. */
  follow(after: number | null, listener: (event: NumberedEvent) => void): () => void {
    // An ID of an earlier process is larger than all: everything is new to that client.
    const first = after === null ? this.#lastId : after > this.#lastId ? 0 : after
    for (const event of this.#events) if (event.id > first) listener(event)
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}

export interface Namespace extends NamespaceState {
  readonly service: MockService
  readonly events: EventLog
}

export interface NamespaceOptions {
  readonly max: number
  readonly onCreated: (service: MockService, name: string) => void
  /** State of namespaces that exist from the start, by name. */
  readonly initial: Readonly<Record<string, MockSnapshot>>
}

const baselineOf = (service: MockService): Baseline => ({
  snapshot: service.snapshot(),
  settings: service.policySettings,
})

/** Creates the services of the initial namespaces. @throws TypeError with the name of an invalid one; then creates none. */
function forkAll(service: MockService, { initial, max }: NamespaceOptions): Record<string, MockService> {
  const count = new Set([DEFAULT_NAMESPACE, ...Object.keys(initial)]).size
  if (count > max) throw new TypeError(`listen: namespaces: ${count} namespaces, at most ${max}`)
  const created: [string, MockService][] = []
  for (const [name, snapshot] of Object.entries(initial)) {
    try {
      assertName(name, name)
      created.push([name, service.fork(snapshot)])
    } catch (error) {
      for (const [, one] of created) void one.close()
      const message = error instanceof Error ? error.message : String(error)
      throw new TypeError(`listen: namespaces.${name}: ${message.replace(/^service\.restore: /, '')}`)
    }
  }
  return Object.fromEntries(created)
}

/** Initial state of a namespace, which `reset` restores. */
interface Baseline {
  readonly snapshot: MockSnapshot
  /** Settings of the policy that were changed after the service was created, such as by `--policy`. */
  readonly settings: PolicySettings
}

/** The services of one server: a default one, and forks of it by name. */
export class Namespaces implements NamespaceHost {
  readonly #all = new Map<string, Namespace>()
  readonly #default: Namespace
  readonly #options: NamespaceOptions
  #baseline: Baseline

  constructor(service: MockService, options: NamespaceOptions) {
    this.#options = options
    const { [DEFAULT_NAMESPACE]: own, ...others } = forkAll(service, options)
    if (own !== undefined) {
      service.restore(own.snapshot())
      void own.close()
    }
    this.#baseline = baselineOf(service)
    this.#default = this.#add(DEFAULT_NAMESPACE, service, () => this.#baseline)
    for (const [name, created] of Object.entries(others)) {
      created.changePolicy(this.#baseline.settings)
      options.onCreated(created, name)
      const baseline = baselineOf(created)
      this.#add(name, created, () => baseline)
    }
  }

  names(): string[] {
    return [...this.#all.keys()]
  }

  /** Returns a namespace, which is created on first use. @throws ControlProblem if the name is invalid or they are too many. */
  get(name: string): Namespace {
    const found = this.#all.get(name)
    if (found !== undefined) return found
    assertName('X-Mock-Namespace', name)
    if (this.#all.size >= this.#options.max) {
      const message = `there are ${this.#options.max} namespaces, the maximum; delete one with DELETE /_mock/namespaces/{name}`
      throw refusal(507, 'X-Mock-Namespace', message, this.names())
    }
    const { snapshot, settings } = this.#baseline
    const service = this.#default.service.fork(snapshot)
    service.changePolicy(settings)
    this.#options.onCreated(service, name)
    return this.#add(name, service, () => this.#baseline)
  }

  remove(name: string): boolean {
    const found = this.#all.get(name)
    if (found === this.#default) found.reset()
    else if (found !== undefined) {
      this.#all.delete(name)
      void found.service.close()
    }
    return found !== undefined
  }

  /** Returns the state of all namespaces by name. */
  snapshots(): Record<string, MockSnapshot> {
    return Object.fromEntries([...this.#all].map(([name, { service }]) => [name, service.snapshot()]))
  }

  /** Makes the current state of the default namespace the one that `reset` restores and new namespaces begin with. */
  saveBaseline(): void {
    this.#baseline = baselineOf(this.#default.service)
  }

  /** Closes all namespaces but the default one. */
  close(): void {
    for (const name of this.names()) if (name !== DEFAULT_NAMESPACE) this.remove(name)
  }

  #add(name: string, service: MockService, baseline: () => Baseline): Namespace {
    const namespace: Namespace = {
      name,
      service,
      host: this,
      startedAt: performance.now(),
      snapshots: new Map(),
      events: new EventLog(service),
      reset: () => {
        const { snapshot, settings } = baseline()
        service.resetPolicy()
        service.changePolicy(settings)
        service.restore(snapshot)
      },
    }
    this.#all.set(name, namespace)
    return namespace
  }
}
