// What is written of a check: the report as text, Markdown and JSON, options of the client, a policy of the mock.
import { defaultGatewayProtocol } from '../gateway/protocol'
import { conventions } from './conventions'
import type { SeenError, ServiceFacts, ServiceReport, SkippedEndpoint } from './report'

/** How a report is written. */
export type ReportFormat = 'text' | 'markdown' | 'json'

/** Options of {@link formatReport}. */
export interface FormatOptions {
  /**
   * Whether `text` has colors, by escape sequences.
   * @default false
   */
  readonly colors?: boolean | undefined
  /** Names of the files that were written, for `json`. */
  readonly written?: readonly string[] | undefined
}

/**
 * Formats a report: `json` is `{ conventions: [{ name, status, seen? }], differences: [{ endpoint, path, kind }], written }`,
 * and can be the option `known` of a later check.
 */
export function formatReport(report: ServiceReport, format: ReportFormat, options: FormatOptions = {}): string {
  const { conventions: findings, differences, skipped, notUndone } = report
  const { colors = false, written = [] } = options
  if (format === 'json') {
    const shown = findings.map(({ name, status, seen }) => ({ name, status, seen }))
    return `${JSON.stringify({ conventions: shown, differences, written }, null, 2)}\n`
  }
  const counts = STATUSES.map((status) => `${findings.filter((one) => one.status === status).length} ${status}`)
  const sections: readonly Section[] = [
    [
      'Conventions',
      ['status', 'convention', 'seen', 'assumed'],
      findings.map(({ name, status, seen, reason = '' }) => [status, name, seen ?? reason, assumedOf(name)]),
    ],
    [
      'Differences from the API document',
      ['difference', 'endpoint', 'path'],
      differences.map(({ endpoint, path, kind }) => [kind, endpoint, path]),
    ],
    ['Not checked', ['endpoint', 'reason'], skippedRows(skipped, false)],
    ['Could not be checked', ['endpoint', 'reason'], skippedRows(skipped, true)],
    ['Could not be undone', ['change'], notUndone.map((text) => [text])],
  ]
  const formatSection = format === 'markdown' ? markdownLines : textLines(colors)
  const lines = sections.filter(([, , rows]) => rows.length > 0).flatMap(formatSection)
  return [...(format === 'markdown' ? ['# Check of the service', ''] : []), `${counts.join(', ')}.`, ...lines, ''].join(
    '\n',
  )
}

const assumedOf = (name: string) => conventions.find((one) => one.name === name)?.assumed ?? ''

const skippedRows = (skipped: readonly SkippedEndpoint[], isWanted: boolean) =>
  skipped.flatMap(({ endpoint, reason, isFailure }) => (isFailure === isWanted ? [[endpoint, reason]] : []))

const STATUSES = ['different', 'not seen', 'confirmed'] as const
const COLORS: Readonly<Record<string, number>> = { 'not seen': 33, confirmed: 32 }
const RED = 31

type Section = readonly [title: string, head: readonly string[], rows: readonly (readonly string[])[]]

function markdownLines([title, head, rows]: Section): string[] {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return ['', `## ${title}`, '', ...[head, head.map(() => '---'), ...rows].map(line)]
}

/** Returns a function that formats a section in columns, without what is assumed: lines would be too long. */
function textLines(hasColors: boolean) {
  return ([title, head, rows]: Section): string[] => {
    const widths = head.map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)))
    const pad = (cell: string, column: number) => cell.padEnd(widths[column] ?? 0)
    const isColored = hasColors && head.length > 2
    const line = ([first = '', ...others]: readonly string[]) => {
      const start = pad(first, 0)
      const color = isColored ? `\u001b[${COLORS[first] ?? RED}m${start}\u001b[0m` : start
      return `  ${[color, ...others.slice(0, 2).map((cell, index) => pad(cell, index + 1))].join('  ').trimEnd()}`
    }
    return ['', title, ...rows.map(line)]
  }
}

/** Expression of TypeScript that reads a path of `body`. */
const at = (path: readonly string[]) => `at(body, ${path.map((name) => JSON.stringify(name)).join(', ')})`

/** Returns options of the client for a service, as a module of TypeScript. */
export function clientOptions(facts: ServiceFacts): string {
  const { scheme, stepUp, retryAfter, wrongCode, authenticationFailed: closeCode } = facts
  const members: string[] = []
  if (scheme) members.push(`authorize: (token) => ${JSON.stringify(`${scheme} `)} + token,`)
  members.push(...readErrorOption(facts))
  if (stepUp && !(stepUp.status === 401 && stepUp.code === 60003)) {
    const code = stepUp.code === undefined ? '' : ` && ${at(facts.envelope?.code ?? ['code'])} === ${stepUp.code}`
    members.push(`isStepUp: ({ status, body }) => status === ${stepUp.status}${code},`)
  }
  if (retryAfter && (retryAfter.unit === 'milliseconds' || retryAfter.path.length > 1)) {
    const factor = retryAfter.unit === 'milliseconds' ? '' : ' * 1000'
    members.push(`readRateLimit: ({ status, headers, body }) => {
    const wait = ${at(retryAfter.path)}
    const seconds = headers.get('retry-after')
    if (status === 429 && typeof wait === 'number') return { retryAfterMs: wait${factor} }
    return { retryAfterMs: seconds === null ? undefined : Number(seconds) * 1000 }
  },`)
  }
  if (wrongCode?.status === 401) {
    const kind = wrongCode.code === undefined ? "'refused'" : `error.code === ${wrongCode.code} ? 'refused' : 'expired'`
    members.push(`classifyMfaFailure: (error) => {
    if (!isApiError(error)) return 'fatal'
    if (error.status === 401) return ${kind}
    return error.status < 500 && error.status !== 429 ? 'refused' : 'fatal'
  },`)
  }
  const isUnknownClose = closeCode !== undefined && defaultGatewayProtocol.classifyClose(closeCode) !== 'fatal'
  const code = `export const options = {${members.map((member) => `\n  ${member}`).join('')}\n} satisfies Partial<ClientOptions>\n`
  const protocol = `/** Wire format of the gateway: \`gateway: { url, protocol }\`. */
export const protocol: GatewayProtocol = {
  ...defaultGatewayProtocol,
  classifyClose: (code) => (code === ${closeCode} ? 'fatal' : defaultGatewayProtocol.classifyClose(code)),
}
`
  const reader = `/** Reads a value of JSON of any shape. */
function at(value: unknown, ...path: string[]): unknown {
  return path.reduce((inner: unknown, name) => Object(inner)[name], value)
}
`
  const guard = `/** Whether a value is a required second factor. */
function isRequirement(value: { ticket: unknown; methods: unknown }): value is MfaVerificationRequest {
  return typeof value.ticket === 'string' && Array.isArray(value.methods)
}
`
  const imports = [
    'type ClientOptions',
    ...(isUnknownClose ? ['defaultGatewayProtocol', 'type GatewayProtocol'] : []),
    ...(code.includes('isApiError') ? ['isApiError'] : []),
    ...(code.includes('isRequirement') ? ['type MfaVerificationRequest'] : []),
  ]
  return [
    `import { ${imports.join(', ')} } from 'rapport-sdk'\n`,
    `/** Options of a client for the service, as rapport-doctor has seen it. */\n${code}`,
    ...(isUnknownClose ? [protocol] : []),
    ...(code.includes('at(body') ? [reader] : []),
    ...(code.includes('isRequirement') ? [guard] : []),
  ].join('\n')
}

function readErrorOption({ envelope, fieldErrors, stepUp }: ServiceFacts): string[] {
  const { code = ['code'], message = ['message'] } = envelope ?? {}
  const near = message.slice(0, -1)
  const { path: errors = [...near, 'errors'], item } = fieldErrors ?? {}
  const path = stepUp?.path ?? [...near, 'mfa']
  if (!item && [code, message, errors, path].join(' ') === 'code message errors mfa') return []
  const field = (name: string) => `at(error, ${JSON.stringify(name)})`
  const list = item
    ? `const errors = ${at(errors)}
    const fieldErrors = (Array.isArray(errors) ? errors : []).map((error: unknown) => ({
      path: String(${field(item.field)}).split('.'),
      code: String(${field(item.code)} ?? ''),
      message: String(${field(item.message)} ?? ''),
    }))
    `
    : ''
  return [
    `readError: ({ body }) => {
    ${list}const code = ${at(code)}
    const mfa = { ticket: ${at([...path, 'ticket'])}, methods: ${at([...path, 'methods'])} }
    return {
      code: typeof code === 'number' ? code : undefined,
      message: String(${at(message)} ?? ''),
      ${list ? 'fieldErrors' : `errors: ${at(errors)}`},
      ...(isRequirement(mfa) && { mfa }),
    }
  },`,
  ]
}

/** Returns a policy with which `rapport-mock --policy` behaves as the service did, as far as its settings go. */
export function mockPolicy(facts: ServiceFacts): object {
  const { scheme, envelope, fieldErrors, unauthorized, stepUp, wrongCode, retryAfter, resumes } = facts
  const { authenticationFailed, heartbeatInterval, readyUser, readySnapshot, newConfigStatus } = facts
  const error = (seen: SeenError | undefined, code: number, message: string) =>
    seen && { status: seen.status, code: seen.code ?? code, message }
  const { message = ['message'], code = ['code'] } = envelope ?? {}
  // The mock wraps code and message in one object.
  const isFlat = envelope !== undefined && code.length === message.length && message.length <= 2
  const policy = {
    authorization: scheme === undefined ? undefined : { scheme },
    errorEnvelope: isFlat
      ? {
          wrapper: message.length > 1 ? message[0] : null,
          code: code.at(-1),
          message: message.at(-1),
          ...(fieldErrors && { errors: fieldErrors.path.at(-1), fieldErrors: fieldErrors.item ? 'list' : 'tree' }),
        }
      : undefined,
    retryAfterUnit: retryAfter?.unit,
    errors: {
      unauthorized: error(unauthorized, 0, 'Unauthorized'),
      mfaRequired: error(stepUp, 60003, 'Two factor is required'),
      invalidCode: error(wrongCode, 60008, 'Invalid code'),
    },
    requireMfa: {
      ...(facts.logoutNeedsStepUp === false && { 'Logout Auth Sessions': false }),
      ...(stepUp && { [stepUp.endpoint]: true }),
    },
    newConfigStatus,
    gateway: {
      ...{ heartbeatInterval, readyUser, readySnapshot, resumeWindow: resumes === false ? 0 : undefined },
      closeCodes: { authenticationFailed },
    },
  }
  return JSON.parse(JSON.stringify(policy))
}
