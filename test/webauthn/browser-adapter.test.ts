import { isWebAuthnError } from 'rapport-sdk'
import { browserWebAuthn, passkeySupport } from 'rapport-sdk/webauthn'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { deferred } from '../deferred'
import { expectNoUnhandledRejections } from '../left-behind'
import { reasonOf, rejectionOf } from '../transport/rejection'

/** A ceremony of the platform: it settles when a test says so, or is aborted by its signal. */
interface PlatformCeremony {
  readonly mediation: string | undefined
  readonly signal: AbortSignal
  readonly resolve: (credential: object | null) => void
  readonly reject: (error: unknown) => void
}

const ceremonies: PlatformCeremony[] = []
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

expectNoUnhandledRejections()

beforeEach(() => {
  ceremonies.length = 0
  const get = ({ mediation, signal }: { mediation?: string; signal: AbortSignal }) =>
    new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason))
      ceremonies.push({ mediation, signal, resolve, reject })
    })
  vi.stubGlobal('PublicKeyCredential', Object.assign(class {}, { isConditionalMediationAvailable: async () => true }))
  vi.stubGlobal('document', { querySelectorAll: () => [{}] })
  vi.stubGlobal('location', { hostname: 'service.example' })
  vi.stubGlobal('navigator', { credentials: { get } })
})

afterEach(() => {
  vi.unstubAllGlobals()
})

const waitForCeremonies = (count: number) => vi.waitFor(() => expect(ceremonies).toHaveLength(count))

/** Returns the error of a ceremony that the platform rejects with `error`. */
async function errorFor(error: unknown) {
  const ceremony = rejectionOf(browserWebAuthn.get(options, {}), isWebAuthnError)
  await waitForCeremonies(1)
  ceremonies.pop()?.reject(error)
  const { reason, message, cause } = await ceremony
  return { reason, message, cause }
}

describe('browserWebAuthn', () => {
  it('a page in an iframe without permission has no ceremony, which is unsupported and not cancelled', async () => {
    const allowsFeature = vi.fn(() => false)
    vi.stubGlobal('document', { querySelectorAll: () => [{}], featurePolicy: { allowsFeature } })
    for (const autofill of [false, true]) {
      const { reason, message } = await rejectionOf(browserWebAuthn.get(options, { autofill }), isWebAuthnError)
      expect([reason, message]).toEqual(['unsupported', expect.stringContaining('publickey-credentials-get')])
    }
    expect(allowsFeature).toHaveBeenCalledWith('publickey-credentials-get')
    expect(ceremonies).toHaveLength(0)
    expect(await passkeySupport()).toMatchObject({ webauthn: false })
  })

  it('the error of WebKit in an iframe without permission is unsupported', async () => {
    const message = 'The origin of the document is not the same as its ancestors.'
    expect(await errorFor(new DOMException(message, 'NotAllowedError'))).toMatchObject({ reason: 'unsupported' })
  })

  it('the browser adapter returns the credential in its JSON form', async () => {
    const ceremony = browserWebAuthn.get(options, {})
    await waitForCeremonies(1)
    ceremonies[0]?.resolve(credential)
    expect(await ceremony).toEqual({
      id: 'AQID',
      rawId: 'AQID',
      type: 'public-key',
      response: { authenticatorData: 'AQID', clientDataJSON: 'AQID', signature: 'AQID', userHandle: undefined },
      clientExtensionResults: {},
      authenticatorAttachment: 'platform',
    })
    expect(ceremonies[0]?.mediation).toBeUndefined()
  })

  it('the browser adapter classifies errors and keeps the error of the platform as cause', async () => {
    const thrown = (name: string) => new DOMException('the message of the browser', name)
    const reasons: string[] = []
    for (const name of ['NotAllowedError', 'AbortError', 'SecurityError', 'UnknownError', 'DataError']) {
      const { reason, message, cause } = await errorFor(thrown(name))
      expect(message).not.toContain('the message of the browser')
      expect(cause).toBeInstanceOf(Error)
      reasons.push(reason)
    }
    expect(reasons).toEqual(['cancelled', 'cancelled', 'wrong_domain', 'failed', 'failed'])
    for (const error of [null, {}]) expect((await errorFor(error)).reason).toBe('failed')
  })

  it.each([
    ['NotAllowedError', 'The WebAuthn ceremony was cancelled, timed out, or found no matching credential.'],
    ['AbortError', 'The WebAuthn ceremony was cancelled.'],
    ['SecurityError', 'The credential belongs to another domain.'],
    ['UnknownError', 'The WebAuthn ceremony failed.'],
  ])('the browser adapter explains a %s', async (name, message) => {
    expect((await errorFor(new DOMException('from the browser', name))).message).toBe(message)
  })

  it('the browser adapter explains a domain on which WebAuthn does not work', async () => {
    vi.stubGlobal('location', { hostname: '127.0.0.1' })
    const { reason, message } = await errorFor(new DOMException('from the browser', 'SecurityError'))
    expect([reason, message]).toEqual(['wrong_domain', 'WebAuthn does not work on this domain.'])
  })

  it('the browser adapter explains that autofill needs an input on the page', async () => {
    vi.stubGlobal('document', { querySelectorAll: () => [] })
    const { reason, message } = await rejectionOf(browserWebAuthn.get(options, { autofill: true }), isWebAuthnError)
    expect([reason, message]).toEqual([
      'failed',
      'Autofill needs an <input> on the page whose `autocomplete` ends in "webauthn".',
    ])
  })

  it('the browser adapter throws an error if the platform returns no credential', async () => {
    const ceremony = rejectionOf(browserWebAuthn.get(options, {}), isWebAuthnError)
    await waitForCeremonies(1)
    ceremonies[0]?.resolve(null)
    expect(await ceremony).toMatchObject({
      reason: 'no_credential',
      message: 'The WebAuthn ceremony returned no credential.',
    })
  })

  it('the browser adapter ends a pending autofill before a dialog and says why', async () => {
    const autofill = rejectionOf(browserWebAuthn.get(options, { autofill: true }), isWebAuthnError)
    await waitForCeremonies(1)
    const dialog = browserWebAuthn.get(options, {})
    const { reason, message } = await autofill
    expect([reason, message]).toEqual(['cancelled', expect.stringContaining('Another WebAuthn ceremony')])
    await waitForCeremonies(2)
    ceremonies[1]?.resolve(credential)
    expect(await dialog).toHaveProperty('id', 'AQID')
    expect(ceremonies.map(({ mediation }) => mediation)).toEqual(['conditional', undefined])
  })

  it('the browser adapter starts no ceremony if its signal is already aborted', async () => {
    const reason = new Error('closed')
    const signal = AbortSignal.abort(reason)
    expect(await reasonOf(browserWebAuthn.get(options, { signal }))).toBe(reason)
    expect(await reasonOf(browserWebAuthn.get(options, { signal, autofill: true }))).toBe(reason)
    expect(ceremonies).toEqual([])
  })

  it('the browser adapter leaves no listener on the signal', async () => {
    const { signal } = new AbortController()
    const added = vi.spyOn(signal, 'addEventListener')
    const removed = vi.spyOn(signal, 'removeEventListener')
    const ceremony = browserWebAuthn.get(options, { signal })
    await waitForCeremonies(1)
    ceremonies[0]?.resolve(credential)
    await ceremony
    expect(added).toHaveBeenCalledTimes(1)
    expect(removed.mock.calls[0]?.slice(0, 2)).toEqual(added.mock.calls[0]?.slice(0, 2))
  })

  it('aborting the signal of a completed ceremony does not affect the next', async () => {
    const control = new AbortController()
    const first = browserWebAuthn.get(options, { signal: control.signal })
    await waitForCeremonies(1)
    ceremonies[0]?.resolve(credential)
    await first
    const second = browserWebAuthn.get(options, {})
    await waitForCeremonies(2)
    control.abort()
    ceremonies[1]?.resolve(credential)
    expect(await second).toHaveProperty('id', 'AQID')
  })

  it('autofill is rejected while a dialog is open and starts once it is closed', async () => {
    const dialog = rejectionOf(browserWebAuthn.get(options, {}), isWebAuthnError)
    await waitForCeremonies(1)
    const rejected = await rejectionOf(browserWebAuthn.get(options, { autofill: true }), isWebAuthnError)
    expect([rejected.reason, ceremonies.length]).toEqual(['cancelled', 1])
    expect(rejected.message).toBe('Autofill is not available while the dialog of another WebAuthn ceremony is open.')
    ceremonies[0]?.reject(new DOMException('', 'NotAllowedError'))
    await dialog
    const autofill = browserWebAuthn.get(options, { autofill: true })
    await waitForCeremonies(2)
    ceremonies[1]?.resolve(credential)
    expect(await autofill).toHaveProperty('id', 'AQID')
  })

  it('the browser adapter says that a platform without WebAuthn needs its own adapter', async () => {
    vi.stubGlobal('PublicKeyCredential', undefined)
    const { reason, message } = await rejectionOf(browserWebAuthn.get(options, {}), isWebAuthnError)
    expect([reason, message]).toEqual([
      'unsupported',
      'WebAuthn is not available here. Pass a `webauthn` adapter for your platform to the client.',
    ])
  })

  it('a browser without passkeys in autofill rejects autofill and still opens a dialog', async () => {
    vi.stubGlobal('PublicKeyCredential', class {})
    const { reason, message } = await rejectionOf(browserWebAuthn.get(options, { autofill: true }), isWebAuthnError)
    expect([reason, message]).toEqual(['unsupported', 'This browser does not offer passkeys in autofill.'])
    const dialog = browserWebAuthn.get(options, { autofill: false })
    await waitForCeremonies(1)
    ceremonies[0]?.resolve(credential)
    expect(await dialog).toHaveProperty('id', 'AQID')
  })

  it.each([false, true])('aborting the signal ends the ceremony of the browser (autofill: %s)', async (autofill) => {
    const control = new AbortController()
    const reason = new Error('closed')
    const ceremony = reasonOf(browserWebAuthn.get(options, { signal: control.signal, autofill }))
    await waitForCeremonies(1)
    expect(ceremonies[0]?.signal.aborted).toBe(false)
    control.abort(reason)
    expect(await ceremony).toBe(reason)
    expect(ceremonies[0]?.signal.aborted).toBe(true)
  })

  it('a signal that aborts before the dialog opens prevents it and does not block the next one', async () => {
    const control = new AbortController()
    const reason = new Error('closed')
    const first = reasonOf(browserWebAuthn.get(options, { signal: control.signal }))
    control.abort(reason)
    expect(await first).toBe(reason)
    const second = browserWebAuthn.get(options, {})
    await waitForCeremonies(1)
    ceremonies[0]?.resolve(credential)
    expect(await second).toHaveProperty('id', 'AQID')
  })

  it('a new dialog replaces an open one, which says so', async () => {
    const first = rejectionOf(browserWebAuthn.get(options, {}), isWebAuthnError)
    await waitForCeremonies(1)
    const second = browserWebAuthn.get(options, {})
    const { reason, message } = await first
    expect([reason, message]).toEqual(['cancelled', 'Another WebAuthn ceremony on this page replaced this one.'])
    await waitForCeremonies(2)
    const autofill = browserWebAuthn.get(options, { autofill: true })
    expect((await rejectionOf(autofill, isWebAuthnError)).message).toContain('the dialog of another WebAuthn ceremony')
    ceremonies[1]?.resolve(credential)
    expect(await second).toHaveProperty('id', 'AQID')
  })

  it('a new autofill replaces a pending one', async () => {
    const first = rejectionOf(browserWebAuthn.get(options, { autofill: true }), isWebAuthnError)
    await waitForCeremonies(1)
    const second = browserWebAuthn.get(options, { autofill: true })
    expect((await first).message).toBe('Another WebAuthn ceremony on this page replaced this one.')
    await waitForCeremonies(2)
    ceremonies[1]?.resolve(credential)
    expect(await second).toHaveProperty('id', 'AQID')
  })

  it('aborting the signal of a replaced ceremony does not end the one that replaced it', async () => {
    const control = new AbortController()
    // This platform takes a while to end a ceremony, so both are open.
    const ended = deferred<never>()
    const get = vi.spyOn(navigator.credentials, 'get').mockImplementationOnce(() => ended.promise)
    const first = reasonOf(browserWebAuthn.get(options, { signal: control.signal }))
    await vi.waitFor(() => expect(get).toHaveBeenCalledTimes(1))
    const second = browserWebAuthn.get(options, {})
    await waitForCeremonies(1)
    control.abort(new Error('closed'))
    ended.reject(new DOMException('', 'AbortError'))
    await first
    expect(ceremonies[0]?.signal.aborted).toBe(false)
    ceremonies[0]?.resolve(credential)
    expect(await second).toHaveProperty('id', 'AQID')
  })

  it('a replaced ceremony that failed for its own reason reports that reason', async () => {
    const failed = deferred<never>()
    const get = vi.spyOn(navigator.credentials, 'get').mockImplementationOnce(() => failed.promise)
    const first = rejectionOf(browserWebAuthn.get(options, {}), isWebAuthnError)
    await vi.waitFor(() => expect(get).toHaveBeenCalledTimes(1))
    const second = browserWebAuthn.get(options, {})
    await waitForCeremonies(1)
    failed.reject(new DOMException('', 'DataError'))
    expect(await first).toMatchObject({ reason: 'failed', message: 'The WebAuthn ceremony failed.' })
    ceremonies[0]?.resolve(credential)
    expect(await second).toHaveProperty('id', 'AQID')
  })

  it('a dialog requested while autofill starts is not aborted by it', async () => {
    const check = vi.fn(() => new Promise<boolean>((resolve) => setTimeout(resolve, 10, true)))
    vi.stubGlobal('PublicKeyCredential', Object.assign(class {}, { isConditionalMediationAvailable: check }))
    const autofill = rejectionOf(browserWebAuthn.get(options, { autofill: true }), isWebAuthnError)
    await vi.waitFor(() => expect(check.mock.calls.length).toBeGreaterThan(1), { interval: 1 })
    const dialog = browserWebAuthn.get(options, {})
    expect(await autofill).toMatchObject({ reason: 'cancelled' })
    await waitForCeremonies(2)
    ceremonies[1]?.resolve(credential)
    expect(await dialog).toHaveProperty('id', 'AQID')
  })

  it('autofill that fails while it starts rejects once and causes no unhandled rejection', async () => {
    let checks = 0
    const check = () => new Promise<boolean>((resolve) => setTimeout(resolve, 10 * checks++, true))
    vi.stubGlobal('PublicKeyCredential', Object.assign(class {}, { isConditionalMediationAvailable: check }))
    vi.stubGlobal('document', { querySelectorAll: () => [] })
    const { reason } = await rejectionOf(browserWebAuthn.get(options, { autofill: true }), isWebAuthnError)
    expect(reason).toBe('failed')
  })
})
