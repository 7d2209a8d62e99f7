import type { Authenticator } from '../../../mocks/fixtures/authenticator'

export const ENGINES = ['Chromium', 'Firefox', 'WebKitGTK'] as const

/** Name of a browser engine. */
export type EngineName = (typeof ENGINES)[number]

/** A document whose scripts can be called. */
export interface Scriptable {
  /** Calls a function in the document and returns its JSON result. The function must not refer to its surroundings. */
  evaluate<A, R>(call: (arg: A) => R | Promise<R>, arg: A): Promise<R>
  evaluate<R>(call: () => R | Promise<R>): Promise<R>
  /** Waits until a function returns something truthy in the document. */
  waitFor<A>(call: (arg: A) => unknown, arg: A): Promise<void>
  waitFor(call: () => unknown): Promise<void>
}

/** Keys that a test presses. */
export type Key = 'Escape' | 'Tab' | 'Enter'

/** A tab of a browser. Selectors also find elements in shadow trees. */
export interface Tab extends Scriptable {
  goto(url: string): Promise<void>
  back(): Promise<void>
  reload(): Promise<void>
  title(): Promise<string>
  click(selector: string): Promise<void>
  type(selector: string, text: string): Promise<void>
  press(key: Key): Promise<void>
  /** Returns the document of the first iframe. */
  frame(): Promise<Scriptable>
}

/** A running browser. All tabs share its profile, which is deleted with it. */
export interface Engine {
  readonly name: EngineName
  readonly version: string
  /** Opens a tab in front of the others. */
  open(url: string): Promise<Tab>
  /** Adds a virtual authenticator, or is `null` if the engine has none. */
  readonly addAuthenticator: ((tab: Tab) => Promise<Authenticator>) | null
  /** Returns the cookies of the tab's page, HttpOnly ones included. */
  cookies(tab: Tab): Promise<readonly Cookie[]>
  /** Closes the tabs, and removes cookies and virtual authenticators. */
  reset(): Promise<void>
  close(): Promise<void>
}

export interface Cookie {
  readonly name: string
  readonly httpOnly: boolean
  readonly secure: boolean
  readonly sameSite: string
}

/** Time until a wait fails, in milliseconds. */
export const WAIT_MS = 120_000
const POLL_MS = 25

/** Calls `isTrue` until it resolves to something truthy. A document that is being replaced rejects, which counts as falsy. */
export async function poll(isTrue: () => Promise<unknown>, description: string): Promise<void> {
  const until = performance.now() + WAIT_MS
  for (;;) {
    const outcome = await isTrue().catch((error: unknown) => ({ error }))
    const failed = typeof outcome === 'object' && outcome !== null && 'error' in outcome
    if (outcome && !failed) return
    if (performance.now() > until) {
      throw new Error(`Not true within ${WAIT_MS} ms: ${description}${failed ? `, ${outcome.error}` : ''}`)
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}
