import type { Page } from 'playwright-core'
import { listen } from 'rapport-sdk/mocks/node'
import { describe, expect, it } from 'vitest'
import { browserWorld } from './harness/browser-world'

const world = browserWorld()

/** A service on the site of the page, as cookies of it go nowhere else; `localhost` counts as secure without HTTPS. */
async function sameSite() {
  const { service } = await world.serve()
  const { url } = await listen(service, { host: 'localhost' })
  const ada = service.users.create({ login: 'ada@example.com', username: 'ada', mfa: ['totp'] })
  const page = await world.open('page')
  const given = { baseUrl: url, token: service.token(ada) }
  return {
    service,
    page,
    endSessions: (more: Credentials) => endSessions(page, { ...given, ...more }),
    code: () => service.users.totp(ada),
  }
}

interface Credentials {
  readonly code: string
  readonly credentials?: 'include' | 'same-origin'
}

/** Makes a sensitive call with a client of its own. @returns how often it was asked for a second factor. */
function endSessions(page: Page, given: Credentials & { baseUrl: string; token: string }): Promise<number> {
  return page.evaluate(async ({ code, ...options }) => {
    let prompts = 0
    const client = new window.rapport.Client({
      ...options,
      onMfaRequired() {
        prompts += 1
        return { type: 'totp', code }
      },
    })
    await client.auth.sessions.logout({ session_id_hashes: ['none'] })
    return prompts
  }, given)
}

describe('the cookie of a verification', () => {
  it('with credentials included, spares the next client and a reloaded page the prompt', async () => {
    const { page, code, endSessions } = await sameSite()
    expect(await endSessions({ code: code(), credentials: 'include' })).toBe(1)
    expect(await endSessions({ code: code(), credentials: 'include' })).toBe(0)
    await page.reload()
    expect(await endSessions({ code: code(), credentials: 'include' })).toBe(0)
  })

  it('is out of reach for scripts, and goes over secure connections to its own site alone', async () => {
    const { page, code, endSessions } = await sameSite()
    await endSessions({ code: code(), credentials: 'include' })
    expect(await page.evaluate(() => document.cookie)).toBe('')
    const cookies = await page.context().cookies()
    expect(cookies).toMatchObject([
      { name: '__Secure-recent_mfa', httpOnly: true, secure: true, sameSite: 'Lax', path: '/', domain: 'localhost' },
    ])
  })

  it('is neither kept nor sent unless credentials are included', async () => {
    const { page, code, endSessions } = await sameSite()
    expect(await endSessions({ code: code() })).toBe(1)
    expect(await page.context().cookies()).toEqual([])
    expect(await endSessions({ code: code(), credentials: 'include' })).toBe(1)
    expect(await endSessions({ code: code() })).toBe(1)
    expect(await endSessions({ code: code(), credentials: 'include' })).toBe(0)
  })
})
