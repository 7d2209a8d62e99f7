import { Client, isTimeoutError } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'
import { describe, expect, it } from 'vitest'

const password = 'correct horse'

function clientWithHangingStore(mfa: ('totp' | 'sms')[] = []) {
  const service = createMockService()
  const ada = service.users.create({ login: 'ada@example.com', password, mfa })
  const tokenStore = { get: () => null, set: () => new Promise<void>(() => {}) }
  const client = new Client({ baseUrl: service.baseUrl, fetch: service.fetch, tokenStore })
  return { service, ada, client, login: { login: 'ada@example.com', password } }
}

describe('a token store that never finishes writing', () => {
  it('a token store that never finishes writing does not hold a login beyond its signal', async () => {
    const { client, login } = clientWithHangingStore()
    const reason = new Error('enough')
    const control = new AbortController()
    const call = client.auth.login(login, { signal: control.signal })
    setTimeout(() => control.abort(reason), 20)
    await expect(call).rejects.toBe(reason)
  })

  it('a token store that never finishes writing does not hold a login beyond its deadline', async () => {
    const { client, login } = clientWithHangingStore()
    await expect(client.auth.login(login, { deadline: 30 })).rejects.toSatisfy(isTimeoutError)
  })

  it('a token store that never finishes writing does not hold a handoff beyond its client', async () => {
    const { service, ada, client } = clientWithHangingStore()
    const source = client.as(service.token(ada))
    const { handoff_token } = await source.auth.createHandoffToken({ key: 'k' })
    const call = client.auth.exchangeHandoffToken({ key: 'k', handoff_token })
    setTimeout(() => client.dispose(), 20)
    await expect(call).rejects.toThrow('disposed')
  })
})

describe('a challenge as a value', () => {
  it('a challenge outlives the signal and the deadline of its login', async () => {
    const service = createMockService()
    const ada = service.users.create({ login: 'ada@example.com', password, mfa: ['totp'] })
    const client = new Client({ baseUrl: service.baseUrl, fetch: service.fetch })
    const control = new AbortController()
    const result = await client.auth.login({ login: 'ada@example.com', password }, { signal: control.signal })
    control.abort()
    if (result.status !== 'mfa') throw new Error('a second factor was due')
    expect(result.challenge.signal.aborted).toBe(false)
    const done = await result.challenge.verify({ type: 'totp', code: service.users.totp(ada) })
    expect(done.status).toBe('complete')
  })

  it('a challenge names the endpoint that requires it', async () => {
    const service = createMockService()
    service.users.create({ login: 'ada@example.com', password, mfa: ['totp'] })
    const client = new Client({ baseUrl: service.baseUrl, fetch: service.fetch })
    const result = await client.auth.login({ login: 'ada@example.com', password })
    expect(result.status === 'mfa' && result.challenge.endpoint).toBe('Login Account')
  })
})

describe('an invalid stored token', () => {
  it.each(['', 'a\nb', 5])(
    'the stored token %j throws an error that names the store and says how to recover',
    async (held) => {
      const service = createMockService()
      const tokenStore = { get: () => held as string, set: () => {} }
      const client = new Client({ baseUrl: service.baseUrl, fetch: service.fetch, tokenStore })
      const password = { password: 'correct horse' }
      await expect(client.auth.validatePassword(password)).rejects.toThrow(/token store holds.*session\.setToken/)
      await client.session.setToken(null)
      await expect(client.auth.validatePassword(password)).resolves.toMatchObject({ valid: true })
    },
  )
})
