import { gzipSync } from 'node:zlib'
import { Client, isResponseParseError, NotFoundError } from 'rapport-sdk'
import { describe, expect, it, vi } from 'vitest'
import { type Responder, serve, text } from '../servers/http-server'
import { reasonOf, rejectionOf } from '../transport/rejection'

const MEBIBYTE = 1024 * 1024

describe('the size of a response', () => {
  it('above 8 MiB throws a ResponseParseError, and its connection is closed', async () => {
    let written = 0
    let closed = false
    const endless: Responder = (response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.on('close', () => {
        closed = true
      })
      const chunk = Buffer.alloc(64 * 1024, ' ')
      const more = () => {
        while (!closed && written < 300 * MEBIBYTE) {
          written += chunk.length
          if (!response.write(chunk)) return void response.once('drain', more)
        }
        response.end()
      }
      more()
    }
    const server = await serve(endless)
    const client = new Client({ baseUrl: server.url, token: 'ada' })

    const error = await rejectionOf(client.relationships.list(), isResponseParseError)

    expect(error.message).toContain('8388608')
    expect(error.message).toContain('maxResponseBytes')
    expect(written).toBeLessThan(64 * MEBIBYTE)
    await vi.waitFor(() => expect(closed).toBe(true))
    expect(server.requests).toHaveLength(1)
  })

  it('it is counted after decompression', async () => {
    const bomb = gzipSync(Buffer.alloc(50 * MEBIBYTE, ' '))
    const server = await serve(text(200, bomb, { 'content-encoding': 'gzip' }))
    const client = new Client({ baseUrl: server.url, token: 'ada' })
    await rejectionOf(client.relationships.list(), isResponseParseError)
  })

  it('one of exactly maxResponseBytes is accepted', async () => {
    const server = await serve(text(200, '["34567890"]'.slice(0, 12)), text(200, '["345678901"]'))
    const client = new Client({ baseUrl: server.url, token: 'ada', maxResponseBytes: 12, onResponseMismatch: 'ignore' })
    expect(await client.relationships.list()).toEqual(['34567890'])
    await rejectionOf(client.relationships.list(), isResponseParseError)
  })

  it('an error response above the limit throws the error of its status', async () => {
    const server = await serve(text(404, ' '.repeat(100)))
    const client = new Client({ baseUrl: server.url, token: 'ada', maxResponseBytes: 12 })
    expect(await reasonOf(client.relationships.list())).toBeInstanceOf(NotFoundError)
  })
})
