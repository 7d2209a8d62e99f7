import type { MfaAnswer, MfaChallenge } from 'rapport-sdk'
import type { PasskeyPlace, Passkeys } from './passkeys'

/** A second factor as the dialog offers it. */
export interface Factor {
  readonly name: string
  readonly type: string
  readonly label: string
  /** Whether there is a code to type in. */
  readonly hasCode: boolean
  answer(code: string): Promise<MfaAnswer>
}

const LABELS = { totp: 'Authenticator app', sms: 'SMS', backup: 'Backup code' } as const

/** What a challenge accepts, in the order in which to offer it. */
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
    ...(challenge.allows('webauthn') ? places(passkeys).map((place) => passkey(challenge, passkeys, place)) : []),
  ]
}

function places({ isRegistered }: Passkeys): PasskeyPlace[] {
  return isRegistered ? ['device', 'simulated'] : ['simulated']
}

function passkey(challenge: MfaChallenge, passkeys: Passkeys, place: PasskeyPlace): Factor {
  return {
    name: place,
    type: 'webauthn',
    label: place === 'device' ? 'Passkey of this device' : 'Simulated passkey',
    hasCode: false,
    answer() {
      passkeys.use(place)
      return challenge.webauthn()
    },
  }
}
