import { listen, verifyPasskey } from 'rapport-sdk/mocks/node'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { sender, setUp } from '../mocks/set-up'
import { softwareAuthenticator } from './software-authenticator'

// As where an application has not installed the optional peer.
vi.mock('@simplewebauthn/server', () => {
  throw new Error('Cannot find package')
})

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()))
})

const start = { ticket: '', challenge: '' }

describe('without the package that verifies signatures', () => {
  it('a service that listens looks at the structure of an answer, and at its origin', async () => {
    const { service, ada } = setUp({ rpId: 'login.example' })
    const authenticator = softwareAuthenticator()
    service.users.addPasskey(ada, authenticator.passkey)
    const server = await listen(service)
    closing.push(server.close)
    const send = sender(fetch, server.url)
    const signIn = async (ceremony: Parameters<typeof authenticator.answer>[1]) => {
      const { ticket, challenge } = (await send<typeof start>('POST /auth/conditional/start')).body
      const credential = authenticator.answer(challenge, ceremony)
      return (await send('POST /auth/conditional/finish', { ticket, credential })).status
    }
    expect(await signIn({ key: softwareAuthenticator().privateKey })).toBe(200)
    expect(await signIn({ challenge: 'Y2hhbGxlbmdl' })).toBe(400)
    expect(await signIn({ origin: 'https://attacker.example' })).toBe(400)
  })

  it('a service that was told to verify says what is missing', async () => {
    const { service, ada, send } = setUp({ verifyPasskey })
    const authenticator = softwareAuthenticator()
    service.users.addPasskey(ada, authenticator.passkey)
    const { ticket, challenge } = (await send<typeof start>('POST /auth/conditional/start')).body
    const { status, body } = await send('POST /auth/conditional/finish', {
      ticket,
      credential: authenticator.answer(challenge),
    })
    expect(status).toBe(500)
    expect(body.message).toContain('needs the package @simplewebauthn/server')
  })
})
