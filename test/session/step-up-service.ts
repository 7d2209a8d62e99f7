import { setImmediate as turn } from 'node:timers/promises'
import type { Client } from 'rapport-sdk'
import { json, mfaRequired } from '../transport/answers'
import { type RecordedRequest, type ScriptedServer, serve } from '../transport/scripted-server'

export const MFA_HEADER = 'x-service-mfa-authorization'
export const CODE = '246810'

/** A service whose every call wants a second factor, with what became of it. */
export interface StepUpService {
  readonly server: ScriptedServer
  readonly url: string
  /** The requests to `/mfa/finish`. */
  finishes(): RecordedRequest[]
  /** All other requests. */
  calls(): RecordedRequest[]
  /** JWTs that are accepted. */
  readonly accepted: Set<string>
}

/** Issues `jwt-of-<token>-1`, `-2`, … for {@link CODE}, and accepts each for the account it was issued to. */
export async function stepUpService(methods?: readonly object[]): Promise<StepUpService> {
  const accepted = new Set<string>()
  let tickets = 0
  const server = await serve()
  const isFinish = ({ url }: RecordedRequest) => url === '/mfa/finish'
  server.otherwise((request) => {
    const account = request.headers.authorization ?? 'nobody'
    if (isFinish(request)) {
      const { data } = request.json() as { data: string }
      if (data !== CODE) return json(400, { code: 60008, message: 'Invalid two-factor code' })
      const jwt = `jwt-of-${account}-${accepted.size + 1}`
      accepted.add(jwt)
      return json(200, { token: jwt })
    }
    const jwt = request.headers[MFA_HEADER]
    const passes = typeof jwt === 'string' && accepted.has(jwt) && jwt.startsWith(`jwt-of-${account}-`)
    return passes ? json(200, []) : mfaRequired(`ticket-${++tickets}`, methods)
  })
  return {
    server,
    url: server.url,
    accepted,
    finishes: () => server.requests.filter(isFinish),
    calls: () => server.requests.filter((request) => !isFinish(request)),
  }
}

/** Resolves when so many calls of a client wait for a prompt. */
export async function waiting(client: Client, count: number): Promise<void> {
  await new Promise<void>((resolve) => {
    let asked = 0
    client.on('mfaRequired', () => {
      if (++asked === count) resolve()
    })
  })
  await turn()
}

/** A promise with its ends in hand. */
export function deferred<T>(): { promise: Promise<T>; resolve: (value: T) => void; reject: (reason: unknown) => void } {
  let resolve: (value: T) => void = () => {}
  let reject: (reason: unknown) => void = () => {}
  const promise = new Promise<T>((onValue, onReason) => {
    resolve = onValue
    reject = onReason
  })
  return { promise, resolve, reject }
}
