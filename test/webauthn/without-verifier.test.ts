import { listen, verifyPasskey } from 'rapport-sdk/mocks/node'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { sender, setUp } from '../mocks/set-up'
import { createAuthenticator } from './software-authenticator'

// As if the optional peer dependency were not installed.
vi.mock('@simplewebauthn/server', () => {
  throw new Error('Cannot find package')
})

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()))
})

const start = { ticket: '', challenge: '' }

describe('the mock without @simplewebauthn/server', () => {
  it('a service without the optional peer checks only challenge and origin of a credential', async () => {
    const { service, ada } = setUp({ rpId: 'login.example' })
    const authenticator = createAuthenticator()
    service.users.addPasskey(ada, authenticator.passkey)
    const server = await listen(service)
    closing.push(server.close)
    const send = sender(fetch, server.url)
    const signIn = async (ceremony: Parameters<typeof authenticator.credentialFor>[1]) => {
      const { ticket, challenge } = (await send<typeof start>('POST /auth/conditional/start')).body
      const credential = authenticator.credentialFor(challenge, ceremony)
      return (await send('POST /auth/conditional/finish', { ticket, credential })).status
    }
    expect(await signIn({ key: createAuthenticator().privateKey })).toBe(200)
    expect(await signIn({ challenge: 'Y2hhbGxlbmdl' })).toBe(400)
    expect(await signIn({ origin: 'https://attacker.example' })).toBe(400)
  })

  it('a service with verifyPasskey returns an error that names the missing package', async () => {
    const { service, ada, send } = setUp({ verifyPasskey })
    const authenticator = createAuthenticator()
    service.users.addPasskey(ada, authenticator.passkey)
    const { ticket, challenge } = (await send<typeof start>('POST /auth/conditional/start')).body
    const { status, body } = await send('POST /auth/conditional/finish', {
      ticket,
      credential: authenticator.credentialFor(challenge),
    })
    expect(status).toBe(500)
    expect(body.message).toContain('needs the package @simplewebauthn/server')
  })
})
