// What is written of a check: the report as text, Markdown and JSON, options of the client, a policy of the mock.
import { defaultGatewayProtocol } from '../gateway/protocol'
import { conventions } from './conventions'
import type { FieldErrorsPlace, SeenError, ServiceFacts, ServiceReport } from './report'

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
 * Formats a report: `json` is `{ conventions: [{ name, status, seen?, reason? }], differences: [{ endpoint, path, kind }],
 * skipped: [{ endpoint, reason, isFailure }], written }`.
 */
export function formatReport(report: ServiceReport, format: ReportFormat, options: FormatOptions = {}): string {
  const { conventions: findings, differences, skipped, notUndone } = report
  const { colors = false, written = [] } = options
  if (format === 'json') return `${JSON.stringify({ conventions: findings, differences, skipped, written }, null, 2)}\n`
  const isText = format === 'text'
  const sorted = STATUSES.map(([status]) => findings.filter((one) => one.status === status))
  const counts = sorted.map(({ length }, index) => `${length} ${STATUSES[index]?.[0]}`)
  const assumed = new Map<string, string>(conventions.map((one) => [one.name, one.assumed]))
  const skippedRows = (areFailures: boolean) =>
    skipped.flatMap(({ endpoint, reason, isFailure }) => (isFailure === areFailures ? [[endpoint, reason]] : []))
  const findingRows = sorted.flat().map(({ name, status, seen, reason }) => {
    return [status, name, [seen, reason].filter(Boolean).join(', '), assumed.get(name) ?? '']
  })
  const differenceRows = differences.map(({ endpoint, path, kind }) => [kind, endpoint, path])
  const sections: readonly (readonly [title: string, head: readonly string[], rows: Rows])[] = [
    ['Conventions', ['status', 'convention', 'seen', 'assumed'], findingRows],
    ['Differences from the API document', ['difference', 'endpoint', 'path'], differenceRows],
    ['Not checked', ['endpoint', 'reason'], skippedRows(false)],
    ['Could not be checked', ['endpoint', 'reason'], skippedRows(true)],
    ['Could not be undone', ['change'], notUndone.map((text) => [text])],
  ]
  const lines = sections.flatMap(([title, head, rows]) => {
    if (rows.length === 0) return []
    return isText ? ['', title, ...columns(rows, colors)] : ['', `## ${title}`, '', ...markdown(head, rows)]
  })
  return [...(isText ? [] : ['# Check of the service', '']), `${counts.join(', ')}.`, ...lines, ''].join('\n')
}

/** Statuses in the order in which they are shown, with their colors. */
const STATUSES = [
  ['different', 31],
  ['confirmed', 32],
  ['not seen', 33],
] as const

type Rows = readonly (readonly string[])[]

const markdown = (head: readonly string[], rows: Rows) =>
  [head, head.map(() => '---'), ...rows].map(
    (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`,
  )

/** Formats rows in columns, without what is assumed: lines would be too long. */
function columns(rows: Rows, hasColors: boolean): string[] {
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)))
  return rows.map((cells) => {
    const text = cells.slice(0, 3).map((cell, column) => cell.padEnd(widths[column] ?? 0))
    const color = STATUSES.find(([status]) => status === cells[0])?.[1]
    if (hasColors && color) text[0] = `\u001b[${color}m${text[0]}\u001b[0m`
    return `  ${text.join('  ').trimEnd()}`
  })
}

/** Returns options of the client for a service, as a module of TypeScript. */
export function clientOptions(facts: ServiceFacts): string {
  const { scheme, envelope, fieldErrors, stepUp, retryAfter, wrongCode, authenticationFailed: closeCode } = facts
  const { code = ['code'], message = ['message'] } = envelope ?? {}
  const near = message.slice(0, -1)
  const place: FieldErrorsPlace = fieldErrors ?? { form: 'tree', path: [...near, 'errors'] }
  const { form, path: errors, field = '', skip = 0, code: codeName = '', message: messageName = '' } = place
  const mfa = stepUp?.path ?? [...near, 'mfa']
  const at = (path: readonly string[], root = 'body') =>
    `at(${[root, ...path.map((name) => JSON.stringify(name))].join(', ')})`
  const contents = `code: ${at([codeName], 'error')}, message: ${at([messageName], 'error')} ?? error`
  const errorsOf = {
    tree: `errors: ${at(errors)}`,
    list: `fieldErrors: ${at(errors)}?.map?.((error: unknown) => ({
      path: [${at([field], 'error')}].flat().slice(${skip}).join(".").split("."),
      ${contents},
    }))`,
    map: `fieldErrors: Object.entries(${at(errors)} ?? {}).flatMap(([field, errors]) =>
      [errors].flat().map((error) => ({ path: field.split("."), ${contents} })),
    )`,
  }
  const members: string[] = []
  if (scheme) members.push(`authorize: (token) => ${JSON.stringify(`${scheme} `)} + token`)
  if (form !== 'tree' || [code, message, errors, mfa].join(' ') !== 'code message errors mfa') {
    const lines = [
      envelope ? envelope.code && `code: ${at(code)},` : '// Code and message were not found.',
      envelope && `message: ${at(message)},`,
      fieldErrors !== null && `${errorsOf[form]},`,
      `mfa: ${at(mfa)},`,
    ]
    members.push(`readError: ({ body }) => ({\n    ${lines.filter(Boolean).join('\n    ')}\n  })`)
  }
  if (stepUp && !(stepUp.status === 401 && stepUp.code === 60003)) {
    const test = stepUp.code === undefined ? `${at([...mfa, 'ticket'])} !==` : `${at(code)} ===`
    members.push(`isStepUp: ({ status, body }) => status === ${stepUp.status} && ${test} ${stepUp.code}`)
  }
  const factor = retryAfter?.unit === 'milliseconds' ? '' : ' * 1000'
  if (retryAfter && (factor === '' || retryAfter.path.length > 1))
    members.push(`readRateLimit: ({ status, headers, body }) => {
    const wait = status === 429 ? ${at(retryAfter.path)} : undefined
    const number = (name: string) => Number(headers.get(name) ?? NaN)
    return {
      retryAfterMs: typeof wait === "number" ? wait${factor} : number("retry-after") * 1000,
      global: ${at([...retryAfter.path.slice(0, -1), 'global'])} === true,
      remaining: number("x-ratelimit-remaining"),
      resetAfterMs: number("x-ratelimit-reset-after") * 1000,
    }
  }`)
  if (wrongCode?.status === 401) {
    const kind = wrongCode.code === undefined ? '"refused"' : `error.code === ${wrongCode.code} ? "refused" : "expired"`
    members.push(`classifyMfaFailure: (error) => {
    if (!isApiError(error)) return "fatal"
    if (error.status === 401) return ${kind}
    return error.status < 500 && error.status !== 429 ? "refused" : "fatal"
  }`)
  }
  const isUnknownClose = closeCode !== undefined && defaultGatewayProtocol.classifyClose(closeCode) !== 'fatal'
  const imports = [
    'type ClientOptions',
    ...(isUnknownClose ? ['defaultGatewayProtocol', 'type GatewayProtocol'] : []),
    ...(wrongCode?.status === 401 ? ['isApiError'] : []),
  ]
  return `import { ${imports.join(', ')} } from "rapport-sdk"

/** Options of a client for the service, as rapport-doctor has seen it. */
export const options = {${members.map((member) => `\n  ${member},`).join('')}
} satisfies Partial<ClientOptions>
${isUnknownClose ? protocolFor(closeCode) : ''}${members.join('').includes('at(') ? READER : ''}`
}

const READER = `
/** Reads a value of JSON of any shape. */
function at(value: unknown, ...path: string[]) {
  let inner = Object(value)
  for (const name of path) inner = Object(inner)[name]
  return inner
}
`

const protocolFor = (closeCode: number) => `
/** Wire format of the gateway: \`gateway: { url, protocol }\`. */
export const protocol: GatewayProtocol = {
  ...defaultGatewayProtocol,
  classifyClose: (code) => (code === ${closeCode} ? "fatal" : defaultGatewayProtocol.classifyClose(code)),
}
`

/** Returns a policy with which `rapport-mock --policy` behaves as the service did, as far as its settings go. */
export function mockPolicy(facts: ServiceFacts): object {
  const { scheme, envelope, fieldErrors, unauthorized, stepUp, wrongCode, retryAfter, authenticationFailed } = facts
  const error = (seen: SeenError | undefined, code: number, message: string) =>
    seen && { status: seen.status, code: seen.code ?? code, message }
  const { message = ['message'], code = ['code'] } = envelope ?? {}
  // The mock wraps code and message in one object.
  const errorEnvelope = envelope &&
    code.length === message.length &&
    message.length <= 2 && {
      wrapper: message.length > 1 ? message[0] : null,
      code: code.at(-1),
      message: message.at(-1),
      ...(fieldErrors && { errors: fieldErrors.path.at(-1) }),
      ...(fieldErrors && fieldErrors.form !== 'map' && { fieldErrors: fieldErrors.form }),
    }
  const policy = {
    authorization: scheme === undefined ? undefined : { scheme },
    errorEnvelope: errorEnvelope || undefined,
    retryAfterUnit: retryAfter?.unit,
    errors: {
      unauthorized: error(unauthorized, 0, 'Unauthorized'),
      mfaRequired: error(stepUp, 60003, 'Two factor is required'),
      invalidCode: error(wrongCode, 60008, 'Invalid code'),
    },
    ...facts.policy,
    requireMfa: { ...(stepUp && { [stepUp.endpoint]: true }), ...Object(facts.policy.requireMfa) },
    gateway: { ...facts.gateway, closeCodes: { authenticationFailed } },
  }
  return JSON.parse(JSON.stringify(policy))
}
