import { createSessionHandler } from 'rapport-sdk/server'

const { ORIGIN = 'https://localhost:3000', SERVICE_URL = 'http://localhost:4817', SEALING_KEY = '' } = process.env

/**
 * Returns the cookie sessions of this app: one handler for `server.js`, which creates it, and for the build of the pages, which has a
 * copy of this module. A session that was signed out through one is then signed out for both. Created on first use, because a
 * build has no key.
 *
 * @returns {import('rapport-sdk/server').SessionHandler}
 */
export function sessions() {
  const shared = Object(globalThis)
  const keys = [{ id: '1', key: Buffer.from(SEALING_KEY, 'base64') }]
  shared.rapportSessions ??= createSessionHandler({ baseUrl: SERVICE_URL, origin: ORIGIN, keys })
  return shared.rapportSessions
}
