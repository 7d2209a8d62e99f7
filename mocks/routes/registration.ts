import type { RegisterParams, registration } from '../../src/contract/registration'
import { type Core, expiry } from '../core'
import { type FieldProblem, formRefusal } from '../envelope'
import { sendSms } from '../outbox'
import { requireGrant, spendGrant } from '../state/grants'
import { signIn } from '../state/sign-in'
import { addUser, findByLogin, findByUsername, freeUsername } from '../state/users'
import { originOf, type RoutesOf } from './route'

export const registrationRoutes: RoutesOf<typeof registration> = {
  register({ core, params, request }) {
    const fingerprint = params.fingerprint ?? request.headers.get('x-fingerprint')
    const grant =
      params.phone_token === undefined ? undefined : requireGrant(core, 'phone', params.phone_token, 'phone_token')
    const phone = grant?.subject ?? null
    // "The new account then shares its ID with the fingerprint". Interface, "C. Registration".
    const id = fingerprint === null ? null : core.policy.fingerprintId(fingerprint)
    const problems = [...problemsOf(core, params, phone, id), ...consentProblems(core, params, request.ip)]
    if (problems.length > 0) throw formRefusal(core.policy, problems)

    const invite = params.invite ?? null
    const user = addUser(core, {
      ...(id !== null && { id }),
      username: params.username ?? freeUsername(core, params.global_name),
      globalName: params.global_name ?? null,
      email: params.email ?? null,
      phone,
      password: params.password ?? null,
      invite,
    })
    if (grant !== undefined) spendGrant(core, grant)
    const { token } = signIn(core, user, originOf(request))
    return invite === null ? { token } : { token, show_verification_form: core.policy.showVerificationForm(invite) }
  },

  registerPhone({ core, params: { phone } }) {
    if (core.db.phoneBlacklist.has(phone)) throw formRefusal(core.policy, [blacklisted('phone')])
    const code = core.random.digits(6)
    core.db.phoneCodes.set(phone, { code, expiresAt: expiry(core, core.policy.lifetimes.phoneCode) })
    sendSms(core, { to: phone, kind: 'phone_verification', code, text: `Your verification code is ${code}` })
  },

  getLocationMetadata: ({ core, request }) => core.policy.locationMetadata(request.ip),

  validatePassword: ({ core, params: { password } }) => core.policy.judgePassword(password),
}

function* problemsOf(
  core: Core,
  params: RegisterParams,
  phone: string | null,
  id: string | null,
): Generator<FieldProblem> {
  const { username, email, password } = params
  if (username !== undefined && findByUsername(core, username)) {
    yield { path: ['username'], code: 'USERNAME_ALREADY_TAKEN', message: 'Username is unavailable.' }
  }
  if (email !== undefined && findByLogin(core, email)) {
    yield { path: ['email'], code: 'EMAIL_ALREADY_REGISTERED', message: 'Email is already registered.' }
  }
  if (phone !== null && core.db.phoneBlacklist.has(phone)) yield blacklisted('phone_token')
  if (phone !== null && findByLogin(core, phone)) {
    yield { path: ['phone_token'], code: 'PHONE_ALREADY_REGISTERED', message: 'Phone is already registered.' }
  }
  if (password !== undefined && !core.policy.judgePassword(password).valid) {
    yield { path: ['password'], code: 'PASSWORD_DOES_NOT_MEET_REQUIREMENTS', message: 'Password is too weak.' }
  }
  if (id !== null && core.db.users.has(id)) {
    yield { path: ['fingerprint'], code: 'FINGERPRINT_ALREADY_USED', message: 'This fingerprint has an account.' }
  }
}

/** "Needed where Get Location Metadata says they are required". Interface, "C. Registration". */
function* consentProblems(core: Core, params: RegisterParams, ip: string): Generator<FieldProblem> {
  const { consent_required, promotional_email_opt_in } = core.policy.locationMetadata(ip)
  if (consent_required && params.consent !== true) {
    yield { path: ['consent'], code: 'CONSENT_REQUIRED', message: 'Agreement to the terms is required.' }
  }
  if (promotional_email_opt_in.required && params.promotional_email_opt_in === undefined) {
    const message = 'Say whether you agree to promotional emails.'
    yield { path: ['promotional_email_opt_in'], code: 'PROMOTIONAL_EMAIL_OPT_IN_REQUIRED', message }
  }
}

function blacklisted(field: string): FieldProblem {
  return { path: [field], code: 'PHONE_NOT_ALLOWED', message: 'This phone number cannot be used.' }
}
