import type { PolicySettings } from '../policy'
import type { MockService } from '../service'
import { deriveSnapshot, type MockSnapshot, readSnapshot } from '../snapshot'
import { assertName, counted, NAME, type Namespace, type NamespaceHost, refusal } from './row'

export const DEFAULT_NAMESPACE = 'default'

export const MAX_NAMESPACES = 64

/** Milliseconds without a call after which a namespace may make room for another. */
const UNUSED_AFTER = 600_000

/** Calls a listener at the end of the connection that uses a namespace. */
export type WhenClosed = (listener: () => void) => unknown

export interface NamespaceOptions {
  readonly max: number
  /** Whether only the control API creates namespaces. */
  readonly isProtected: boolean
  readonly onCreated: (service: MockService, name: string) => void
  /** State of namespaces that exist from the start, by name. */
  readonly initial: Readonly<Record<string, MockSnapshot>>
}

/** Creates the services of the initial namespaces. @throws TypeError with the name of an invalid one; then creates none. */
function forkAll(service: MockService, { initial, max }: NamespaceOptions): Record<string, MockService> {
  const count = new Set([DEFAULT_NAMESPACE, ...Object.keys(initial)]).size
  if (count > max) throw new TypeError(`listen: namespaces: ${count} namespaces, at most ${max}`)
  const created: [string, MockService][] = []
  for (const [name, snapshot] of Object.entries(initial)) {
    try {
      assertName(name, name)
      created.push([name, service.fork(snapshot, { seed: readSnapshot(snapshot).database.random.state })])
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

const baselineOf = (service: MockService): Baseline => ({
  snapshot: service.snapshot(),
  settings: service.policySettings,
})

/** The services of one server: a default one, and forks of it by name, with IDs and tokens of their own. */
export class Namespaces implements NamespaceHost {
  readonly default: Namespace
  readonly #all = new Map<string, Namespace>()
  readonly #evicted = new Set<string>()
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
    this.default = this.#add(DEFAULT_NAMESPACE, service, () => this.#baseline)
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

  /**
   * Returns the namespace of a call of the control API, which creates it on first use. It is in use until the connection
   * ends.
   * @throws ControlProblem if the name is invalid, they are too many, or it was evicted.
   */
  get(name: string, whenClosed: WhenClosed): Namespace {
    const found = this.#all.get(name) ?? this.#create(name)
    found.connections += 1
    whenClosed(() => {
      found.connections -= 1
      found.usedAt = performance.now()
    })
    return found
  }

  /** Returns the namespace of a call of the service. @throws ControlProblem, also if only the control API may create it. */
  ofService(name: string, whenClosed: WhenClosed): Namespace {
    const isMissing = !this.#all.has(name) && !this.#evicted.has(name)
    if (isMissing && this.#options.isProtected && NAME.test(name)) {
      const message = `there is no namespace "${name}", and with a control token only the control API creates one`
      throw refusal(404, 'X-Mock-Namespace', message)
    }
    return this.get(name, whenClosed)
  }

  remove(name: string): boolean {
    const found = this.#all.get(name)
    if (found === this.default) found.reset()
    else if (found !== undefined) {
      this.#all.delete(name)
      void found.service.close()
    }
    return this.#evicted.delete(name) || found !== undefined
  }

  #create(name: string): Namespace {
    assertName('X-Mock-Namespace', name)
    if (this.#evicted.has(name)) {
      const message = `the namespace "${name}" was unused and made room for another; DELETE /_mock/namespaces/${name} frees the name`
      throw refusal(410, 'X-Mock-Namespace', message)
    }
    if (this.#all.size >= this.#options.max) this.#evict()
    const baseline = () => {
      const { snapshot, settings } = this.#baseline
      return { snapshot: deriveSnapshot(snapshot, name), settings }
    }
    const { snapshot, settings } = baseline()
    const service = this.default.service.fork(snapshot, { seed: snapshot.database.random.state })
    service.changePolicy(settings)
    this.#options.onCreated(service, name)
    return this.#add(name, service, baseline)
  }

  /** Removes the namespace that has been unused for longest, if that is long enough. */
  #evict(): void {
    const before = performance.now() - UNUSED_AFTER
    const unused = [...this.#all.values()].filter(
      (one) => one !== this.default && one.connections === 0 && one.usedAt <= before,
    )
    const oldest = unused.sort((one, other) => one.usedAt - other.usedAt)[0]?.name
    if (oldest === undefined) {
      const { max } = this.#options
      const message = `the maximum of ${counted(max, 'namespace')} is in use; delete one with DELETE /_mock/namespaces/{name}, or raise --max-namespaces`
      throw refusal(507, 'X-Mock-Namespace', message, this.names())
    }
    this.remove(oldest)
    this.#evicted.add(oldest)
  }

  /** Returns the state of all namespaces by name. */
  snapshots(): Record<string, MockSnapshot> {
    return Object.fromEntries([...this.#all].map(([name, { service }]) => [name, service.snapshot()]))
  }

  /** Makes the current state of the default namespace the one that `reset` restores and new namespaces begin with. */
  saveBaseline(): void {
    this.#baseline = baselineOf(this.default.service)
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
      connections: 0,
      usedAt: performance.now(),
      snapshots: new Map(),
      reset: () => {
        const { snapshot, settings } = baseline()
        // The clock first: events have its time.
        service.restore(snapshot)
        service.resetPolicy()
        service.changePolicy(settings)
      },
    }
    this.#all.set(name, namespace)
    return namespace
  }
}
