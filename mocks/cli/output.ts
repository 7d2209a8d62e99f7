import { counted } from '../control/row'
import type { Account } from '../control/seed-data'
import type { MockServiceEvent } from '../core'
import type { Message } from '../database'
import type { JournalEntry } from '../journal'
import type { MockServer } from '../node'
import type { MockService } from '../service'
import type { LogFormat } from './options'

const MAX_ACCOUNTS = 20

export interface Banner {
  readonly service: MockService
  readonly server: MockServer
  readonly accounts: readonly Account[]
  /** Further lines, such as warnings. */
  readonly notes: readonly string[]
}

export function formatBanner({ service, server, accounts, notes }: Banner): string {
  const inspector = server.controlUrl ?? 'off'
  const addresses = [`  Service    ${server.url}`, `  Gateway    ${server.gatewayUrl}`, `  Inspector  ${inspector}`]
  const shown = accounts.slice(0, MAX_ACCOUNTS).map((account) => formatAccount(service, account))
  const hidden = accounts.length - shown.length
  const parts = [
    'rapport-mock listens',
    addresses.join('\n'),
    ...shown,
    ...(hidden > 0 ? [`  … and ${counted(hidden, 'more account')}`] : []),
    ...notes,
  ]
  return `${parts.join('\n\n')}\n\n`
}

export function formatReady({ service: { users }, server, accounts, notes }: Banner): string {
  const withSecrets = accounts.map(({ id, password, description }) => {
    const { mfa } = users.get(id)
    return {
      ...users.get(id),
      password,
      description,
      ...(mfa.includes('totp') && { totp_secret: users.totpSecret(id) }),
      ...(mfa.includes('backup') && { backup_codes: users.backupCodes(id) }),
    }
  })
  const lines = notes.map((note) => note.replace(/^ {2}/gm, ''))
  const addresses = { service: server.url, gateway: server.gatewayUrl, inspector: server.controlUrl }
  return `${printable(JSON.stringify({ type: 'listening', ...addresses, accounts: withSecrets, notes: lines }))}\n`
}

function formatAccount({ users }: MockService, { id, password, description }: Account): string {
  const { email, phone, username, mfa } = users.get(id)
  const lines = [`  ${printable(email ?? phone ?? username)}`, `    ${description}`]
  if (password !== undefined) lines.push(`    password      ${printable(password)}`)
  if (mfa.includes('totp')) {
    lines.push(`    TOTP secret   ${users.totpSecret(id)}`)
    lines.push(`    TOTP code     ${users.totp(id)} (now; changes every 30 seconds)`)
  }
  if (mfa.includes('backup')) lines.push(`    backup codes  ${users.backupCodes(id).join(' ')}`)
  return lines.join('\n')
}

/** Writes a line for each request, change of a gateway connection, mail and SMS of a service; as JSON, for each of its events. */
export function logEvents(
  service: MockService,
  format: LogFormat,
  write: (text: string) => void,
  namespace?: string,
): void {
  if (format === 'silent') return
  let pending = ''
  const flush = () => {
    write(pending)
    pending = ''
  }
  service.onEvent((event) => {
    const line = format === 'json' ? formatJson(event, namespace) : formatEvent(service, event, namespace)
    if (line === undefined) return
    // One write for all lines of a turn: under load, writes would take longer than the requests.
    if (pending === '') setImmediate(flush)
    pending += `${line}\n`
  })
}

const formatJson = (event: MockServiceEvent, namespace: string | undefined) =>
  printable(JSON.stringify({ ...(namespace !== undefined && { namespace }), ...event }))

function formatEvent(service: MockService, event: MockServiceEvent, namespace?: string): string | undefined {
  const prefix = namespace === undefined ? '' : `[${namespace}] `
  if (event.type === 'request') return prefix + formatRequest(service, event.request)
  if (event.type === 'gateway') {
    const line = formatGateway(service, event)
    return line && prefix + line
  }
  if (event.type === 'mail' || event.type === 'sms') return prefix + formatMessage(event.type, event.message)
  return undefined
}

function formatRequest({ users }: MockService, request: JournalEntry): string {
  const { at, method, path, status, endpoint, user, reason } = request
  const parts = [at, String(status ?? '---'), method.padEnd(6), path]
  if (user !== null) parts.push(`@${usernameOf(users, user)}`)
  if (endpoint !== null) parts.push(`(${endpoint})`)
  if (reason !== null) parts.push(`- ${reason.message}${reason.code === null ? '' : ` [${reason.code}]`}`)
  if (reason !== null) parts.push(...reason.fields.map((field) => `${field.path}: ${field.message}`))
  return printable(parts.join(' '))
}

/** Formats a change of a gateway connection; dispatched events and faults have no line. */
function formatGateway({ users }: MockService, event: MockServiceEvent & { type: 'gateway' }): string | undefined {
  if (event.action === 'event' || event.action === 'fault') return undefined
  const { at, action } = event
  const parts = [at, 'gateway', action]
  if (action !== 'connected') {
    if (event.user !== null) parts.push(`@${usernameOf(users, event.user)}`)
    parts.push('-', action === 'disconnected' ? String(event.code) : event.outcome)
  }
  return printable(parts.join(' '))
}

/** Returns the name of a user, or the ID if the account was removed after the request. */
const usernameOf = (users: MockService['users'], id: string) => users.find(id)?.username ?? id

/** Formats a message as one line; its contents are at the end as `name=value`, for scripts. */
function formatMessage(type: 'mail' | 'sms', { id: _id, to, kind, text, at, ...contents }: Message): string {
  const { html: _html, subject: _subject, ...shown } = { html: '', subject: '', link: '', ...contents }
  const present = Object.entries(shown).filter(([, value]) => value !== '')
  const values = present.map(([name, value]) => `${name}=${value}`)
  return printable(`${at} ${type === 'sms' ? 'SMS' : type} to ${to}, ${kind}: ${text} ${values.join(' ')}`)
}

/**
 * Escapes characters of user input that control a terminal, break lines or are invisible. The escapes are those of JSON,
 * so JSON stays the same value.
 */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (character) =>
    Array.from({ length: character.length }, (_, index) => {
      return `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`
    }).join(''),
  )
}
