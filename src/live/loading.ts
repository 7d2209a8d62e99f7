import { after } from '../transport/timer'

/** How long more may turn out to be missing before it is all loaded at once. */
const SOON_MS = 250

interface Waiter {
  readonly resolve: () => void
  readonly reject: (reason: unknown) => void
}

/** Whom a {@link Loading} works for. */
export interface Loader<Data> {
  /** A request goes out. */
  began(): void
  /** Asks the service. */
  load(signal: AbortSignal): Promise<Data>
  /** It has answered, and nothing has made the answer obsolete. */
  loaded(data: Data): void
  /** It has not, or with something that `loaded` threw at. */
  failed(error: unknown): void
}

/** When a store is loaded: one request at a time, and one more where it was asked for meanwhile. */
export class Loading<Data> {
  /** Settles with the first answer; after a failure it is another promise once there is another request. */
  ready: Promise<void>
  readonly #loader: Loader<Data>
  /** What has become of `ready`. */
  #outcome: 'pending' | 'loaded' | 'failed' = 'pending'
  /** The request that is out; its answer counts while this is so. */
  #control: AbortController | undefined
  /** Who waits for that request. */
  #served: Waiter[] = []
  /** Who waits for the one after. */
  #queued: Waiter[] = []
  #isDue = false
  #cancelTimer = () => {}
  #end: { readonly reason: unknown } | undefined

  constructor(loader: Loader<Data>) {
    this.#loader = loader
    this.ready = this.#promise(this.#served)
  }

  /** Loads, after the request that is out. */
  refresh(): Promise<void> {
    if (this.#end !== undefined) return handled(Promise.reject(this.#end.reason))
    const promise = this.#promise(this.#queued)
    if (this.#control === undefined) this.#start()
    return promise
  }

  /** Loads anew: whatever is asked for by now would be answered with what is obsolete, as is, where `isAnother`, all else. */
  restart(isAnother = false): void {
    this.#control?.abort()
    // What was loaded is nobody's any more: as after a failure, there is another promise to wait for.
    if (isAnother && this.#outcome === 'loaded') this.#outcome = 'failed'
    this.#start()
  }

  /** Loads in a moment, once for all that ask for it until then. */
  soon(): void {
    if (this.#isDue || this.#end !== undefined) return
    this.#isDue = true
    if (this.#control === undefined) this.#wait()
  }

  /** Ends it; who waits is rejected. */
  close(reason: unknown): void {
    this.#end = { reason }
    this.#cancelTimer()
    this.#control?.abort()
    this.#control = undefined
    for (const { reject } of [...this.#served.splice(0), ...this.#queued.splice(0)]) reject(reason)
  }

  async #start(): Promise<void> {
    this.#isDue = false
    this.#cancelTimer()
    this.#served.push(...this.#queued.splice(0))
    if (this.#outcome === 'failed') {
      this.#outcome = 'pending'
      this.ready = this.#promise(this.#served)
    }
    const control = new AbortController()
    this.#control = control
    this.#loader.began()
    const [answer] = await Promise.allSettled([this.#loader.load(control.signal)])
    if (this.#control !== control) return
    this.#control = undefined
    const served = this.#served.splice(0)
    try {
      if (answer.status === 'rejected') throw answer.reason
      this.#loader.loaded(answer.value)
      this.#outcome = 'loaded'
      for (const { resolve } of served) resolve()
    } catch (error) {
      if (this.#outcome === 'pending') this.#outcome = 'failed'
      this.#loader.failed(error)
      for (const { reject } of served) reject(error)
    }
    this.#goOn()
  }

  /** A listener may have closed it by now, or begun something. */
  #goOn(): void {
    if (this.#end !== undefined || this.#control !== undefined) return
    if (this.#queued.length > 0) this.#start()
    else if (this.#isDue) this.#wait()
  }

  #wait(): void {
    this.#cancelTimer = after(SOON_MS, () => this.#start())
  }

  #promise(waiters: Waiter[]): Promise<void> {
    return handled(new Promise((resolve, reject) => waiters.push({ resolve, reject })))
  }
}

/** Why it could not be loaded is told by the store: who does not wait for a promise is not to have the process ended. */
function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {})
  return promise
}
