/** Opens the page, and what is on it, that the fragment of the URL names, such as `#friends/accept`. */
export interface Router {
  /** Name of the open page. */
  readonly page: string
  /** Calls `open` whenever the fragment names this route, also by Back and Forward. */
  on(route: string, open: () => void): void
  /** Opens the page of the URL, once all routes are known; the first one if there is none of that name. */
  start(): void
  /** Stops following the URL. */
  stop(): void
}

/** @param show Shows one page and hides the others. */
export function createRouter(pages: readonly string[], show: (page: string) => void): Router {
  const [home = ''] = pages
  const routes = new Map<string, () => void>()
  let current = home
  const follow = (): void => {
    const route = location.hash.slice(1)
    const [page = ''] = route.split('/')
    const next = pages.includes(page) ? page : home
    const isOther = next !== current
    current = next
    show(current)
    const open = routes.get(route)
    if (open) open()
    else if (isOther) scrollTo(0, 0)
  }
  return {
    get page() {
      return current
    },
    on: (route, open) => void routes.set(route, open),
    start() {
      addEventListener('hashchange', follow)
      follow()
    },
    stop: () => removeEventListener('hashchange', follow),
  }
}
