import { type Issue, issueAt } from '../contract/issue'
import { BACKOFF_OPTIONS, GATEWAY_OPTIONS, optionIssues, PROTOCOL } from '../transport/option-checks'
import { addressProblem } from './address'
import { defaultGatewayProtocol } from './default-protocol'
import type { GatewayBackoffOptions, GatewayOptions } from './options'

/** The options of a gateway, checked, with their defaults. */
export type GatewayConfig = NonNullable<ReturnType<typeof readGatewayOptions>>

/** Checks the options of a gateway and fills in defaults. */
export function readGatewayOptions(options: GatewayOptions | undefined, allowInsecure: boolean, issues: Issue[]) {
  if (options === undefined) return undefined
  const found = optionIssues(options, GATEWAY_OPTIONS)
  if (found.length > 0) {
    issues.push(...below('gateway', found))
    return undefined
  }
  const { protocol = defaultGatewayProtocol, WebSocket, connectOnSignIn = false } = options
  const url = readUrl(options.url, allowInsecure, issues)
  issues.push(...below('gateway', below('protocol', protocolIssues(protocol))))
  const backoff = readBackoff(options.backoff ?? {}, issues)
  return { url, allowInsecure, WebSocket, protocol, connectOnSignIn, backoff }
}

function readUrl(given: string | URL, allowInsecure: boolean, issues: Issue[]): URL {
  const url = URL.canParse(String(given)) ? new URL(given) : undefined
  const problem =
    url === undefined
      ? 'expected the absolute URL of the Gateway, such as "wss://gateway.service.example"'
      : addressProblem(url, allowInsecure)
  if (problem !== undefined) issues.push(issueAt(['gateway', 'url'], 'invalid_value', problem))
  return url ?? new URL('wss://invalid.example')
}

/** What a protocol lacks. It may be an instance of a class, so what else it has is its own affair. */
function protocolIssues(protocol: object): Issue[] {
  const known = Object.keys(PROTOCOL).map((name) => [name, Reflect.get(protocol, name) ?? null])
  return optionIssues(Object.fromEntries(known), PROTOCOL)
}

function readBackoff(given: GatewayBackoffOptions, issues: Issue[]): Required<GatewayBackoffOptions> {
  const found = optionIssues(given, BACKOFF_OPTIONS)
  const { firstMs = 100, baseMs = 1_000, maxMs = 60_000, stableMs = 30_000 } = given
  const backoff = { firstMs, baseMs, maxMs, stableMs }
  for (const [name, value] of Object.entries(backoff)) {
    if (!(Number.isFinite(value) && value >= 0))
      found.push(issueAt([name], 'invalid_value', 'expected a finite number, 0 or more'))
  }
  issues.push(...below('gateway', below('backoff', found)))
  return backoff
}

function below(name: string, issues: readonly Issue[]): Issue[] {
  return issues.map(({ path, ...rest }) => ({ ...rest, path: [name, ...path] }))
}
