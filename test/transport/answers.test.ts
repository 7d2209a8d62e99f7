import { Client, isApiError, isResponseParseError, isServerError, NotFoundError, PermissionError } from 'rapport-sdk'
import { describe, expect, it } from 'vitest'
import { json, noContent, type Responder, resetDuringBody, serve, text } from '../servers/http-server'
import { reasonOf, rejectionOf } from './rejection'

async function clientFor(...answers: Responder[]) {
  const server = await serve(...answers)
  return new Client({ baseUrl: server.url, token: 'ada', retry: 0 })
}

describe('answers', () => {
  it.each<[string, Responder, number]>([
    ['HTML', text(200, '<!doctype html><p>planted-text</p>', { 'content-type': 'text/html' }), 200],
    ['HTML that says it is JSON', text(200, '<p>planted-text</p>', { 'content-type': 'application/json' }), 200],
    ['nothing', text(200, ''), 200],
    ['204 where JSON is due', noContent, 204],
    ['truncated JSON', text(200, '[{"note":"planted-text'), 200],
    ['two values', text(200, '[] planted-text'), 200],
    ['bytes that are no text', text(200, Buffer.from([0xff, 0xfe, 0x00, 0xd8])), 200],
    ['a body that breaks off', resetDuringBody, 200],
    ['a status of 206', text(206, 'planted-text'), 206],
  ])('a success with %s is a ResponseParseError with its status and without its body', async (_, answer, status) => {
    const client = await clientFor(answer)
    const error = await rejectionOf(client.relationships.list(), isResponseParseError)
    expect(error).toMatchObject({ status, endpoint: 'Get Relationships' })
    const cause = error.cause instanceof Error ? error.cause.message : ''
    expect(`${error.message} ${error.stack} ${cause}`).not.toContain('planted-text')
  })

  it('a failure with any body is the ApiError of its status', async () => {
    const bodies = ['<html>Bad Gateway</html>', '', 'null', '[]', '"text"', '5', '{', '{"code":"x","message":7}', '\0']
    for (const body of bodies) {
      const client = await clientFor(
        text(502, body),
        text(404, body),
        text(403, body),
        text(418, body),
        text(300, body),
      )
      expect(await reasonOf(client.relationships.list())).toSatisfy(isServerError)
      expect(await reasonOf(client.relationships.list())).toBeInstanceOf(NotFoundError)
      expect(await reasonOf(client.relationships.list())).toBeInstanceOf(PermissionError)
      expect(await rejectionOf(client.relationships.list(), isApiError)).toMatchObject({
        status: 418,
        name: 'ApiError',
      })
      const error = await rejectionOf(client.relationships.list(), isApiError)
      expect(error).toMatchObject({ status: 300, code: undefined, serviceMessage: '', fieldErrors: [] })
    }
  })

  it('a failure whose body breaks off is still the error of its status', async () => {
    const client = await clientFor((response) => {
      response.writeHead(404, { 'content-length': '100' }).write('{"code":1')
      setTimeout(() => response.destroy(), 20)
    })
    expect(await reasonOf(client.relationships.list())).toBeInstanceOf(NotFoundError)
  })

  it('a call without a result resolves to undefined, whatever body the success has', async () => {
    const client = await clientFor(noContent, json(200, { ignored: true }), text(200, '<html>'))
    for (let index = 0; index < 3; index++) expect(await client.relationships.delete('100')).toBeUndefined()
  })

  it('a call reads JSON with a byte order mark', async () => {
    const client = await clientFor(text(200, '\ufeff[]'))
    expect(await client.relationships.list()).toEqual([])
  })

  it('a call reads a body that arrives in many chunks, split within a character', async () => {
    const bytes = Buffer.from('[{"id":"1","type":1,"user":{"id":"1"},"nickname":"é☃😀","user_ignored":false}]')
    const client = await clientFor(async (response) => {
      response.writeHead(200)
      for (const byte of bytes) {
        response.write(Buffer.of(byte))
        await new Promise((resolve) => setImmediate(resolve))
      }
      response.end()
    })
    expect((await client.relationships.list())[0]?.nickname).toBe('é☃😀')
  })
})
