import { Client, type ClientOptions, isApiError, isConnectionError } from 'rapport-sdk'
import { describe, expect, it } from 'vitest'
import { cpuNow } from '../cpu-time'
import { json, serve } from '../servers/http-server'
import { rejectionOf } from '../transport/rejection'

const TOKEN = 'tok_9f3cA7-41b2.c8d0Ee65+f1a2/b3c4=='
const LONG = Array.from({ length: 90 }, (_, at) => `part${(at * 7919 + 13) % 9973}`).join('.')

/** Returns the message that the client shows of this one. */
async function shownMessage(message: string, options: Partial<ClientOptions> = {}): Promise<string> {
  const server = await serve(json(400, { message }))
  const client = new Client({ baseUrl: server.url, token: TOKEN, retry: 0, ...options })
  return (await rejectionOf(client.relationships.list(), isApiError)).serviceMessage
}

describe('a part of a secret', () => {
  it.each([16, 17, 24, TOKEN.length - 1])('it is replaced if it is the first %i characters', async (length) => {
    expect(await shownMessage(`got ${TOKEN.slice(0, length)}… (cut)`)).toBe('got [redacted]… (cut)')
  })

  it.each([16, 17, 24, TOKEN.length - 1])('it is replaced if it is the last %i characters', async (length) => {
    expect(await shownMessage(`ends with ${TOKEN.slice(-length)}, bye`)).toBe('ends with [redacted], bye')
  })

  it('16 characters from the middle of a secret are replaced', async () => {
    expect(await shownMessage(`with ${TOKEN.slice(9, 25)} in it`)).toBe('with [redacted] in it')
  })

  it('fewer than 16 characters of a beginning or end stay readable', async () => {
    const message = `${TOKEN.slice(0, 15)} and ${TOKEN.slice(-15)}`
    expect(await shownMessage(message)).toBe(message)
  })

  it('a beginning and an end that follow each other, and overlap, are replaced', async () => {
    const [start, end] = [TOKEN.slice(0, 20), TOKEN.slice(-20)]
    expect(await shownMessage(`a ${start} b ${end} c ${TOKEN} d ${end}${start} e`)).toBe(
      'a [redacted] b [redacted] c [redacted] d [redacted][redacted] e',
    )
  })

  it.each([
    ['beginning', (secret: string) => secret.slice(0, 300)],
    ['short beginning', (secret: string) => secret.slice(0, 20)],
    ['end', (secret: string) => secret.slice(-300)],
    ['short end', (secret: string) => secret.slice(-20)],
    ['whole', (secret: string) => secret],
  ])('it is replaced if it is the %s of one of hundreds of characters', async (_, cut) => {
    const shown = await shownMessage(`it was ${cut(LONG)}!`, { token: LONG })
    expect(shown).toContain('[redacted]')
    expect(shown).not.toMatch(/part\d{2}/)
  })

  it.each([
    ['in JSON', (text: string) => JSON.stringify(text).replaceAll('/', '\\/')],
    ['in a URL', encodeURIComponent],
    ['twice in a URL', (text: string) => encodeURIComponent(encodeURIComponent(text))],
    ['in JSON in JSON', (text: string) => JSON.stringify(JSON.stringify({ text }))],
  ])('a beginning and an end of a secret that are encoded %s are not shown', async (_, encode) => {
    for (const part of [TOKEN.slice(0, 33), TOKEN.slice(-33), TOKEN])
      expect(await shownMessage(`it was ${encode(part)}!`)).not.toMatch(/9f3cA7|41b2|c8d0|f1a2|b3c4/)
  })

  it('the end of a secret that contains another secret is replaced as a whole', async () => {
    const token = `head-of-it:${'x'.repeat(10)}:inner-secret-5f0c:and-the-end-of-it`
    const headers = { 'x-api-key': 'inner-secret-5f0c' }
    expect(await shownMessage(`a ${token.slice(5)} b`, { token, headers })).toBe('a [redacted] b')
  })

  it('parts of a secret are replaced in bodies, names, headers and causes', async () => {
    const part = TOKEN.slice(0, 20)
    const server = await serve(json(400, { deep: [{ [part]: [part] }] }, { 'x-trace': `t ${part}` }))
    const client = new Client({ baseUrl: server.url, token: TOKEN, retry: 0 })
    const error = await rejectionOf(client.relationships.list(), isApiError)
    expect(error.body).toEqual({ deep: [{ '[redacted]': ['[redacted]'] }] })
    expect(error.headers.get('x-trace')).toBe('t [redacted]')

    const fetch = () => Promise.reject(new TypeError(`Invalid header ${TOKEN.slice(-20)}`))
    const failing = new Client({ baseUrl: server.url, token: TOKEN, retry: 0, fetch })
    const { cause } = await rejectionOf(failing.relationships.list(), isConnectionError)
    expect(cause).toMatchObject({ name: 'TypeError', message: 'Invalid header [redacted]' })
  })

  it.each([
    ['beginnings', TOKEN.slice(0, -1), TOKEN],
    ['ends', TOKEN.slice(1), TOKEN],
    ['repetitions of the end', 'a', `b${'a'.repeat(200)}`],
    ['repetitions of the beginning', 'a', `${'a'.repeat(200)}b`],
    ['repetitions in the middle', 'a', `b${'a'.repeat(200)}b`],
  ])('a text of a million characters of %s of a secret takes linear time', async (_, unit, token) => {
    const spent: number[] = []
    for (const size of [31_250, 1_000_000]) {
      const body = JSON.stringify({ message: unit.repeat(size / unit.length) })
      const fetch = async () => new Response(body, { status: 400 })
      const client = new Client({ baseUrl: 'https://service.example', token, retry: 0, fetch })
      let least = Number.POSITIVE_INFINITY
      for (let round = 0; round < 3; round++) {
        const startedAt = cpuNow()
        await rejectionOf(client.relationships.list(), isApiError)
        least = Math.min(least, cpuNow() - startedAt)
      }
      spent.push(Math.max(least, 1))
    }
    // Linear is 32, quadratic 1,024.
    expect(Number(spent[1]) / Number(spent[0])).toBeLessThan(181)
  })
})
