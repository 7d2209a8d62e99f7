import { type Issue, issueAt } from '../contract/issue'
import {
  aBoolean,
  aFunction,
  aLimit,
  anObject,
  anything,
  type Checks,
  optionIssues,
  takeOptions,
} from '../transport/option-checks'
import { addressProblem } from './address'
import { defaultGatewayProtocol } from './default-protocol'
import { eventMapIssues } from './event-names'
import type { GatewayBackoffOptions, GatewayOptions } from './options'
import type { GatewayProtocol } from './protocol'

/** The options of a gateway, checked, with their defaults. */
export type GatewayConfig = NonNullable<ReturnType<typeof readGatewayOptions>>

/** What a protocol is made of. */
const PROTOCOL: Checks<GatewayProtocol> = {
  encode: aFunction,
  decode: aFunction,
  identify: aFunction,
  resume: aFunction,
  heartbeat: aFunction,
  classifyClose: aFunction,
  eventMap: (name, given) => [...anObject(name, given), ...eventMapIssues(name, given)],
}
const BACKOFF: Checks<GatewayBackoffOptions> = {
  firstMs: waitIssues,
  baseMs: waitIssues,
  maxMs: waitIssues,
  stableMs: waitIssues,
}

/** What the options must be, the address aside. */
const CHECKS: Checks<GatewayOptions> = {
  url: anything,
  WebSocket: aFunction,
  protocol: protocolIssues,
  connectOnSignIn: aBoolean,
  backoff: anything,
  maxFrameBytes: aLimit,
}

/** Checks the options of a gateway and fills in defaults. */
export function readGatewayOptions(options: GatewayOptions | undefined, allowInsecure: boolean, issues: Issue[]) {
  if (options === undefined) return undefined
  const found: Issue[] = []
  const { backoff = {}, url, protocol = defaultGatewayProtocol, ...rest } = takeOptions(options, CHECKS, found)
  // Of what is no object there is nothing else to tell.
  const problem = found[0]?.path.length === 0 ? undefined : addressProblem(url, allowInsecure)
  const waits = takeOptions(backoff, BACKOFF, found, ['backoff'])
  if (problem !== undefined) found.push(issueAt(['url'], 'invalid_value', problem))
  issues.push(...below('gateway', found))
  if (found.length > 0) return undefined
  const { firstMs = 100, baseMs = 1_000, maxMs = 60_000, stableMs = 30_000 } = waits
  return {
    url: new URL(url),
    allowInsecure,
    WebSocket: rest.WebSocket,
    protocol,
    connectOnSignIn: rest.connectOnSignIn ?? false,
    maxFrameBytes: rest.maxFrameBytes ?? 8 * 1024 * 1024,
    backoff: { firstMs, baseMs, maxMs, stableMs },
  }
}

/** What a protocol lacks. It may be an instance of a class, so what else it has is its own affair. */
function protocolIssues(name: string, given: unknown): Issue[] {
  const isObject = typeof given === 'object' && given !== null
  const parts = Object.keys(PROTOCOL).map((part) => [part, Reflect.get(Object(given), part) ?? null])
  return below(name, optionIssues(isObject ? Object.fromEntries(parts) : given, PROTOCOL))
}

function waitIssues(name: string, given: unknown): Issue[] {
  const isWait = Number.isFinite(given) && Number(given) >= 0
  return isWait ? [] : [issueAt([name], 'invalid_value', 'expected a finite number, 0 or more')]
}

function below(name: string, issues: readonly Issue[]): Issue[] {
  return issues.map((issue) => ({ ...issue, path: [name, ...issue.path] }))
}
