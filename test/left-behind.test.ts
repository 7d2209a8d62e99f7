import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { Client } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'
import { expect, test, vi } from 'vitest'
import { watchResources } from './left-behind'

test('a timer, a server, a process and a mock service that are left behind are named, with the line that created them', async () => {
  const resources = watchResources()
  const timer = setTimeout(() => {}, 600_000)
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
  const service = createMockService()
  const token = service.token(service.users.create({ login: 'ada@example.com' }))
  const gateway = { url: service.gateway.url, WebSocket: service.WebSocket }
  const client = new Client({ baseUrl: service.baseUrl, fetch: service.fetch, token, gateway })
  await client.gateway.connect()
  client.dispose()

  const left = resources.left()
  expect(left).toContainEqual(expect.stringMatching(/^Timeout\n.*left-behind\.test\.ts:11:/))
  expect(left).toContainEqual(expect.stringMatching(/^TCPSERVERWRAP\n.*left-behind\.test\.ts:12:/))
  expect(left).toContainEqual(expect.stringMatching(/^PROCESSWRAP\n.*left-behind\.test\.ts:14:/))
  expect(left).toContainEqual(expect.stringMatching(/^Timeout\n.*\n.*mocks\/gateway\/gateway\.ts:/))

  clearTimeout(timer)
  server.close()
  child.kill('SIGKILL')
  await Promise.all([once(child, 'exit'), service.close()])
  await vi.waitFor(() => expect(resources.left()).toEqual([]))
  resources.stop()
})
