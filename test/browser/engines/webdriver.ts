import { type Cookie, type Key, poll, type Scriptable, type Tab } from './engine'

/** Sends a command of WebDriver, by the name that Marionette has for it. */
export type Send = (command: string, params?: Readonly<Record<string, unknown>>) => Promise<unknown>

/** Code points of keys in WebDriver. */
const KEYS: Readonly<Record<Key, string>> = { Escape: '\uE00C', Tab: '\uE004', Enter: '\uE007' }

/** Maximum time of a script and of a page load, in milliseconds. */
const TIMEOUT_MS = 120_000

/** A session of WebDriver. Its commands apply to the current tab and frame, so it runs one command at a time. */
export class WebDriverSession {
  readonly #send: Send
  readonly #tabs: string[] = []
  /** The tab that the browser started with; it stays open, because the last tab closes the browser. */
  readonly #first: string
  #last: Promise<unknown> = Promise.resolve()

  private constructor(send: Send, first: string) {
    this.#send = send
    this.#first = first
  }

  static async start(send: Send): Promise<WebDriverSession> {
    await send('SetTimeouts', { script: TIMEOUT_MS, pageLoad: TIMEOUT_MS })
    return new WebDriverSession(send, String(await send('GetWindowHandle')))
  }

  async open(url: string): Promise<Tab> {
    const created = await this.#next(() => this.#send('NewWindow', { type: 'tab' }))
    const handle = String(Reflect.get(Object(created), 'handle'))
    this.#tabs.push(handle)
    const tab = this.#tabOf(handle)
    await tab.goto(url)
    return tab
  }

  /** Sends a command to a tab that this session has opened. */
  inTab(tab: Tab, command: string, params?: Readonly<Record<string, unknown>>): Promise<unknown> {
    const handle = handles.get(tab)
    if (handle === undefined) throw new Error('The tab belongs to another browser.')
    return this.#inTab(handle, () => this.#send(command, params))
  }

  /** Closes the tabs and deletes the cookies of their hosts. */
  async reset(): Promise<void> {
    for (const handle of this.#tabs.splice(0)) {
      await this.#inTab(handle, async () => {
        await this.#send('DeleteAllCookies')
        await this.#send('CloseWindow')
      })
    }
    await this.#next(() => this.#send('SwitchToWindow', { handle: this.#first }))
  }

  /** Runs `action` after the previous one has settled. */
  #next<T>(action: () => Promise<T>): Promise<T> {
    const result = this.#last.then(action)
    this.#last = result.catch(() => {})
    return result
  }

  #inTab<T>(handle: string, action: () => Promise<T>): Promise<T> {
    return this.#next(async () => {
      // Also leaves a frame.
      await this.#send('SwitchToWindow', { handle })
      return action()
    })
  }

  #tabOf(handle: string): Tab {
    const run = <T>(action: () => Promise<T>) => this.#inTab(handle, action)
    const command = (name: string, params?: Readonly<Record<string, unknown>>) => run(() => this.#send(name, params))
    const scriptable = (enter: () => Promise<unknown>): Scriptable => {
      const evaluate = <A, R>(call: (arg: A) => R | Promise<R>, arg?: A): Promise<R> =>
        run(async () => {
          await enter()
          return this.#call(String(call), arg)
        })
      return {
        evaluate,
        waitFor: <A>(call: (arg: A) => unknown, arg?: A) => poll(() => evaluate(call, arg), String(call)),
      }
    }
    const document = scriptable(async () => {})
    // WebKitWebDriver does not wait for the scripts of the page.
    const load = async (name: string, params?: Readonly<Record<string, unknown>>) => {
      await command(name, params)
      await document.waitFor(isLoaded)
    }
    const element = async (selector: string): Promise<string> => {
      const script = `return (${findDeep})(arguments[0])`
      const found = await this.#send('ExecuteScript', { script, args: [selector] })
      const [id] = Object.values(Object(found))
      if (typeof id !== 'string') throw new Error(`There is no element ${selector}.`)
      return id
    }
    const tab: Tab = {
      ...document,
      goto: (url) => load('Navigate', { url }),
      back: () => load('Back'),
      reload: () => load('Refresh'),
      title: async () => String(await command('GetTitle')),
      click: (selector) => run(async () => void (await this.#send('ElementClick', { id: await element(selector) }))),
      type: (selector, text) =>
        run(async () => void (await this.#send('ElementSendKeys', { id: await element(selector), text }))),
      async press(key) {
        const actions = ['keyDown', 'keyUp'].map((type) => ({ type, value: KEYS[key] }))
        await command('PerformActions', { actions: [{ type: 'key', id: 'keyboard', actions }] })
      },
      frame: async () => scriptable(() => this.#send('SwitchToFrame', { id: 0 })),
    }
    handles.set(tab, handle)
    return tab
  }

  /** Calls a function in the current document. Embeds its source: a Content-Security-Policy may forbid `eval`. */
  async #call<R>(source: string, arg: unknown): Promise<R> {
    const script = `const [arg, done] = arguments
      Promise.resolve()
        .then(() => (${source})(JSON.parse(arg)))
        .then((value) => done(JSON.stringify({ value })), (error) => done(JSON.stringify({ error: String(error) })))`
    const outcome = await this.#send('ExecuteAsyncScript', { script, args: [JSON.stringify(arg ?? null)] })
    const { value, error } = JSON.parse(String(outcome))
    if (error !== undefined) throw new Error(error)
    return value
  }
}

const handles = new WeakMap<Tab, string>()

const isLoaded = () => document.readyState === 'complete'

/** Finds an element in the document and its shadow trees. Runs in the page. */
function findDeep(selector: string): Element | null {
  const roots: (Document | ShadowRoot)[] = [document]
  for (const root of roots) {
    const found = root.querySelector(selector)
    if (found !== null) return found
    for (const { shadowRoot } of root.querySelectorAll('*')) if (shadowRoot) roots.push(shadowRoot)
  }
  return null
}

/** Reads the result of `GetCookies`. */
export function toCookies(result: unknown): readonly Cookie[] {
  const list: unknown[] = Array.isArray(result) ? result : []
  return list.map((cookie) => {
    const { name, httpOnly, secure, sameSite } = Object(cookie)
    return { name, httpOnly, secure, sameSite }
  })
}
