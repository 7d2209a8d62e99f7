import { Client } from 'rapport-sdk'
import { describe, expect, it } from 'vitest'
import { reasonOf } from '../transport/rejection'

const baseUrl = 'https://service.example'

describe('what the session is given', () => {
  it.each<[string, (value: string) => unknown]>([
    ['token', (token) => new Client({ baseUrl, token })],
    ['fingerprint', (fingerprint) => new Client({ baseUrl, fingerprint })],
    ['token', (token) => new Client({ baseUrl }).session.setToken(token)],
    ['fingerprint', (value) => Object.assign(new Client({ baseUrl }).session, { fingerprint: value })],
  ])('a %s with a line break is rejected, and the error names the value', async (name, give) => {
    const error = await reasonOf((async () => give('a\nb'))())
    expect(error).toMatchObject({ issues: [{ path: [name], code: 'invalid_format' }] })
  })

  it('a fingerprint survives a sign-out and ends with the first token', async () => {
    const client = new Client({ baseUrl, fingerprint: 'print' })
    expect(client.session.isAuthenticated).toBe(false)
    await client.session.setToken(null)
    expect(client.session.fingerprint).toBe('print')

    await client.session.setToken('ada')

    expect(client.session.fingerprint).toBeNull()
    expect(client.session.isAuthenticated).toBe(true)
  })
})
