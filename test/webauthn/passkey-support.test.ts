import { passkeySupport } from 'rapport-sdk/webauthn'
import { afterEach, describe, expect, it, vi } from 'vitest'

afterEach(() => {
  vi.unstubAllGlobals()
})

/** A browser's `PublicKeyCredential`, with what it answers. */
function stubPlatform(answers: object): void {
  vi.stubGlobal('PublicKeyCredential', Object.assign(class {}, answers))
}

const nothing = { webauthn: false, platform: false, autofill: false }

describe('what a platform can do with passkeys', () => {
  it('passkey support is nothing outside browsers', async () => {
    expect(await passkeySupport()).toEqual(nothing)
  })

  it('passkey support is what the browser reports', async () => {
    const yes = async () => true
    const no = async () => false
    stubPlatform({ isUserVerifyingPlatformAuthenticatorAvailable: yes, isConditionalMediationAvailable: no })
    expect(await passkeySupport()).toEqual({ webauthn: true, platform: true, autofill: false })
    stubPlatform({ isUserVerifyingPlatformAuthenticatorAvailable: no, isConditionalMediationAvailable: yes })
    expect(await passkeySupport()).toEqual({ webauthn: true, platform: false, autofill: true })
  })

  it('passkey support is only ceremonies if a browser is old or fails to answer', async () => {
    stubPlatform({})
    expect(await passkeySupport()).toEqual({ ...nothing, webauthn: true })
    const broken = () => Promise.reject(new Error('broken'))
    const throwing = () => {
      throw new Error('broken')
    }
    stubPlatform({ isUserVerifyingPlatformAuthenticatorAvailable: broken, isConditionalMediationAvailable: throwing })
    expect(await passkeySupport()).toEqual({ ...nothing, webauthn: true })
    stubPlatform({ isUserVerifyingPlatformAuthenticatorAvailable: async () => 'yes' })
    expect(await passkeySupport()).toEqual({ ...nothing, webauthn: true })
  })

  it('passkey support is nothing if the WebAuthn globals are something else', async () => {
    vi.stubGlobal('PublicKeyCredential', { isConditionalMediationAvailable: async () => true })
    expect((await passkeySupport()).webauthn).toBe(false)
  })
})
