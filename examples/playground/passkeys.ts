import type { WebAuthnAdapter } from 'rapport-sdk'
import { browserWebAuthn } from 'rapport-sdk/webauthn'
import type { World } from './world'

/** Source of a passkey: simulated by the mock, or the device that shows the page. */
export type PasskeySource = 'simulated' | 'device'

/** Ada's passkeys. */
export interface Passkeys {
  /** The WebAuthn adapter of the client. */
  readonly adapter: WebAuthnAdapter
  /** Sets the source for the next prompts. */
  use(source: PasskeySource): void
}

export function createPasskeys({ service, ada }: World): Passkeys {
  let source: PasskeySource = 'simulated'
  return {
    adapter: {
      async get(options, request) {
        if (source === 'device') return browserWebAuthn.get(options, request)
        return service.users.passkey(ada, options)
      },
    },
    use(next) {
      source = next
    },
  }
}
