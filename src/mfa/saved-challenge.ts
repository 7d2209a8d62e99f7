// Challenges that outlive a request: `saveChallenge` seals one, `resumeChallenge` continues it.
import { RapportError } from '../errors/base'
import { MfaFailedError, RequestValidationError } from '../errors/client-errors'
import type { Issue } from '../internal/issue'
import { parseJson } from '../internal/json'
import { anyValue, readOptions } from '../internal/options'
import { Elevation } from '../session/elevation'
import type { Transport } from '../transport/transport'
import type { MfaChallenge, SaveChallengeOptions, UnsavedChallenge } from '../types/mfa'
import { Challenge, type ChallengeSource, type MfaContext } from './challenge'
import type { flowSource, resetFlow, signInFlow } from './sign-in'
import { elevationSource } from './step-up'

/** Functions that resume the challenges of other parts, without which a client does not contain them. */
export interface ResumableFlows {
  readonly login?: typeof signInFlow
  readonly password_reset?: typeof resetFlow
  readonly flowSource?: typeof flowSource
}

/** What a sealed challenge contains. */
interface Content extends Omit<UnsavedChallenge, 'token' | 'expiresAt'> {
  /** Hash of what a client that resumes it must have too: base URL, token of a step-up, context. */
  readonly origin: string
}

/** Validates options and returns what they are used for. Loads the seal on first use: few clients save challenges. */
async function prepare({ config }: Transport, method: string, input: SaveChallengeOptions) {
  const issues: Issue[] = []
  const { keys, context } = readOptions(input, { keys: anyValue, context: anyValue }, issues)
  const { hashOf, keyRingOption, Sealer } = await import('../internal/seal')
  issues.push(...keyRingOption('keys', keys))
  if (issues.length > 0) throw new RequestValidationError(method, issues)
  return {
    sealer: new Sealer(keys, 'challenge'),
    // A sign-in has no token yet.
    originOf: (reason: MfaChallenge['reason'], token: string | null | undefined) =>
      hashOf(JSON.stringify([config.baseUrl.href, context, reason === 'elevation' && token])),
  }
}

/** Implements `challenge.save`. */
export async function saveChallenge(
  transport: Transport,
  { token, expiresAt, reason, endpoint, ticket, methods, attempt, flow }: UnsavedChallenge,
  options: SaveChallengeOptions,
): Promise<string> {
  const { sealer, originOf } = await prepare(transport, 'challenge.save', options)
  const origin = await originOf(reason, token)
  // Verify MFA Login needs neither.
  const { login, password, ...params } = Object(flow?.params)
  const kept = reason === 'login' ? { first: flow?.first, params } : flow
  const content: Content = { reason, endpoint, ticket, methods, attempt, flow: kept, origin }
  return sealer.seal(JSON.stringify(content), '', expiresAt)
}

/** Implements `client.resumeChallenge`. */
export async function resumeChallenge(
  context: MfaContext,
  flows: ResumableFlows,
  saved: string,
  options: SaveChallengeOptions,
): Promise<MfaChallenge> {
  const { transport } = context
  const { session } = transport
  const method = 'client.resumeChallenge'
  const { sealer, originOf } = await prepare(transport, method, options)
  const refuse = (problem: string) => new MfaFailedError(0, `the saved challenge ${problem}`)
  const { text, problem, expiresAt } = await sealer.open(String(saved), '')
  if (problem) throw refuse(problem)
  // It was sealed by `saveChallenge`.
  const content: Content = Object(parseJson(text))
  const { reason, ticket, flow, origin } = content
  await session.ready
  const { token } = session
  if (origin !== (await originOf(reason, token))) throw refuse('belongs to another service, account or `context`')

  const start = <T>(source: ChallengeSource<T>) => new Challenge({ ...source, resumed: { ...content, expiresAt } })
  if (reason === 'elevation') {
    const elevation = session.elevation(token) ?? new Elevation()
    const call = { ...content, token: token ?? undefined, calls: {}, secrets: () => [ticket] }
    return start(elevationSource({ ...context, elevation }, call, content))
  }
  const { params, first } = Object(flow)
  const { flowSource, login, password_reset } = flows
  if (flowSource && login && reason === 'login') return start(flowSource(context, login(transport, params), first))
  if (flowSource && password_reset && reason !== 'login')
    return start(flowSource(context, password_reset(transport, params), first))
  throw new RapportError(`${method}: this challenge needs the part \`${reason === 'login' ? 'auth' : 'recovery'}\`.`)
}
