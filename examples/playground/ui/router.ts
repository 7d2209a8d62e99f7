/** Opens the page, and what is on it, that the fragment of the URL names, such as `#friends/accept`. */
export interface Router {
  /** Name of the open page. */
  readonly page: string
  /** Calls `open` whenever the fragment names this route, also by Back and Forward. */
  on(route: string, open: () => void): void
  /** Opens the page of the URL, once all routes are known; the first one if there is none of that name. */
  start(): void
  /** Keeps the state of the open page in the URL, after a change of it. */
  keep(): void
  /** Stops following the URL. */
  stop(): void
}

/** What a page keeps in the URL, so that a reload, Back and a link show it again. Never a secret. */
export interface PageState {
  /** Returns the names and values of what differs from the page that the route alone opens. */
  save(route: string): readonly (readonly [name: string, value: string])[]
  /** Shows a route with its state. If that is empty and the route names nothing else, the page stays as it is. */
  restore(route: string, state: URLSearchParams): void
}

/** Pages of the router. */
export interface Pages {
  readonly names: readonly string[]
  /** Shows one page and hides the others. */
  show(page: string): void
  state(page: string): PageState | undefined
}

/** Time between two changes of the URL: browsers refuse more than a hundred in ten seconds. */
const KEEP_MS = 250
/** Maximum length of a fragment; browsers refuse URLs of a million characters. */
const MAX_LENGTH = 200_000

export function createRouter({ names, show, state }: Pages): Router {
  const [home = ''] = names
  const routes = new Map<string, () => void>()
  let current = home
  /** The route that is shown. That of the URL is another one until the event of its change. */
  let shown: string | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const read = (): readonly [route: string, state: URLSearchParams] => {
    const [route = '', ...query] = location.hash.slice(1).split('?')
    return [route, new URLSearchParams(query.join('?'))]
  }
  const write = (): void => {
    const [route] = read()
    if (route !== shown) return
    const query = new URLSearchParams(
      state(current)
        ?.save(route)
        .map((entry) => [...entry]),
    ).toString()
    const fragment = query === '' ? route : `${route}?${query}`
    if (fragment === location.hash.slice(1) || fragment.length > MAX_LENGTH) return
    history.replaceState(history.state, '', `#${fragment}`)
  }
  const keep = (): void => {
    if (timer !== undefined) return
    write()
    timer = setTimeout(() => {
      timer = undefined
      write()
    }, KEEP_MS)
  }
  const follow = (): void => {
    const [route, query] = read()
    const [page = ''] = route.split('/')
    const next = names.includes(page) ? page : home
    const isOther = next !== current
    current = next
    shown = route
    state(current)?.restore(route, query)
    show(current)
    const open = routes.get(route)
    if (open) open()
    else if (isOther) scrollTo(0, 0)
    write()
  }
  return {
    get page() {
      return current
    },
    on: (route, open) => void routes.set(route, open),
    start() {
      addEventListener('hashchange', follow)
      // Before a link is followed, so that Back shows the last edits.
      addEventListener('click', write, true)
      follow()
    },
    keep,
    stop() {
      removeEventListener('hashchange', follow)
      removeEventListener('click', write, true)
      clearTimeout(timer)
    },
  }
}
