import { PassThrough } from 'node:stream'
import { Client, type Fetch, type FetchResponse } from 'rapport-sdk'
import { describe, expect, it, vi } from 'vitest'

describe('a custom fetch that does not follow its signal', () => {
  /** Returns a client whose fetch ignores its signal, and resolves to the response once `arrive` is called. */
  function setUp(body: FetchResponse['body']) {
    let arrive = () => {}
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve
    })
    const ignoreSignal: Fetch = async () => {
      await arrived
      return { status: 200, headers: new Headers(), body, arrayBuffer: async () => new ArrayBuffer(0) }
    }
    return { client: new Client({ baseUrl: 'https://service.example', token: 'ada', fetch: ignoreSignal }), arrive }
  }

  const streams = {
    'a web stream': () => {
      const cancel = vi.fn()
      return { body: new ReadableStream<Uint8Array>({ cancel }), isCancelled: () => cancel.mock.calls.length === 1 }
    },
    'a Node stream': () => {
      const body = new PassThrough()
      return { body, isCancelled: () => body.destroyed }
    },
  }

  it.each(Object.entries(streams))('an abort cancels a body that is %s', async (_, open) => {
    const { body, isCancelled } = open()
    const { client, arrive } = setUp(body)
    const control = new AbortController()
    const outcome = client.relationships.list({ signal: control.signal }).catch((reason) => reason)
    arrive()
    await new Promise((resolve) => setTimeout(resolve, 10))
    expect(isCancelled()).toBe(false)
    control.abort('enough')
    expect(await outcome).toBe('enough')
    await vi.waitFor(() => expect(isCancelled()).toBe(true))
  })

  it.each(Object.entries(streams))('%s that arrives after an abort is cancelled', async (_, open) => {
    const { body, isCancelled } = open()
    const { client, arrive } = setUp(body)
    const control = new AbortController()
    const outcome = client.relationships.list({ signal: control.signal }).catch((reason) => reason)
    await new Promise((resolve) => setTimeout(resolve, 10))
    control.abort('enough')
    expect(await outcome).toBe('enough')
    arrive()
    await vi.waitFor(() => expect(isCancelled()).toBe(true))
  })
})
