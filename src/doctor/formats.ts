// What is written of a check: the report as text, Markdown and JSON, options of the client, a policy of the mock.
import { defaultGatewayProtocol } from '../gateway/protocol'
import { conventions } from './conventions'
import type { ConventionFinding, ServiceFacts, ServiceReport } from './report'

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
  const { differences } = report
  if (format === 'json') {
    const findings = report.conventions.map(({ name, status, seen }) => ({ name, status, seen }))
    return `${JSON.stringify({ conventions: findings, differences, written: options.written ?? [] }, null, 2)}\n`
  }
  return format === 'markdown' ? formatMarkdown(report) : formatText(report, options.colors === true)
}

const STATUSES = ['different', 'not seen', 'confirmed'] as const
const COLORS = { different: 31, 'not seen': 33, confirmed: 32 }

function formatText(report: ServiceReport, hasColors: boolean): string {
  const color = (code: number, text: string) => (hasColors ? `\u001b[${code}m${text}\u001b[0m` : text)
  const lines = report.conventions.map((finding) => {
    const { name, status } = finding
    return `  ${color(COLORS[status], status.padEnd(9))}  ${name.padEnd(24)}  ${explanation(finding)}`
  })
  const differences = report.differences.map(
    ({ endpoint, path, kind }) => `  ${color(31, kind)}  ${endpoint}${path && `: ${path}`}`,
  )
  return sections(report, 'Conventions', lines, differences, (items) => items.map((item) => `  ${item}`))
}

function formatMarkdown(report: ServiceReport): string {
  const cell = (text: string) => text.replaceAll('|', '\\|')
  const table = (head: string, rows: readonly string[]) => [head, head.replaceAll(/[^|]+/g, ' --- '), ...rows]
  const rows = report.conventions.map((finding) => {
    const assumed = conventions.find(({ name }) => name === finding.name)?.assumed ?? ''
    return `| ${finding.name} | ${finding.status} | ${cell(explanation(finding))} | ${cell(assumed)} |`
  })
  const differences = report.differences.map(({ endpoint, path, kind }) => `| ${endpoint} | ${path} | ${cell(kind)} |`)
  return sections(
    report,
    '# Check of the service\n\n## Conventions\n',
    table('| convention | status | seen | assumed |', rows),
    differences.length === 0 ? [] : table('| endpoint | path | difference |', differences),
    (items) => items.map((item) => `- ${item}`),
    '## ',
  )
}

function sections(
  { conventions: findings, skipped, notUndone, stopped }: ServiceReport,
  title: string,
  lines: readonly string[],
  differences: readonly string[],
  list: (items: readonly string[]) => string[],
  heading = '',
): string {
  const counts = STATUSES.map((status) => `${findings.filter((one) => one.status === status).length} ${status}`)
  const section = (name: string, items: readonly string[]) =>
    items.length === 0 ? [] : ['', `${heading}${name}`, ...(heading && ['']), ...items]
  return [
    title,
    ...lines,
    '',
    `${counts.join(', ')}.`,
    ...section('Differences from the API document', differences),
    ...section('Endpoints not checked', list(skipped.map(({ endpoint, reason }) => `${endpoint}: ${reason}`))),
    ...section('Could not be undone', list(notUndone)),
    ...section('Ended early', stopped === undefined ? [] : list([stopped])),
    '',
  ].join('\n')
}

function explanation({ status, seen, reason = '' }: ConventionFinding): string {
  return status === 'different' ? `seen: ${seen}` : (seen ?? reason)
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
    const code =
      stepUp.code === undefined || !facts.envelope?.code ? '' : ` && ${at(facts.envelope.code)} === ${stepUp.code}`
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
  const refused = wrongCode?.status ?? 400
  if (refused === 401 || refused === 429 || refused > 499) {
    const code = wrongCode?.code === undefined ? '' : ` && error.code === ${wrongCode.code}`
    members.push(`classifyMfaFailure: (error) => {
    if (!isApiError(error)) return 'fatal'
    if (error.status === ${refused}${code}) return 'refused'
    if (error.status === 401) return 'expired'
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
  const isEnvelopeKnown =
    !envelope || (envelope.message.join() === 'message' && (envelope.code ?? ['code']).join() === 'code')
  if (isEnvelopeKnown && !fieldErrors && (stepUp?.path ?? ['mfa']).join() === 'mfa') return []
  const { code = ['code'], message = ['message'] } = envelope ?? {}
  const path = stepUp?.path ?? [...message.slice(0, -1), 'mfa']
  const list = fieldErrors && [
    `    const errors = ${at(fieldErrors.path)}`,
    '    const fieldErrors = (Array.isArray(errors) ? errors : []).map((error: unknown) => ({',
    `      path: String(at(error, ${JSON.stringify(fieldErrors.field)})).split('.'),`,
    `      code: String(at(error, ${JSON.stringify(fieldErrors.code)}) ?? ''),`,
    `      message: String(at(error, ${JSON.stringify(fieldErrors.message)}) ?? ''),`,
    '    }))',
  ]
  return [
    [
      'readError: ({ body }) => {',
      `    const code = ${at(code)}`,
      ...(list ?? []),
      `    const mfa = { ticket: ${at([...path, 'ticket'])}, methods: ${at([...path, 'methods'])} }`,
      '    return {',
      "      code: typeof code === 'number' ? code : undefined,",
      `      message: String(${at(message)} ?? ''),`,
      ...(list ? ['      fieldErrors,'] : []),
      '      ...(isRequirement(mfa) && { mfa }),',
      '    }',
      '  },',
    ].join('\n'),
  ]
}

/** Returns a policy with which `rapport-mock --policy` behaves as the service did. */
export function mockPolicy(facts: ServiceFacts): object {
  const { scheme, envelope, fieldErrors, unauthorized, stepUp, wrongCode, retryAfter } = facts
  const { authenticationFailed, heartbeatInterval, readyUser, readySnapshot, newConfigStatus } = facts
  const error = (seen: { status: number; code?: number } | undefined, code: number, message: string) =>
    seen && { code, message, ...seen }
  const { code = ['code'], message = ['message'] } = envelope ?? {}
  const policy = {
    authorization: scheme === undefined ? undefined : { scheme },
    errorEnvelope: envelope && {
      wrapper: message.length > 1 ? message[0] : null,
      code: code.at(-1),
      message: message.at(-1),
      ...(fieldErrors && { errors: fieldErrors.path.at(-1), fieldErrors: 'list' }),
    },
    retryAfterUnit: retryAfter?.unit,
    errors: {
      unauthorized: error(unauthorized, 0, 'Unauthorized'),
      mfaRequired: error(
        stepUp && { status: stepUp.status, ...(stepUp.code !== undefined && { code: stepUp.code }) },
        60003,
        'Two factor is required',
      ),
      invalidCode: error(wrongCode, 60008, 'Invalid code'),
    },
    requireMfa: stepUp
      ? { [stepUp.endpoint]: true }
      : facts.logoutNeedsStepUp === false
        ? { 'Logout Auth Sessions': false }
        : undefined,
    newConfigStatus,
    gateway: {
      heartbeatInterval,
      readyUser,
      readySnapshot,
      resumeWindow: facts.resumes === false ? 0 : undefined,
      closeCodes: { authenticationFailed },
    },
  }
  return JSON.parse(JSON.stringify(policy))
}
