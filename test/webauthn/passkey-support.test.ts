import { passkeySupport } from 'rapport-sdk/webauthn'
import { afterEach, expect, it, vi } from 'vitest'

afterEach(() => {
  vi.unstubAllGlobals()
})

/** Stubs `PublicKeyCredential` with these static methods. */
function stubPlatform(methods: object): void {
  vi.stubGlobal('PublicKeyCredential', Object.assign(class {}, methods))
}

const unsupported = { webauthn: false, platform: false, autofill: false }

it('passkeySupport() reports no support outside browsers', async () => {
  expect(await passkeySupport()).toEqual(unsupported)
})

it('passkeySupport() returns what the browser reports', async () => {
  const yes = async () => true
  const no = async () => false
  stubPlatform({ isUserVerifyingPlatformAuthenticatorAvailable: yes, isConditionalMediationAvailable: no })
  expect(await passkeySupport()).toEqual({ webauthn: true, platform: true, autofill: false })
  stubPlatform({ isUserVerifyingPlatformAuthenticatorAvailable: no, isConditionalMediationAvailable: yes })
  expect(await passkeySupport()).toEqual({ webauthn: true, platform: false, autofill: true })
})

it('passkeySupport() reports only WebAuthn if the browser is old or its methods fail', async () => {
  stubPlatform({})
  expect(await passkeySupport()).toEqual({ ...unsupported, webauthn: true })
  const rejecting = () => Promise.reject(new Error('broken'))
  const throwing = () => {
    throw new Error('broken')
  }
  stubPlatform({
    isUserVerifyingPlatformAuthenticatorAvailable: rejecting,
    isConditionalMediationAvailable: throwing,
  })
  expect(await passkeySupport()).toEqual({ ...unsupported, webauthn: true })
  stubPlatform({ isUserVerifyingPlatformAuthenticatorAvailable: async () => 'yes' })
  expect(await passkeySupport()).toEqual({ ...unsupported, webauthn: true })
})

it('passkeySupport() reports no support if the platform throws when asked', async () => {
  Object.defineProperty(globalThis, 'PublicKeyCredential', {
    configurable: true,
    get() {
      throw new Error('forbidden')
    },
  })
  expect(await passkeySupport()).toEqual(unsupported)
  Reflect.deleteProperty(globalThis, 'PublicKeyCredential')
})

it('passkeySupport() reports no support if PublicKeyCredential is not a class', async () => {
  vi.stubGlobal('PublicKeyCredential', { isConditionalMediationAvailable: async () => true })
  expect((await passkeySupport()).webauthn).toBe(false)
})
