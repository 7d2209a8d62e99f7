import { isWebAuthnError } from 'rapport-sdk'
import { browserWebAuthn } from 'rapport-sdk/webauthn'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { reasonOf, rejectionOf } from '../transport/rejection'

/** A ceremony that the platform was asked for: it ends when a test says so, or with its signal. */
interface Asked {
  readonly mediation: string | undefined
  readonly resolve: (credential: object | null) => void
  readonly reject: (error: unknown) => void
}

const asked: Asked[] = []
const options = { challenge: 'Y2hhbGxlbmdl', rpId: 'service.example' }
const bytes = new Uint8Array([1, 2, 3]).buffer
const credential = {
  id: 'AQID',
  rawId: bytes,
  type: 'public-key',
  response: { authenticatorData: bytes, clientDataJSON: bytes, signature: bytes, userHandle: null },
  getClientExtensionResults: () => ({}),
  authenticatorAttachment: 'platform',
}

beforeEach(() => {
  asked.length = 0
  const get = ({ mediation, signal }: { mediation?: string; signal: AbortSignal }) =>
    new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason))
      asked.push({ mediation, resolve, reject })
    })
  vi.stubGlobal('PublicKeyCredential', Object.assign(class {}, { isConditionalMediationAvailable: async () => true }))
  vi.stubGlobal('document', { querySelectorAll: () => [{}] })
  vi.stubGlobal('location', { hostname: 'service.example' })
  vi.stubGlobal('navigator', { credentials: { get } })
})

afterEach(() => {
  vi.unstubAllGlobals()
})

const untilAsked = (count: number) => vi.waitFor(() => expect(asked).toHaveLength(count))

/** How a ceremony fails that the platform ends with `error`. */
async function failure(error: unknown) {
  const ceremony = rejectionOf(browserWebAuthn.get(options, {}), isWebAuthnError)
  await untilAsked(1)
  asked.pop()?.reject(error)
  const { reason, message, cause } = await ceremony
  return { reason, message, cause }
}

describe('the adapter for browsers', () => {
  it('the browser adapter returns the credential in its JSON form', async () => {
    const ceremony = browserWebAuthn.get(options, {})
    await untilAsked(1)
    asked[0]?.resolve(credential)
    expect(await ceremony).toEqual({
      id: 'AQID',
      rawId: 'AQID',
      type: 'public-key',
      response: { authenticatorData: 'AQID', clientDataJSON: 'AQID', signature: 'AQID', userHandle: undefined },
      clientExtensionResults: {},
      authenticatorAttachment: 'platform',
    })
    expect(asked[0]?.mediation).toBeUndefined()
  })

  it('the browser adapter classifies failures and keeps the error of the platform as cause', async () => {
    const thrown = (name: string) => new DOMException('the words of the browser', name)
    const reasons: string[] = []
    for (const name of ['NotAllowedError', 'AbortError', 'SecurityError', 'UnknownError', 'DataError']) {
      const { reason, message, cause } = await failure(thrown(name))
      expect(message).not.toContain('the words of the browser')
      expect(cause).toBeInstanceOf(Error)
      reasons.push(reason)
    }
    expect(reasons).toEqual(['cancelled', 'cancelled', 'wrong_domain', 'failed', 'failed'])
    expect((await failure(null)).reason).toBe('failed')
  })

  it('the browser adapter throws an error if the platform returns no credential', async () => {
    const ceremony = rejectionOf(browserWebAuthn.get(options, {}), isWebAuthnError)
    await untilAsked(1)
    asked[0]?.resolve(null)
    expect((await ceremony).reason).toBe('no_credential')
  })

  it('the browser adapter ends a pending autofill before a dialog and says why', async () => {
    const autofill = rejectionOf(browserWebAuthn.get(options, { autofill: true }), isWebAuthnError)
    await untilAsked(1)
    const dialog = browserWebAuthn.get(options, {})
    const { reason, message } = await autofill
    expect([reason, message]).toEqual(['cancelled', expect.stringContaining('Another WebAuthn ceremony')])
    await untilAsked(2)
    asked[1]?.resolve(credential)
    expect(await dialog).toHaveProperty('id', 'AQID')
    expect(asked.map(({ mediation }) => mediation)).toEqual(['conditional', undefined])
  })

  it('the browser adapter starts nothing once its signal is aborted', async () => {
    const reason = new Error('closed')
    const signal = AbortSignal.abort(reason)
    expect(await reasonOf(browserWebAuthn.get(options, { signal }))).toBe(reason)
    expect(await reasonOf(browserWebAuthn.get(options, { signal, autofill: true }))).toBe(reason)
    expect(asked).toEqual([])
  })

  it('the browser adapter leaves no listener on the signal', async () => {
    const { signal } = new AbortController()
    const added = vi.spyOn(signal, 'addEventListener')
    const removed = vi.spyOn(signal, 'removeEventListener')
    const ceremony = browserWebAuthn.get(options, { signal })
    await untilAsked(1)
    asked[0]?.resolve(credential)
    await ceremony
    expect(added).toHaveBeenCalledTimes(1)
    expect(removed.mock.calls[0]?.[1]).toBe(added.mock.calls[0]?.[1])
  })

  it('the end of one ceremony does not affect the next', async () => {
    const control = new AbortController()
    const first = browserWebAuthn.get(options, { signal: control.signal })
    await untilAsked(1)
    asked[0]?.resolve(credential)
    await first
    const second = browserWebAuthn.get(options, {})
    await untilAsked(2)
    control.abort()
    asked[1]?.resolve(credential)
    expect(await second).toHaveProperty('id', 'AQID')
  })

  it('autofill starts again once the dialog is closed', async () => {
    const dialog = rejectionOf(browserWebAuthn.get(options, {}), isWebAuthnError)
    await untilAsked(1)
    const refused = await rejectionOf(browserWebAuthn.get(options, { autofill: true }), isWebAuthnError)
    expect([refused.reason, asked.length]).toEqual(['cancelled', 1])
    asked[0]?.reject(new DOMException('', 'NotAllowedError'))
    await dialog
    const autofill = browserWebAuthn.get(options, { autofill: true })
    await untilAsked(2)
    asked[1]?.resolve(credential)
    expect(await autofill).toHaveProperty('id', 'AQID')
  })
})
