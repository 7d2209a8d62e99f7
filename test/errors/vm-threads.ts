import { readFile, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import {
  Client,
  errorFromJSON,
  explain,
  isApiError,
  isConnectionError,
  isNotFoundError,
  isRapportError,
  type TokenStore,
} from 'rapport-sdk'
import { describe, expect, it } from 'vitest'
import { json, serve } from '../servers/http-server'
import { reasonOf, rejectionOf } from '../transport/rejection'

// Vitest replaces what `import` returns, to load everything into the realm of this file.
const { createRequire } = process.getBuiltinModule('node:module')
/** A copy of this package in the realm of Node. */
const copy: typeof import('rapport-sdk') = createRequire(import.meta.url)(process.env.COPY ?? '')

/** Returns a URL at which nothing listens. */
async function closedUrl(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return `http://127.0.0.1:${port}`
}

describe('in a test runner that has a realm of its own', () => {
  it('the errors of Node are no instances of the class of this realm', async () => {
    expect(await reasonOf(readFile(tmpdir()))).not.toBeInstanceOf(Error)
    expect(await reasonOf(fetch(await closedUrl()))).not.toBeInstanceOf(Error)
  })

  it('a refused connection is a cause with name, message and code', async () => {
    const call = new Client({ baseUrl: await closedUrl(), token: 'token-of-ada', retry: 0 }).relationships.list()
    const { cause } = await rejectionOf(call, isConnectionError)
    expect(cause).toMatchObject({ name: 'TypeError', message: 'fetch failed', cause: { code: 'ECONNREFUSED' } })
  })

  it('a token store on `node:fs` that fails is a cause with name and code, and with its message where no token can be in it', async () => {
    const baseUrl = 'https://service.example'
    const tokenStore: TokenStore = {
      get: async () => ({ token: await readFile(tmpdir(), 'utf8') }),
      set: (record) => writeFile(tmpdir(), String(record?.token)),
    }
    const read = await rejectionOf(new Client({ baseUrl, tokenStore }).ready, isRapportError)
    expect(read.cause).toMatchObject({ name: 'Error', code: 'EISDIR' })
    const client = new Client({ baseUrl, tokenStore: { ...tokenStore, get: () => null } })
    await client.ready
    const written = await rejectionOf(client.session.setToken('token-of-ada'), isRapportError)
    const message = expect.stringContaining('EISDIR: illegal operation on a directory')
    expect(written.cause).toMatchObject({ name: 'Error', code: 'EISDIR', message })
  })

  it('guards, `explain` and `errorFromJSON` work on the errors of this realm and on those of a copy in another', async () => {
    const { url: baseUrl } = await serve(json(404, { message: 'nobody' }), json(404, { message: 'nobody' }))
    const errors = [Client, copy.Client].map((type) => reasonOf(new type({ baseUrl, token: 'x' }).relationships.list()))
    const [own, foreign] = await Promise.all(errors)
    for (const error of [own, foreign]) {
      const guards = [isApiError, copy.isApiError, isNotFoundError, copy.isNotFoundError, isConnectionError]
      expect(guards.map((guard) => guard(error))).toEqual([true, true, true, true, false])
      expect(explain(error)).toEqual(copy.explain(error))
      expect(explain(error)).toMatchObject({ title: 'Not found', message: 'nobody' })
      expect(errorFromJSON(JSON.parse(JSON.stringify(error)))).toSatisfy(isNotFoundError)
    }
    expect(foreign).not.toBeInstanceOf(Error)
  })
})
