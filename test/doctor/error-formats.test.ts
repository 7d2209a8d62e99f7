import { type ApiError, Client, type ClientOptions } from 'rapport-sdk'
import {
  type CheckServiceOptions,
  checkService,
  clientOptions,
  mockPolicy,
  type ServiceFacts,
  type ServiceReport,
} from 'rapport-sdk/doctor'
import { expect, onTestFinished, test } from 'vitest'
import { compilerErrors } from '../compiler-errors'
import { json, serve } from '../servers/http-server'
import { importOptions } from './set-up'

const FAST: CheckServiceOptions = { intervalMs: 0, timeoutMs: 60_000 }
const TICKET = { ticket: 'ticket-77aa88bb99', methods: [{ type: 'totp', backup_codes_allowed: true }] }
const TOKEN = 'acme'

/** Serves errors of a format, and returns what a check with options of the client says. */
async function serveErrors(create: (kind: 'unauthorized' | 'invalid' | 'step-up') => object) {
  const server = await serve()
  server.fallback(({ url = '', headers }) => {
    if (headers.authorization === undefined) return json(401, create('unauthorized'))
    if (url.endsWith('?with_profiles=maybe')) return json(400, create('invalid'))
    if (url === '/auth/sessions') return json(403, create('step-up'))
    return url.endsWith('/application-identities') ? json(200, { identities: [] }) : json(200, [])
  })
  return async (options: Partial<ClientOptions> = {}) => {
    const client = new Client({ baseUrl: server.url, ...options })
    onTestFinished(() => client.dispose())
    return checkService(client.as(TOKEN, '100000000000000001'), FAST)
  }
}

/** Options that the tests have written, which one program compiles. */
const allWritten: string[] = []

function writeOptions(facts: ServiceFacts): string {
  const written = clientOptions(facts)
  allWritten.push(written)
  return written
}

const findingOf = ({ conventions }: ServiceReport, name: string) => conventions.find((one) => one.name === name)

test('field errors are not taken for the error, and what is not found is not written', async () => {
  const errors = { with_profiles: { _errors: [{ code: 'BOOLEAN', message: 'Not a boolean.' }] } }
  const check = await serveErrors((kind) => ({
    failure: {
      ...{ number: 40001, reason: 'It does not work.' },
      ...(kind === 'invalid' && { fields: errors }),
      ...(kind === 'step-up' && { mfa: TICKET }),
    },
  }))
  const report = await check()
  expect(findingOf(report, 'errorEnvelope')).toEqual({
    ...{ name: 'errorEnvelope', status: 'different' },
    seen: 'no known name of a message in `failure`: write `readError` yourself',
  })
  const written = writeOptions(report.facts)
  expect(written).toContain('// Code and message were not found.')
  expect(written + JSON.stringify(mockPolicy(report.facts))).not.toMatch(/\{name\}|_errors|\b(?:code|message):/)

  const { options } = await importOptions(report.facts)
  const refusal = (body: object) => options.isStepUp?.({ status: 403, headers: new Headers(), body })
  expect([refusal({ failure: { number: 50013 } }), refusal({ failure: { mfa: TICKET } })]).toEqual([false, true])
  const second = await check(options)
  for (const name of ['fieldErrors', 'stepUpRefusal'])
    expect([name, findingOf(second, name)?.status]).toEqual([name, 'confirmed'])
  // As somebody would complete them.
  const readError: ClientOptions['readError'] = ({ body }) => ({ message: Object(Object(body).failure).reason })
  expect(findingOf(await check({ readError }), 'errorEnvelope')).toMatchObject({ status: 'confirmed' })
})

test('options and policy have no place whose name may be private', async () => {
  const check = await serveErrors((kind) => ({
    [`${TOKEN}_error`]: { code: 1, message: 'No.', ...(kind === 'step-up' && { mfa: TICKET }) },
    ...(kind === 'invalid' && { list: [{ [`${TOKEN}_field`]: 'with_profiles', [`${TOKEN}_message`]: 'No.' }] }),
  }))
  const report = await check()
  expect(findingOf(report, 'errorEnvelope')?.seen).toBe('code in `{name}.code`, message in `{name}.message`')
  const written = writeOptions(report.facts)
  expect(written + JSON.stringify(mockPolicy(report.facts))).not.toMatch(
    /\{name\}|acme|isStepUp|errorEnvelope|fieldErrors/,
  )
})

const FIELD_ERROR = { path: ['with_profiles'], code: '', message: 'Not a boolean.' }

/** Field errors of a service, where a report sees them, and what the written options read. */
const FORMS: readonly (readonly [invalid: object, seen: string, expected: object])[] = [
  [
    { detail: [{ type: 'bool', loc: ['query', 'with_profiles'], msg: 'Not a boolean.' }] },
    'a list in `detail`',
    { ...FIELD_ERROR, code: 'bool' },
  ],
  [{ fields: { with_profiles: ['Not a boolean.'] } }, 'a map in `fields`', FIELD_ERROR],
  [{ more: { fields: { with_profiles: 'Not a boolean.' } } }, 'a map in `more.fields`', FIELD_ERROR],
  [
    { fields: { with_profiles: [{ error_code: 7, reason: 'Not a boolean.' }] } },
    'a map in `fields`',
    { ...FIELD_ERROR, code: '7' },
  ],
]

test('the written options read field errors in lists, of fields in other lists as well, and by field', async () => {
  for (const [invalid, seen, expected] of FORMS) {
    const errors = (kind: string) => ({ error: 1, message: 'No.', ...(kind === 'invalid' && invalid) })
    const check = await serveErrors(errors)
    const report = await check()
    expect(findingOf(report, 'fieldErrors')).toEqual({ name: 'fieldErrors', status: 'different', seen })
    writeOptions(report.facts)
    const { options } = await importOptions(report.facts)
    expect(findingOf(await check(options), 'fieldErrors')).toMatchObject({ status: 'confirmed' })
    const server = await serve(json(400, errors('invalid')), json(400, errors('unauthorized')))
    const client = new Client({ baseUrl: server.url, ...options })
    onTestFinished(() => client.dispose())
    const read = () => client.auth.getLocationMetadata().catch((error: ApiError) => error.fieldErrors)
    expect([await read(), await read()]).toEqual([[expected], []])
  }
})

test('a report says that field errors of another form cannot be written, and no option reads them', async () => {
  const check = await serveErrors(() => ({ error: 1, message: 'No.', query: { with_profiles: 'maybe' } }))
  const { facts, ...report } = await check()
  const seen = 'status 400 in another form: write `readError` yourself'
  expect(findingOf({ facts, ...report }, 'fieldErrors')).toEqual({ name: 'fieldErrors', status: 'different', seen })
  // With another place of the message, which is written.
  const written = writeOptions({ ...facts, envelope: { message: ['text'] } })
  expect(written).toContain('message: at(body, "text")')
  expect(written).not.toMatch(/errors|fieldErrors|code:/)
})

test('the options that are written for these formats compile', () => {
  expect(allWritten).toHaveLength(FORMS.length + 3)
  expect(compilerErrors(Object.fromEntries(allWritten.entries()))).toEqual([])
})
