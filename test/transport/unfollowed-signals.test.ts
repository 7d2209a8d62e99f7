import { PassThrough } from 'node:stream'
import { Client, type Fetch, type FetchResponse } from 'rapport-sdk'
import { describe, expect, it, vi } from 'vitest'
import { deferred } from '../deferred'

const hang = () => new Promise<never>(() => {})

describe('a custom fetch that does not follow its signal', () => {
  /** Returns a client whose fetch ignores its signal, and resolves to the response once `arrive` is called. */
  function setUp(body: FetchResponse['body']) {
    const { promise: called, resolve: markCalled } = deferred<void>()
    const { promise: arrived, resolve: arrive } = deferred<void>()
    const ignoreSignal: Fetch = async () => {
      markCalled()
      await arrived
      return { status: 200, headers: new Headers(), body, arrayBuffer: async () => new ArrayBuffer(0) }
    }
    const client = new Client({ baseUrl: 'https://service.example', token: 'ada', fetch: ignoreSignal })
    return { client, called, arrive }
  }

  const streams = {
    'a web stream': () => {
      const cancel = vi.fn()
      const body = new ReadableStream<Uint8Array>({ cancel })
      return { body, isRead: () => body.locked, isCancelled: () => cancel.mock.calls.length === 1 }
    },
    'a Node stream': () => {
      const body = new PassThrough()
      return { body, isRead: () => body.listenerCount('readable') > 0, isCancelled: () => body.destroyed }
    },
  }

  it.each(Object.entries(streams))('an abort cancels a body that is %s', async (_, open) => {
    const { body, isRead, isCancelled } = open()
    const { client, arrive } = setUp(body)
    const control = new AbortController()
    const outcome = client.relationships.list({ signal: control.signal }).catch((reason) => reason)
    arrive()
    await vi.waitFor(() => expect(isRead()).toBe(true))
    expect(isCancelled()).toBe(false)
    control.abort('enough')
    expect(await outcome).toBe('enough')
    await vi.waitFor(() => expect(isCancelled()).toBe(true))
  })

  it.each(Object.entries(streams))('%s that arrives after an abort is cancelled', async (_, open) => {
    const { body, isCancelled } = open()
    const { client, called, arrive } = setUp(body)
    const control = new AbortController()
    const outcome = client.relationships.list({ signal: control.signal }).catch((reason) => reason)
    await called
    control.abort('enough')
    expect(await outcome).toBe('enough')
    arrive()
    await vi.waitFor(() => expect(isCancelled()).toBe(true))
  })

  it.each<[string, () => unknown]>([
    ['a response', hang],
    ['the bytes of a response', async () => ({ status: 200, headers: new Headers(), arrayBuffer: hang })],
    ['the chunks of a stream', async () => new Response(new ReadableStream({ pull: hang, cancel: hang }))],
  ])('a call ends at its timeout and when it is aborted, while %s never comes', async (_, fetch) => {
    // The types forbid what is not a response.
    const client = new Client({ baseUrl: 'https://service.example', token: 'ada', fetch: fetch as Fetch })
    await expect(client.relationships.list({ timeout: 20 })).rejects.toThrow('no response within 20 ms')
    const control = new AbortController()
    const outcome = client.relationships.list({ signal: control.signal }).catch((reason) => reason)
    await Promise.resolve()
    control.abort('enough')
    expect(await outcome).toBe('enough')
  })
})
