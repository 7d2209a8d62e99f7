import type { MfaAnswer, MfaChallenge } from 'rapport-sdk'
import type { PasskeySource, Passkeys } from './passkeys'

/** A second factor that the dialog offers. */
export interface Factor {
  readonly name: string
  readonly type: string
  readonly label: string
  /** Whether the user types a code. */
  readonly hasCode: boolean
  answer(code: string): Promise<MfaAnswer>
}

const LABELS = { totp: 'Authenticator app', sms: 'SMS', backup: 'Backup code' } as const

/** Returns the factors that a challenge accepts, in the order in which the dialog shows them. */
export function factorsOf(challenge: MfaChallenge, passkeys: Passkeys): Factor[] {
  const codes = (['totp', 'sms', 'backup'] as const).filter((type) => challenge.allows(type))
  return [
    ...codes.map((type) => ({
      name: type,
      type,
      label: LABELS[type],
      hasCode: true,
      answer: async (code: string): Promise<MfaAnswer> => ({ type, code }),
    })),
    ...(challenge.allows('webauthn')
      ? passkeySources(passkeys).map((source) => passkeyFactor(challenge, passkeys, source))
      : []),
  ]
}

function passkeySources({ isRegistered }: Passkeys): PasskeySource[] {
  return isRegistered ? ['device', 'simulated'] : ['simulated']
}

function passkeyFactor(challenge: MfaChallenge, passkeys: Passkeys, source: PasskeySource): Factor {
  return {
    name: source,
    type: 'webauthn',
    label: source === 'device' ? 'Passkey of this device' : 'Simulated passkey',
    hasCode: false,
    answer() {
      passkeys.use(source)
      return challenge.webauthn()
    },
  }
}
