import nodeFetch from 'node-fetch'
import { Client, type Fetch } from 'rapport-sdk'
import { undiciFetch as fastFetch } from 'rapport-sdk/node'
import {
  Agent,
  BalancedPool,
  EnvHttpProxyAgent,
  MockAgent,
  Pool,
  ProxyAgent,
  RetryAgent,
  Client as UndiciClient,
  fetch as undiciFetch,
} from 'undici'
import { describe, expectTypeOf, test } from 'vitest'

const baseUrl = 'https://service.example'

describe('the option fetch', () => {
  test('accepts the fetch of the platform, of undici and of node-fetch', () => {
    for (const fetch of [globalThis.fetch, undiciFetch, nodeFetch]) new Client({ baseUrl, fetch })
    expectTypeOf(globalThis.fetch).toExtend<Fetch>()
    expectTypeOf(undiciFetch).toExtend<Fetch>()
    expectTypeOf(nodeFetch).toExtend<Fetch>()
  })

  test('accepts wrappers that pass on their arguments', () => {
    const dispatcher = new ProxyAgent('http://proxy.example')
    new Client({ baseUrl, fetch: (url, init) => undiciFetch(url, { ...init, dispatcher }) })
    new Client({ baseUrl, fetch: (url, init) => undiciFetch(url, { ...init, dispatcher: new Agent() }) })
    new Client({ baseUrl, fetch: (url, init) => nodeFetch(url, init) })
    new Client({
      baseUrl,
      fetch: (url, init) => fetch(url, { ...init, headers: { ...init?.headers, 'x-trace': '1' } }),
    })
    new Client({ baseUrl, fetch: (url, init) => fetch(new Request(url, init)) })
    new Client({ baseUrl, fetch: (input: RequestInfo | URL, init?: RequestInit) => fetch(input, init) })
  })

  test('undiciFetch takes every dispatcher of undici and is a fetch of the client', () => {
    const dispatchers = [
      new Agent(),
      new BalancedPool(baseUrl),
      new EnvHttpProxyAgent(),
      new MockAgent(),
      new Pool(baseUrl),
      new ProxyAgent('http://proxy.example'),
      new RetryAgent(new Agent()),
      new UndiciClient(baseUrl),
    ]
    for (const dispatcher of dispatchers) new Client({ baseUrl, fetch: fastFetch({ dispatcher }) })
    // @ts-expect-error: the address of a proxy is no dispatcher
    fastFetch({ dispatcher: 'http://proxy.example' })
  })

  test('the headers of a response need only `get` and `forEach`', () => {
    const headers: Pick<Headers, 'get' | 'forEach'> = new Headers()
    new Client({ baseUrl, fetch: async () => ({ status: 200, headers, arrayBuffer: async () => new ArrayBuffer(0) }) })
    const incomplete: Pick<Headers, 'get'> = headers
    const response = { status: 200, headers: incomplete, arrayBuffer: async () => new ArrayBuffer(0) }
    // @ts-expect-error: not all headers can be read
    new Client({ baseUrl, fetch: async () => response })
  })

  test('accepts a function whose response has no body stream', () => {
    const fetch = async () => ({ status: 200, headers: new Headers(), arrayBuffer: async () => new ArrayBuffer(0) })
    new Client({ baseUrl, fetch })
    // @ts-expect-error: a response needs a way to read its body
    new Client({ baseUrl, fetch: async () => ({ status: 200, headers: new Headers() }) })
  })
})
