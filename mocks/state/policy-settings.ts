import type { PasswordValidation } from '../../src/contract/registration'
import { RelationshipType } from '../../src/contract/relationships'
import { WidgetConfigStatus } from '../../src/contract/widget-configs'
import { countCharacters } from '../../src/internal/issue'
import { isObject, readField, withoutPrototype } from '../../src/internal/json'
import { MAX_TIMER_MS, milliseconds } from '../clock'
import { addExpiring, type ServiceContext } from '../core'
import type { MockUser } from '../database'
import { defaultErrors, rateLimitBody, ServiceError } from '../errors'
import {
  defaultGatewayPolicy,
  defaultPolicy,
  type OrNull,
  type Policy,
  type PolicyChanges,
  type PolicySettings,
} from '../policy'
import { type EndpointName, endpointNames } from '../router'
import * as option from '../settings'

/** Returns a policy with changes. */
export function changePolicy(policy: Policy, changes: PolicyChanges = {}): Policy {
  const { requireMfa, rateLimits, password, lifetimes, links, errorEnvelope, errors, gateway, ...rest } =
    withoutPrototype(changes)
  return {
    ...policy,
    ...(typeof requireMfa === 'function' && { requireMfa }),
    ...option.omitUndefined(rest),
    mfaByEndpoint:
      typeof requireMfa === 'object' ? mergeEntries(policy.mfaByEndpoint, requireMfa) : policy.mfaByEndpoint,
    rateLimits: mergeEntries(policy.rateLimits, rateLimits),
    password: mergeEntries(policy.password, password),
    lifetimes: { ...policy.lifetimes, ...option.omitUndefined(withInfinity(lifetimes ?? {})) },
    links: { ...policy.links, ...option.omitUndefined(links ?? {}) },
    errorEnvelope: { ...policy.errorEnvelope, ...option.omitUndefined(errorEnvelope ?? {}) },
    errors: { ...policy.errors, ...option.omitUndefined(errors ?? {}) },
    gateway: {
      ...policy.gateway,
      ...option.omitUndefined(withInfinity(gateway ?? {})),
      closeCodes: { ...policy.gateway.closeCodes, ...option.omitUndefined(readField(gateway, 'closeCodes') ?? {}) },
    },
  }
}

function mergeEntries<T extends object>(entries: T, changes: OrNull<T> = {}): T {
  const merged = Object.entries({ ...entries, ...option.omitUndefined(changes) }).filter(([, value]) => value !== null)
  // `Object.fromEntries` loses the names.
  return Object.fromEntries(merged) as T
}

/** Replaces `null`, which JSON has for it, by `Infinity`. */
function withInfinity<T extends object>(values: T) {
  const entries = Object.entries(values).map(([name, value]) => [
    name,
    value === null ? Number.POSITIVE_INFINITY : value,
  ])
  // `Object.fromEntries` loses the names.
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], null> }
}

/** Returns the settings of a policy as plain JSON: `null` means `Infinity`. */
export function policySettings({ mfaByEndpoint, ...policy }: Policy): PolicySettings {
  // JSON omits the functions.
  return JSON.parse(JSON.stringify({ ...policy, requireMfa: mfaByEndpoint }))
}

export function needsStepUp({ mfaByEndpoint, requireMfa }: Policy, endpoint: EndpointName, user: MockUser): boolean {
  const required = mfaByEndpoint[endpoint]
  if (required === 'with-factor') return user.mfa.length > 0
  return required ?? requireMfa(endpoint, user)
}

/** Returns the token in the value of `Authorization`; `undefined` if its scheme is another one. */
export function tokenIn(policy: Policy, value: string): string | undefined {
  const { scheme } = policy.authorization
  if (scheme === null) return value
  const prefix = `${scheme} `
  return value.toLowerCase().startsWith(prefix.toLowerCase()) ? value.slice(prefix.length) : undefined
}

/** Rates a password by the rules of the policy. Invalid ones are rejected on registration and reset. */
export function ratePassword(
  { password: { minLength = 0, minStrength = 0 } }: Policy,
  password: string,
): PasswordValidation {
  const characters = [/[a-z].*[A-Z]|[A-Z].*[a-z]/s, /\d/, /[^A-Za-z0-9]/].filter((one) => one.test(password))
  const strength = characters.length + (password.length > 11 ? 1 : 0)
  const isVaried = new Set(password).size > 1
  const valid = isVaried && countCharacters(password) >= minLength && strength >= minStrength
  return { valid, password_strength: isVaried ? strength : 0 }
}

/** Counts a request. @throws ServiceError 429 if it exceeds a rate limit of the policy. */
export function assertWithinRateLimits(core: ServiceContext, endpoint: EndpointName, caller: string): void {
  const { rateLimits } = core.policy
  for (const name of [endpoint, '*'] as const) {
    const rule = rateLimits[name]
    if (rule === undefined) continue
    const now = core.clock.now()
    const window = openWindow(core, `${name} ${caller}`, now, milliseconds(rule.per))
    window.count += 1
    if (window.count > rule.limit) throw rateLimitError(core.policy, (window.expiresAt - now) / 1000, name === '*')
  }
}

function openWindow(core: ServiceContext, key: string, now: number, length: number) {
  const current = core.rateLimitWindows.get(key)
  // The clock may have been set back, or the limit changed.
  if (current !== undefined && now < current.expiresAt && current.expiresAt <= now + length) return current
  const window = { expiresAt: now + length, count: 0 }
  core.rateLimitWindows.delete(key)
  addExpiring(core, core.rateLimitWindows, key, window)
  return window
}

function rateLimitError(policy: Policy, seconds: number, global: boolean): ServiceError {
  const headers = {
    ...(policy.retryAfterUnit === 'seconds' && { 'retry-after': String(Math.ceil(seconds)) }),
    ...(global && { 'x-ratelimit-global': 'true' }),
  }
  return new ServiceError(429, rateLimitBody(policy, seconds, global), headers)
}

const CHECKS_BY_TYPE: option.OptionChecks = {
  boolean: option.boolean,
  function: option.callback,
  string: option.string,
}

const STEP_UP: readonly unknown[] = [true, false, 'with-factor', null]

const stepUpByEndpoint = option.recordOf(
  endpointNames,
  option.check('true, false, "with-factor" or null', (value) => STEP_UP.includes(value), { enum: STEP_UP }),
)

const functionOrObject = option.check('a function, or an object by endpoint', (value) => typeof value === 'function')

const pageUrl = option.check(
  'an absolute http: or https: URL',
  (value) => typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value),
  { type: 'string', pattern: '^https?://' },
)

const status = option.oneOf(...Object.values(WidgetConfigStatus))

const { mfaByEndpoint: _, ...entries } = defaultPolicy

/** Checks of the entries of a policy: an invalid one would otherwise show only in a later request. */
export const POLICY_CHECKS: option.OptionChecks = {
  ...mapEntries(entries, (value) => CHECKS_BY_TYPE[typeof value] ?? option.anyValue),
  requireMfa: option.withSchema(
    (name, value) => (isObject(value) ? stepUpByEndpoint : functionOrObject)(name, value),
    () => option.schemaOf(stepUpByEndpoint),
  ),
  authorization: option.nested({ scheme: option.stringOrNull }, ['scheme']),
  rateLimits: option.recordOf(
    [...endpointNames, '*'],
    option.orNull(
      option.nested(
        { limit: option.integer(1, Number.MAX_SAFE_INTEGER), per: option.duration(Number.POSITIVE_INFINITY, 1) },
        ['limit', 'per'],
      ),
    ),
  ),
  password: option.nested({
    minLength: option.orNull(option.integer(8, 72)),
    minStrength: option.orNull(option.integer(0, 4)),
  }),
  ignoredType: option.oneOf(...Object.values(RelationshipType)),
  dmAccessType: option.integer(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
  newConfigStatus: status,
  unpublishedConfigStatus: status,
  lifetimes: option.nested(mapEntries(defaultPolicy.lifetimes, () => option.orNull(option.duration()))),
  links: option.nested({ password_reset: pageUrl, account_recovery: pageUrl, new_location: pageUrl }),
  errorEnvelope: option.nested({
    wrapper: option.orNull(option.string),
    code: option.string,
    message: option.string,
    errors: option.string,
    fieldErrors: option.oneOf('tree', 'list'),
  }),
  retryAfterUnit: option.oneOf('seconds', 'milliseconds'),
  mfaHeader: option.check('the name of a header', (value) => typeof value === 'string' && /^[\w-]+$/.test(value), {
    type: 'string',
    pattern: '^[\\w-]+$',
  }),
  verificationCookie: option.check(
    'attributes of a cookie',
    (value) => typeof value === 'string' && /^[ -~]*$/.test(value),
    {
      type: 'string',
      pattern: '^[ -~]*$',
    },
  ),
  errors: option.recordOf(
    Object.keys(defaultErrors),
    option.nested(
      {
        status: option.integer(400, 599),
        code: option.integer(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
        message: option.string,
      },
      ['status', 'code', 'message'],
    ),
  ),
  gateway: option.nested({
    // Clients of the SDK take a shorter one for a mistake, and no longer connect.
    heartbeatInterval: option.duration(MAX_TIMER_MS, 100),
    heartbeatGrace: option.orNull(option.duration()),
    replayLimit: option.orNull(option.count(0)),
    resumeWindow: option.orNull(option.duration()),
    readyUser: option.boolean,
    readySnapshot: option.boolean,
    logoutEndsSessions: option.boolean,
    closeCodes: option.nested(mapEntries(defaultGatewayPolicy.closeCodes, () => option.integer(3000, 4999))),
  }),
}

export const policyChanges = option.nested(POLICY_CHECKS)

/** Of the entries that JSON can represent. */
export const policySettingsCheck = option.nested(
  Object.fromEntries(Object.entries(POLICY_CHECKS).filter(([, one]) => option.schemaOf(one) !== null)),
)

function mapEntries(defaults: object, checkFor: (value: unknown) => option.Check): option.OptionChecks {
  return Object.fromEntries(Object.entries(defaults).map(([name, value]) => [name, checkFor(value)]))
}
