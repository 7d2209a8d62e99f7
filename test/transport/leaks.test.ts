import { execFile, spawn } from 'node:child_process'
import { getEventListeners } from 'node:events'
import { promisify } from 'node:util'
import { Client, isRapportError } from 'rapport-sdk'
import { expect, it, onTestFinished, vi } from 'vitest'
import { json, mfaRequired, noResponse, serve } from '../servers/http-server'
import { bundledScript } from '../temporary-files'
import { reasonOf, rejectionOf } from './rejection'

const exitingProcess = bundledScript('test/exiting-process.ts')
const queueMemoryProcess = bundledScript('test/transport/queue-memory-process.ts')

it('a signal has no listener left after a thousand calls', async () => {
  const server = await serve()
  server.fallback(({ url }) => (url === '/friend-suggestions' ? json(404, {}) : json(200, [])))
  const client = new Client({ baseUrl: server.url, token: 'ada' })
  const { signal } = new AbortController()

  for (let batch = 0; batch < 20; batch++) {
    const calls = Array.from({ length: 25 }, () => [
      client.relationships.list({ signal }),
      reasonOf(client.friendSuggestions.list({ signal })),
    ])
    await Promise.all(calls.flat())
  }

  expect(server.requests).toHaveLength(1000)
  expect(getEventListeners(signal, 'abort')).toHaveLength(0)
})

it('a signal has no listener left after a login with a prompt', async () => {
  const server = await serve()
  server.fallback(({ url }) =>
    url === '/auth/login'
      ? json(200, { user_id: '1', mfa: true, ticket: 't', totp: true })
      : json(200, { token: 'new' }),
  )
  const client = new Client({ baseUrl: server.url, onMfaRequired: () => ({ type: 'totp', code: '123456' }) })
  const { signal } = new AbortController()
  for (let index = 0; index < 20; index++) {
    await client.auth.login({ login: 'ada@example.test', password: 'correct horse' }, { signal })
  }
  expect(getEventListeners(signal, 'abort')).toHaveLength(0)
})

it('dispose() ends pending calls, aborts their prompts and rejects later calls', async () => {
  const server = await serve()
  server.fallback(({ url }) => (url === '/friend-suggestions' ? mfaRequired() : noResponse))
  const signals: AbortSignal[] = []
  const client = new Client({
    baseUrl: server.url,
    token: 'ada',
    onMfaRequired: ({ signal }) => {
      signals.push(signal)
      return new Promise(() => {})
    },
  })
  const calls = [reasonOf(client.relationships.list()), reasonOf(client.friendSuggestions.list())]
  await vi.waitFor(() => expect(signals).toHaveLength(1))
  await server.waitForRequests(2)

  await client[Symbol.asyncDispose]()

  for (const reason of await Promise.all(calls)) expect(reason).toSatisfy(isRapportError)
  expect(signals[0]?.aborted).toBe(true)
  const late = await rejectionOf(client.relationships.list(), isRapportError)
  expect(late.message).toContain('disposed')
  expect(server.requests).toHaveLength(2)
})

it('no handle keeps the process alive after dispose()', async () => {
  const server = await serve()
  server.fallback(({ url }) => {
    if (url === '/friend-suggestions') return mfaRequired()
    if (url === '/auth/login') return json(200, { user_id: '1', mfa: true, ticket: 't', totp: true })
    if (url === '/auth/conditional/start') return json(200, { ticket: 't', challenge: '{"challenge":"YQ"}' })
    if (url === '/auth/sessions') return json(429, {}, { 'retry-after': '3600' })
    if (url === '/widget-configs/featured') return json(503, {})
    return noResponse
  })
  const child = spawn(process.execPath, [exitingProcess(), 'dispose', server.url], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))

  onTestFinished(() => void child.kill())

  await vi.waitFor(() => expect(new Set(server.requests.map(({ url }) => url)).size).toBe(6))
  child.stdin.end()
  expect(await exited).toBe(0)
  expect(output).toBe('disposed, then 7 rejected\n')
})

it('a call that waited in the queue does not survive the garbage collections of young objects', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [queueMemoryProcess()])
  // With a closure around `resolve` 12,000 bytes of it did.
  expect(Number(stdout)).toBeLessThan(5000)
})
