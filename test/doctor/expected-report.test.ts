import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { mockCommand, urlOf } from '../mocks/command'
import { OddService, PRIVATE } from './odd-service'
import { env, expectMasked, run, temporaryFolder, tokenOfAda } from './set-up'

describe('rapport-doctor --expect', () => {
  const { startMock } = mockCommand()

  test('a report that is expected makes known differences none', async () => {
    const service = await new OddService().listen()
    const folder = temporaryFolder()
    const first = join(folder, 'report.json')
    writeFileSync(first, (await run([service.url, '--yes', '--json'], { env })).output)
    const { code, output, messages } = await run([service.url, '--yes', '--json', '--expect', first], { env })
    // What was behind the 429 is still unknown.
    expect(code).toBe(2)
    expect(messages).toContain('could not check Get User Application Profile: status 429\n')
    const { conventions, differences } = JSON.parse(output)
    expect(differences).toEqual([])
    expect(conventions.filter(({ status }: { status: string }) => status === 'different')).toEqual([])
  })

  test('what was different in the expected report and is as assumed now is a difference, and the exit code is 1', async () => {
    const service = await new OddService().listen()
    const first = join(temporaryFolder(), 'report.json')
    writeFileSync(first, (await run([service.url, '--yes', '--json'], { env })).output)
    const { output } = startMock('--port', '0')
    const url = await urlOf(output)
    const setting = { env: await tokenOfAda(url) }
    const args = [url, '--yes', '--expect', first]
    const { code, ...json } = await run([...args, '--json'], setting)
    expect(code).toBe(1)
    const { conventions, differences } = JSON.parse(json.output)
    expect(conventions.filter(({ status }: { status: string }) => status === 'different')).toEqual([
      {
        ...{ name: 'authorizationScheme', status: 'different' },
        ...{ seen: 'the token alone', reason: 'no longer scheme Bearer' },
      },
      {
        ...{ name: 'errorEnvelope', status: 'different', seen: 'code in `code`, message in `message`' },
        reason: 'no longer code in `error.code`, message in `error.message`',
      },
    ])
    // Of the others, the response has no object that could have them.
    const path = 'user_sessions[].client_info.location'
    expect(differences).toEqual([{ endpoint: 'Get Auth Sessions', path, kind: 'gone: missing field' }])
    const text = (await run(args, setting)).output
    expect(text).toMatch(/different +authorizationScheme +the token alone, no longer scheme Bearer\n/)
    expect(text).toMatch(/gone: missing field +Get Auth Sessions/)
    // A report that was made with `--expect` can be expected as well.
    writeFileSync(first, json.output)
    expect(await run(args, setting)).toMatchObject({ code: 0 })
  })

  test('the command refuses a file of --expect that is no report', async () => {
    const file = join(temporaryFolder(), 'report.json')
    for (const content of ['[]', 'null', PRIVATE.token]) {
      writeFileSync(file, content)
      const refused = await run(['https://service.example', '--yes', '--expect', file], { env })
      expect(refused).toMatchObject({ code: 2, messages: expect.stringContaining('--expect') })
      expectMasked(refused.messages)
    }
  })
})
