import { createSessionHandler } from 'rapport-sdk/server'

const { ORIGIN = 'https://localhost:3000', SERVICE_URL = 'http://localhost:4817', SEALING_KEY = '' } = process.env

/** @type {import('rapport-sdk/server').SessionHandler | undefined} */
let handler

/**
 * Returns the cookie sessions of this app. `server.js` and the build of the pages each have a handler: any with the same key opens
 * the cookies. Created on first use, because a build has no key.
 */
export function sessions() {
  const keys = [{ id: '1', key: Buffer.from(SEALING_KEY, 'base64') }]
  handler ??= createSessionHandler({ baseUrl: SERVICE_URL, origin: ORIGIN, keys })
  return handler
}
