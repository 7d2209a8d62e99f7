import {
  createMockService,
  type MockApplication,
  type MockService,
  type MockSnapshot,
  type MockUser,
} from 'rapport-sdk/mocks'
import { recallInTab, rememberInTab, tryStorage } from './tab-storage'

/** The simulated service and its accounts. */
export interface World {
  /** Identifies the service; the token of each has a key of its own. */
  readonly id: string
  readonly service: MockService
  /** The user of the page. */
  readonly ada: MockUser
  /** Another user, whom the page simulates. */
  readonly grace: MockUser
  readonly games: readonly MockApplication[]
  /** Ada's password. */
  password: string
}

/** The world of a tab. */
export interface OpenWorld {
  readonly world: World
  /** Whether the browser has stored it, so that it survives a reload. */
  readonly isKept: boolean
  /** Whether it is a copy, because the tab that opened this one was closed or reloaded. */
  readonly isCopy: boolean
}

declare global {
  interface Window {
    /** The world of this tab, for the tabs that it opens. */
    rapportWorld?: World | undefined
  }
}

/** What is kept while the page is reloaded. */
interface Saved {
  readonly id: string
  readonly password: string
  readonly snapshot: MockSnapshot
}

const KEY = 'playground.world'
const COPY_KEY = 'playground.copy'

/** Returns the world of the tab that opened this one, the one from before a reload, or a new one. */
export function openWorld(): OpenWorld {
  const shared = worldOfOpener()
  const world = shared ?? restoreWorld() ?? createWorld(crypto.randomUUID().slice(0, 8))
  window.rapportWorld = world
  addEventListener('pagehide', () => save(world))
  return { world, isKept: save(world), isCopy: shared === undefined && recallInTab(COPY_KEY) !== null }
}

/** Forgets everything and reloads the page, which then has a world of its own. */
export function startOver(): void {
  // Also after the reload.
  window.opener = null
  addEventListener('pagehide', () => removeKeys(() => sessionStorage))
  removeKeys(() => localStorage)
  location.assign(location.pathname)
}

/** Other pages may have the same origin. */
function removeKeys(storage: () => Storage): void {
  tryStorage(storage, (storage) => {
    for (const key of Object.keys(storage)) if (key.startsWith('playground.')) storage.removeItem(key)
  })
}

/** The page of the opener runs the service. When it closes, this tab goes on with a copy. */
function worldOfOpener(): World | undefined {
  try {
    const opener: Window | null = window.opener
    const world = opener?.rapportWorld
    if (!opener || !world) return undefined
    opener.addEventListener('pagehide', () => {
      save(world)
      rememberInTab(COPY_KEY, 'yes')
      location.reload()
    })
    return world
  } catch {
    // The opener is a page of another origin.
    return undefined
  }
}

function save({ id, password, service }: World): boolean {
  const saved: Saved = { id, password, snapshot: service.snapshot() }
  return rememberInTab(KEY, JSON.stringify(saved))
}

function restoreWorld(): World | undefined {
  const text = recallInTab(KEY)
  if (text === null) return undefined
  try {
    const { id, password, snapshot }: Saved = JSON.parse(text)
    const world = createWorld(id, password)
    // The accounts have the same IDs: they follow from the seed.
    world.service.restore(snapshot)
    return world
  } catch {
    // Saved by another version of the playground.
    return undefined
  }
}

function createWorld(id: string, password = 'correct horse'): World {
  const service = createMockService({ rpId: location.hostname })
  const create = (username: string, mfa: readonly ('totp' | 'sms' | 'backup' | 'webauthn')[] = []) =>
    service.users.create({ login: `${username}@example.test`, username, password: 'correct horse', mfa })
  const [ada, grace, linus] = [create('ada', ['totp', 'sms', 'backup', 'webauthn']), create('grace'), create('linus')]
  service.relationships.befriend(ada, linus)
  const games = ['Chess', 'Bridge Builder', 'Tunnel Digger', 'Go'].map((name) =>
    service.applications.create({ name, owner: linus }),
  )
  service.users.suggestGames(ada, { games: games.map((game) => game.id) })
  return { id, service, ada, grace, games, password }
}
