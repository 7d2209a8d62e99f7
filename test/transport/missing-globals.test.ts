import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { json, mfaRequired, noContent, serve, text } from '../servers/http-server'
import { bundledScript } from '../temporary-files'

const script = bundledScript('test/transport/missing-globals-process.ts')

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
  const { stdout } = await promisify(execFile)(process.execPath, [script(), server.url])
  const { failures, outcomes } = JSON.parse(stdout)

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
