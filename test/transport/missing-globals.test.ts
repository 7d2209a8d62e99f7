import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { json, mfaRequired, noContent, serve, text } from '../servers/http-server'

/** All entries except `mocks/msw`: msw needs `Response` when it is loaded. */
const ENTRIES = [
  'src/index.ts',
  'src/components/index.ts',
  'src/webauthn/index.ts',
  'src/preview/index.ts',
  'src/storage.ts',
  'mocks/index.ts',
  'mocks/node.ts',
]

async function run(baseUrl: string, ...entries: string[]): Promise<{ failures: string[]; outcomes: unknown[] }> {
  const script = fileURLToPath(new URL('./missing-globals-process.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', script, baseUrl, ...entries])
  return JSON.parse(stdout)
}

test('every entry loads, and calls work, without the globals that jsdom and React Native lack', async () => {
  const list = '[{"id":"1","type":1,"user":{"id":"1"},"nickname":"é☃😀","user_ignored":false}]'
  const server = await serve(
    text(200, `\ufeff${list}`),
    mfaRequired(),
    json(200, { token: 'jwt' }),
    noContent,
    json(200, 1),
    json(200, 2),
    json(200, 3),
    json(404, { message: 'nobody' }),
    text(200, Buffer.from([0xff, 0xfe, 0x00, 0xd8])),
  )
  const { failures, outcomes } = await run(server.url, ...ENTRIES)

  expect(failures).toEqual([])
  expect(outcomes).toEqual([
    JSON.parse(list),
    null,
    1,
    2,
    3,
    'NotFoundError: Get Relationships failed with status 404: nobody',
    expect.stringContaining('ResponseParseError: Get Relationships succeeded with status 200'),
  ])
  expect(server.request(3).headers['x-service-mfa-authorization']).toBe('jwt')
  const sent = server.requests
    .slice(4, 7)
    .map(({ headers, body }) => [headers['content-type'], body.toString('latin1')])
  expect(sent).toEqual([
    ['application/json', Buffer.from('{"a":"é"}').toString('latin1')],
    ['application/x-www-form-urlencoded;charset=UTF-8', 'a=%C3%A9'],
    [undefined, '\u0001\u0002'],
  ])
})
