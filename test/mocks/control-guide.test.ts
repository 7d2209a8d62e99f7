import { createMockService } from 'rapport-sdk/mocks'
import { listen } from 'rapport-sdk/mocks/node'
import { expect, it, onTestFinished } from 'vitest'
import { textOf } from '../architecture/sources'

const guide = textOf('docs/guides/the-mock-as-a-server.md')
// A command may continue on the next line.
const commands = Array.from(guide.matchAll(/^curl (?:.*\\\n)*.*$/gm), ([lines]) => lines.replaceAll(/\\\n/g, ''))

/** Sends the request of a curl command: `-X`, `-d` and `-H`, with curl's default content type. */
async function curl(command: string, origin: string): Promise<Response> {
  const words = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
  let [method, url]: (string | undefined)[] = []
  let body: string | undefined
  const headers: Record<string, string> = {}
  for (let index = 1; index < words.length; index++) {
    const next = words[index + 1] ?? ''
    if (words[index] === '-X') method = next
    else if (words[index] === '-d') body = next
    else if (words[index] === '-H') headers[next.split(': ')[0] ?? ''] = next.split(': ')[1] ?? ''
    else {
      url = words[index]
      continue
    }
    index += 1
  }
  const type = body === undefined ? {} : { 'Content-Type': 'application/x-www-form-urlencoded' }
  const target = String(url).replace('http://127.0.0.1:4817', origin)
  return await fetch(target, { method: method ?? 'GET', headers: { ...type, ...headers }, ...(body && { body }) })
}

it('the curl commands of the guide to the mock as a server succeed in their order', async () => {
  const server = await listen(createMockService({ baseUrl: 'http://localhost' }))
  onTestFinished(server.close)
  expect(commands.length).toBeGreaterThan(15)
  for (const command of commands) {
    const response = await curl(command, `http://127.0.0.1:${server.port}`)
    expect([command, response.ok, await response.text()]).toEqual([command, true, expect.any(String)])
  }
})
