import { Client, type ClientOptions, isRequestValidationError } from 'rapport-sdk'
import { describe, expect, it } from 'vitest'
import { pathsOf } from '../transport/rejection'

const url = 'wss://gateway.example'

/** Returns the paths and the message of the error that the constructor throws. */
function rejectedOptions(gateway: unknown, options: Partial<ClientOptions> = {}): { paths: string[]; message: string } {
  try {
    new Client({ baseUrl: 'https://service.example', ...options, gateway } as ClientOptions)
  } catch (error) {
    expect(error).toSatisfy(isRequestValidationError)
    return { paths: pathsOf(error as Parameters<typeof pathsOf>[0]), message: String(error) }
  }
  return { paths: [], message: '' }
}

describe('gateway options', () => {
  it.each([null, 5, 'wss://gateway.example', true])('must be an object, not %j', (gateway) => {
    expect(rejectedOptions(gateway).paths).toEqual(['gateway'])
  })

  it.each([{}, { url: '' }, { url: 'gateway.example' }, { url: '/ws' }, { url: 5 }, { url: null }])(
    'are rejected without a url: %j',
    (gateway) => {
      const { paths, message } = rejectedOptions(gateway)
      expect(paths).toEqual(['gateway.url'])
      expect(message).toContain('expected the absolute URL of the Gateway, such as "wss://gateway.service.example"')
    },
  )

  it.each([
    ['https://gateway.example', 'expected wss or ws'],
    ['ftp://gateway.example', 'expected wss or ws'],
    ['ws://gateway.example', 'ws exposes tokens and passwords to the network'],
    ['ws://127.0.0.1.evil.example', 'ws exposes tokens and passwords to the network'],
    ['wss://ada@gateway.example', 'must not contain a user name or a password'],
    ['wss://ada:secret@gateway.example', 'must not contain a user name or a password'],
    ['wss://gateway.example/#part', 'must not contain a fragment'],
    ['wss://gateway.example/#', 'must not contain a fragment'],
  ])('reject the url %s without quoting it', (address, why) => {
    const { paths, message } = rejectedOptions({ url: address })
    expect(paths).toEqual(['gateway.url'])
    expect(message).toContain(why)
    expect(message).not.toContain('secret')
  })

  it.each([
    'wss://gateway.example',
    new URL('wss://gateway.example/path?v=1'),
    'ws://localhost:8080',
    'ws://127.0.0.1',
    'ws://[::1]:3000/?v=1',
  ])('accept the url %s', (address) => {
    expect(rejectedOptions({ url: address }).paths).toEqual([])
  })

  it('allowInsecureHttp accepts a ws url to any host', () => {
    expect(rejectedOptions({ url: 'ws://gateway.example' }, { allowInsecureHttp: true }).paths).toEqual([])
  })

  it.each([
    [{ WebSocket: {} }, 'gateway.WebSocket'],
    [{ protocol: 'json' }, 'gateway.protocol'],
    [{ connectOnSignIn: 'yes' }, 'gateway.connectOnSignIn'],
    [{ backoff: 5 }, 'gateway.backoff'],
    [{ backoff: { initialDelay: -1 } }, 'gateway.backoff.initialDelay'],
    [{ backoff: { baseDelay: '5' } }, 'gateway.backoff.baseDelay'],
    [{ backoff: { maxDelay: Number.NaN } }, 'gateway.backoff.maxDelay'],
    [{ backoff: { first: 5 } }, 'gateway.backoff.first'],
    [{ backof: {} }, 'gateway.backof'],
  ])('reject %o', (options, path) => {
    expect(rejectedOptions({ url, ...options }).paths).toEqual([path])
  })

  it('can all be undefined', () => {
    const options = {
      WebSocket: undefined,
      protocol: undefined,
      connectOnSignIn: undefined,
      backoff: undefined,
    }
    expect(rejectedOptions({ url, ...options }).paths).toEqual([])
    expect(rejectedOptions({ url, backoff: { initialDelay: undefined } }).paths).toEqual([])
    expect(rejectedOptions(undefined).paths).toEqual([])
  })

  it('they are reported together with those of the client if they are invalid', () => {
    expect(rejectedOptions({ url: 'http://gateway.example' }, { timeout: -1 }).paths).toEqual([
      'timeout',
      'gateway.url',
    ])
  })
})
