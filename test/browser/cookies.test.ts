import type { Page } from 'playwright-core'
import { listen } from 'rapport-sdk/mocks/node'
import { expect, it } from 'vitest'
import { browserHarness } from './harness/browser-harness'

const harness = browserHarness()

/** Starts a service on the site of the page, which its cookies require. `localhost` counts as secure without HTTPS. */
async function startSameSite() {
  const { service } = await harness.serve()
  const { url } = await listen(service, { host: 'localhost' })
  const ada = service.users.create({ login: 'ada@example.com', username: 'ada', mfa: ['totp'] })
  const page = await harness.open('page')
  const options = { baseUrl: url, token: service.token(ada) }
  return {
    service,
    page,
    endSessions: (more: Credentials) => endSessions(page, { ...options, ...more }),
    code: () => service.users.totp(ada),
  }
}

interface Credentials {
  readonly code: string
  readonly credentials?: 'include' | 'same-origin'
}

/** Makes a sensitive call with a new client. Returns the number of prompts. */
function endSessions(page: Page, settings: Credentials & { baseUrl: string; token: string }): Promise<number> {
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
  }, settings)
}

it('with credentials include, the verification cookie saves the next client and a reloaded page the prompt', async () => {
  const { page, code, endSessions } = await startSameSite()
  expect(await endSessions({ code: code(), credentials: 'include' })).toBe(1)
  expect(await endSessions({ code: code(), credentials: 'include' })).toBe(0)
  await page.reload()
  expect(await endSessions({ code: code(), credentials: 'include' })).toBe(0)
})

it('the verification cookie is HttpOnly, Secure and SameSite=Lax', async () => {
  const { page, code, endSessions } = await startSameSite()
  await endSessions({ code: code(), credentials: 'include' })
  expect(await page.evaluate(() => document.cookie)).toBe('')
  const cookies = await page.context().cookies()
  expect(cookies).toMatchObject([
    { name: '__Secure-recent_mfa', httpOnly: true, secure: true, sameSite: 'Lax', path: '/', domain: 'localhost' },
  ])
})

it('without credentials include, the verification cookie is neither stored nor sent', async () => {
  const { page, code, endSessions } = await startSameSite()
  expect(await endSessions({ code: code() })).toBe(1)
  expect(await page.context().cookies()).toEqual([])
  expect(await endSessions({ code: code(), credentials: 'include' })).toBe(1)
  expect(await endSessions({ code: code() })).toBe(1)
  expect(await endSessions({ code: code(), credentials: 'include' })).toBe(0)
})
