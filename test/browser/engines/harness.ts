import { createMockService, type MockServiceOptions } from 'rapport-sdk/mocks'
import { type ListenOptions, listen } from 'rapport-sdk/mocks/node'
import { afterAll, afterEach, beforeAll, it } from 'vitest'
import { type PageServer, type PageServerOptions, servePages } from '../harness/page-server'
import type { Engine, EngineName, Tab } from './engine'
import type { Row } from './matrix'

export const login = 'ada@example.com'
export const password = 'correct horse battery'

/** The browser that the tests of a file share, and servers of each test. */
export type EngineHarness = ReturnType<typeof engineHarness>

/** Starts an engine for the tests of a file. Closes what a test has opened. */
export function engineHarness(name: EngineName, start: () => Promise<Engine>) {
  let engine: Engine
  const closing: (() => Promise<void>)[] = []
  beforeAll(async () => {
    engine = await start()
  })
  afterEach(async () => {
    await engine.reset()
    await Promise.all(closing.splice(0).map((close) => close()))
  })
  afterAll(() => engine?.close())

  /** Adds a test that proves `rows` of the table, or what the engine lacks for them. */
  const prove = (rows: readonly Row[], title: string, run: () => Promise<void>, lacks?: string) => {
    it(`${title} in ${name}`, async ({ task }) => {
      await run()
      task.meta.proof = { engine: name, version: engine.version, rows, ...(lacks !== undefined && { lacks }) }
    })
  }
  const serveNewPages = async (options?: PageServerOptions): Promise<PageServer> => {
    const pages = await servePages(options)
    closing.push(pages.close)
    return pages
  }

  return {
    name,
    get engine() {
      return engine
    },
    proves: (row: Row | readonly Row[], title: string, run: () => Promise<void>) => {
      prove(typeof row === 'string' ? [row] : row, title, run)
    },
    /** Adds a test that proves that the engine does not support a row. It fails if a new version does. */
    lacks: (row: Row, reason: string, title: string, run: () => Promise<void>) => prove([row], title, run, reason),
    servePages: serveNewPages,
    /** Opens a page of a new origin, whose storage is empty. */
    async openPage(page = 'page', options?: PageServerOptions): Promise<{ pages: PageServer; tab: Tab }> {
      const pages = await serveNewPages(options)
      return { pages, tab: await engine.open(`${pages.origin}/${page}`) }
    },
    /** Starts a service with the users ada, who has an authenticator app, and grace. */
    async serve(options: MockServiceOptions = {}, listenOptions: ListenOptions = {}) {
      const service = createMockService({ rpId: 'localhost', ...options })
      const server = await listen(service, listenOptions)
      closing.push(() => service.close())
      const ada = service.users.create({ login, password, username: 'ada', mfa: ['totp'] })
      const grace = service.users.create({ login: 'grace@example.com', username: 'grace' })
      /** What a page needs to sign in. */
      const settings = {
        baseUrl: server.url,
        gatewayUrl: server.gatewayUrl,
        login,
        password,
        code: service.users.totp(ada),
        friend: grace.id,
      }
      return { service, server, ada, grace, settings }
    },
  }
}
