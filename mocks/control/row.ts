// A row of the control API: method, path, parameters, result and what it does.
import { AuthenticatorType } from '../../src/contract/mfa'
import * as s from '../../src/contract/schema'
import type { Duration } from '../clock'
import type { MockUser, UserRef } from '../database'
import type { MockApplication } from '../seed/data'
import type { MockService } from '../service'
import * as option from '../settings'
import { fields, OptionsError } from '../settings'
import { userFields } from '../table'

/** A mistake in a call of the control API. */
export interface ProblemError {
  /** JSON Pointer to the mistake in the body; the name of a parameter of the query or the path otherwise. */
  readonly path: string
  /** Problem, and what is allowed. */
  readonly message: string
  /** Allowed values, fields or routes, if they can be listed. */
  readonly allowed?: readonly (string | number)[]
}

/** Schema of a refusal. */
export const ProblemSchema = s.looseObject<
  Record<'type' | 'title' | 'detail', string> & { status: number; errors: ProblemError[] }
>()({
  type: s.string,
  title: s.string,
  status: s.integer,
  detail: s.string,
  errors: s.array(
    s.looseObject<ProblemError>()({
      path: s.string,
      message: s.string,
      allowed: s.optional(s.readonlyArray(s.unchecked<string | number>())),
    }),
  ),
})

/** Refusal of the control API, sent as `application/problem+json`. RFC 9457. */
export class ControlProblem extends Error {
  override readonly name = 'ControlProblem'
  constructor(
    readonly status: number,
    message: string,
    readonly errors: readonly ProblemError[] = [],
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message)
  }
}

/** Creates the refusal of one mistake; its message becomes a sentence, unless it begins with a value. */
export function refusal(
  status: number,
  path: string,
  message: string,
  allowed?: readonly (string | number)[],
): ControlProblem {
  const detail = `${message.replace(/^[a-z](?=[a-z]* )/, (letter) => letter.toUpperCase())}.`
  return new ControlProblem(status, detail, [
    { path, message, ...(allowed && { allowed: allowed.slice(0, MAX_ALLOWED) }) },
  ])
}

/** Runs a call of the service; its error becomes a problem with the path of the mistake, or of the field that it begins with. */
export function given<T>(path: string, run: () => T, status = 400): T {
  try {
    return run()
  } catch (error) {
    if (error instanceof ControlProblem || error instanceof OptionsError) throw error
    // Without the name of the function in process.
    const text = String(error instanceof Error ? error.message : error).replace(/^[a-z]+\.[a-z]+: /i, '')
    const [, field, message = text] = /^(\w+): (.*)$/s.exec(path === '' ? text : '') ?? []
    throw refusal(status, field === undefined ? path : `/${field}`, message)
  }
}

export interface Call<P> {
  readonly service: MockService
  readonly namespace: Namespace
  /** Parameter of the path; empty without one. */
  readonly id: string
  readonly params: P
  /** Aborted when the caller has disconnected. */
  readonly signal: AbortSignal
}

/** A snapshot with a name. */
export interface NamedSnapshot {
  /** Name. */
  readonly name: string
  /** Time of the service's clock at which it was stored, ISO 8601. */
  readonly at: string
  /** What it does not contain: restoring it leaves the policy as it is, and ends all gateway sessions. */
  readonly excludes: readonly ('policy' | 'gateway_sessions')[]
}

export interface Namespace {
  readonly name: string
  readonly service: MockService
  /** Open connections. */
  connections: number
  /** `performance.now()` at the end of the last one. */
  usedAt: number
  readonly snapshots: Map<string, { readonly at: string; readonly snapshot: ReturnType<MockService['snapshot']> }>
  /** Restores the state that the namespace began with. */
  reset(): void
  readonly host: NamespaceHost
}

export interface NamespaceHost {
  /** Names, the default one first. */
  names(): string[]
  /** Removes a namespace, or resets the default one. @returns whether it existed. */
  remove(name: string): boolean
}

/** A route of the control API: routing, validation, OpenAPI and the client's types come from it. */
export interface Row<P, T> {
  readonly summary: string
  /** Schema of the body, or of the query for GET and DELETE; without one there are no parameters. */
  readonly params?: s.Schema<P> | undefined
  /** Schema of the result; without one the response is 204. */
  readonly result?: s.Schema<T>
  /** Status of the success. Default: 200 with a result, else 204. */
  readonly status?: number | undefined
  handle(call: Call<P>): T | Promise<T>
}

/** Creates a row; the types of parameters and result come from its schemas. */
export function row<P = undefined, T = void>(
  summary: string,
  handle: Row<P, T>['handle'],
  schemas: Omit<Row<P, T>, 'summary' | 'handle'> = {},
): Row<P, T> {
  return { summary, handle, ...schemas }
}

/** URLs have no segments `.` and `..`. */
export const NAME = /^(?!\.{1,2}$)[A-Za-z0-9_.-]{1,64}$/

export function assertName(path: string, name: string): void {
  if (NAME.test(name)) return
  throw refusal(400, path, 'a name must be 1 to 64 characters: letters, digits, "_", "." and "-", but not "." or ".."')
}

/** Returns what was found. @throws ControlProblem with what there is, 404 if the path of the call names it. */
export function existing<T>(
  found: T | undefined | false,
  path: string,
  problem: string,
  all: () => (string | number)[],
) {
  if (found !== undefined && found !== false) return found
  throw refusal(path.startsWith('/') ? 400 : 404, path, problem, all())
}

export function requireUser(service: MockService, ref: UserRef, path: string): MockUser {
  const id = typeof ref === 'string' ? ref : ref.id
  const problem = `no account has the ID, login or username ${JSON.stringify(id)}`
  return existing(service.users.find(id), path, problem, () => service.users.all().map(({ username }) => username))
}

/** Returns the application with an ID or a name. */
export function requireApplication(service: MockService, ref: string, path: string): MockApplication {
  const all = service.applications.all()
  const found = all.find(({ id, name }) => id === ref || name === ref)
  return existing(found, path, `no application has the ID or name ${JSON.stringify(ref)}`, () =>
    all.map(({ id }) => id),
  )
}

export const MAX_ALLOWED = 60

/** Returns a number with its noun. */
export const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

export interface Items<T> {
  /** Items. */
  readonly items: readonly T[]
}

export function itemsOf<T>(item: s.Schema<T>): s.Schema<Items<T>> {
  // The array of the vocabulary is mutable, which the result does not need.
  return s.looseObject<{ items: T[] }>()({ items: s.array(item) } as never) as s.Schema<Items<T>>
}

/** Creates the row of a list. */
export const listRow = <T>(summary: string, item: s.Schema<T>, list: (call: Call<undefined>) => readonly T[]) =>
  row(summary, (call) => ({ items: list(call) }), { result: itemsOf(item) })

/** Returns the schema of options that the service in process validates. */
export const options = <T>(checks: option.OptionChecks, required: readonly string[] = []) =>
  option.fromCheck<T>(option.nested(checks, required))

/** A real time that a call may wait. */
export const WaitSchema = option.fromCheck<Duration>(option.duration(60_000))

/** Schema of a user: ID, login or username. */
export const UserRefSchema = s.string as s.Schema<UserRef>

const { fixed, changing } = userFields
export const UserSchema = s.looseObject<MockUser>()({
  ...fixed,
  ...changing,
  mfa: s.readonlyArray(s.oneOf(AuthenticatorType)),
})

/** A token that was issued. */
export interface IssuedToken {
  /** Token. */
  readonly token: string
}

export const TokenSchema = s.looseObject<IssuedToken>()({ token: s.string })

/** Creates the row of a token that is issued. */
export const tokenRow = <P = undefined>(
  summary: string,
  issue: (call: Call<P>) => string,
  options: { readonly params?: s.Schema<P>; readonly status?: number } = {},
) => row(summary, (call) => ({ token: issue(call) }), { ...options, result: TokenSchema })

export const NoParams = fields({})
