import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client, type ClientOptions, defaultGatewayProtocol } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'
import { describe, expect, test } from 'vitest'
import { withConventions } from '../../scripts/docs/conventions'
import { type ConventionName, conventions } from '../../src/doctor/conventions'
import { sources, textOf } from '../architecture/sources'

const ROOT = join(import.meta.dirname, '../..')
const names = conventions.map(({ name }) => name)

/** Returns the value at a path of an object; `undefined` if there is none. */
const valueAt = (root: unknown, path: string): unknown =>
  path.split('.').reduce((value, key) => Object(value)[key], root)

test('names of conventions are unique, in camelCase, and each row has all texts', () => {
  expect(new Set(names).size).toBe(names.length)
  for (const { name, ...texts } of conventions) {
    expect(name).toMatch(/^[a-z]+(?:[A-Z][a-z]+)*$/)
    expect(Object.values(texts)).not.toContain('')
  }
})

test('a section in which the document is silent is a section of it', () => {
  const document = textOf('docs/interface.md').toLowerCase()
  const sections = conventions.flatMap(({ silent }) => silent.match(/^[A-Za-z. ]+/)?.[0]?.trim() ?? [])
  expect(sections.filter((section) => !document.includes(section.toLowerCase()))).toEqual([])
})

describe('options and policy', () => {
  const options = conventions.flatMap(({ option }) => option ?? [])
  const policies = conventions.flatMap(({ policy }) => policy ?? [])

  test.each(options)('the client has the option %s', (option) => {
    const [first = '', second] = option.split('.')
    // Neither a value of the option nor the name of another one is accepted.
    const wrong = second === undefined ? { [first]: Symbol(first) } : { [first]: { [second]: Symbol(second) } }
    const create = () => new Client({ baseUrl: 'https://service.example', ...wrong } as ClientOptions)
    expect(create).toThrow(new RegExp(`\\b${option.replace('.', '\\.')}: (?!unknown)`))
  })

  test.each(policies)('the policy of the mock has %s, as JSON', (policy) => {
    const { policySettings } = createMockService()
    expect(valueAt(policySettings, policy)).not.toBeUndefined()
  })

  test('settings of the policy that concern the wire have a row', () => {
    const wire = ['authorization', 'errorEnvelope', 'retryAfterUnit', 'errors', 'requireMfa', 'lifetimes']
    expect(wire.filter((name) => !policies.some((policy) => policy.split('.')[0] === name))).toEqual([])
    // The document shows its name.
    expect(policies).not.toContain('mfaHeader')
  })

  test('members of the protocol of the gateway belong to rows that it replaces', () => {
    expect(Object.keys(defaultGatewayProtocol).length).toBe(7)
    expect(conventions.filter(({ option }) => option === 'gateway.protocol').length).toBeGreaterThan(7)
  })
})

/**
 * Files that speak of a convention, with its rows; none if it is a convention of another document, such as those for traces. A
 * file that is not listed fails, and so does a row without a file.
 */
const PLACES: Readonly<Record<string, readonly ConventionName[]>> = {
  'docs/components.md': ['textLength'],
  'docs/guides/components.md': ['emojiFields', 'interactionData'],
  'docs/guides/how-do-i.md': ['blockType'],
  'docs/guides/live-stores.md': ['readyLists'],
  'docs/guides/migrating-from-fetch.md': ['gatewayFrames'],
  'docs/guides/operating.md': [],
  'docs/guides/other-tools.md': ['errorEnvelope', 'gatewayFrames'],
  'docs/guides/preview.md': ['appearance', 'embedFields'],
  'docs/guides/requests.md': ['retryAfterUnit', 'rateLimitHeaders', 'globalRateLimit', 'requestId'],
  'docs/guides/security.md': ['authorizationScheme', 'errorEnvelope', 'mfaFailureStatuses', 'gatewayFrames'],
  'docs/guides/sign-in-and-step-up.md': ['mfaFailureStatuses', 'readyUser'],
  'docs/guides/testing-with-the-mock.md': ['errorEnvelope', 'stepUpRefusal', 'retryAfterUnit'],
  'docs/guides/testing-the-gateway.md': ['gatewayHeartbeat', 'gatewayResume', 'logoutClosesGateway'],
  'mocks/errors.ts': ['errorEnvelope', 'errorCodes'],
  'mocks/faults.ts': ['errorEnvelope', 'retryAfterUnit'],
  'mocks/gateway/hub.ts': ['eventNames'],
  'mocks/gateway/connection.ts': ['gatewayUrl'],
  'mocks/gateway/receive.ts': ['gatewayReady', 'readyUser', 'readyLists'],
  'mocks/node.ts': ['bodyLimits'],
  'mocks/policy.ts': [
    'tokenRequirement',
    'unauthorizedStatus',
    'stepUpEndpoints',
    'lifetimes',
    'relationshipTransitions',
    'widgetConfigStatus',
    'gatewayHeartbeat',
    'gatewayResume',
    'readyLists',
    'logoutClosesGateway',
  ],
  'mocks/recording/mask.ts': ['errorEnvelope', 'snowflakesAreDigits'],
  'mocks/request.ts': ['bodyLimits'],
  'mocks/router.ts': ['messageEndpoint'],
  'mocks/state/relationships.ts': ['eventPayloads'],
  'src/client/options.ts': [
    'authorizationScheme',
    'errorEnvelope',
    'fieldErrors',
    'stepUpRefusal',
    'retryAfterUnit',
    'rateLimitHeaders',
    'globalRateLimit',
    'rateLimitScope',
    'requestId',
  ],
  'src/components/answers.ts': ['interactionData'],
  'src/components/base.ts': ['emojiFields'],
  'src/components/changes.ts': ['messageEndpoint'],
  'src/components/constants.ts': ['messageFlags'],
  'src/components/custom-id.ts': ['snowflakesAreDigits'],
  'src/components/factory.ts': ['emojiFields'],
  'src/components/json-schema.ts': ['modalEnvelope'],
  'src/components/messages.ts': ['modalEnvelope'],
  'src/components/plain-object.ts': ['emojiFields'],
  'src/components/specs.ts': ['modalEnvelope'],
  'src/components/validate.ts': ['modalEnvelope'],
  'src/components/walk.ts': ['messageEndpoint'],
  'src/contract/gateway-events.ts': ['gatewayReady', 'readyUser', 'readyLists', 'eventPayloads'],
  'src/contract/identities.ts': ['profileMetadataLength'],
  'src/dialog/options.ts': ['codeFormat'],
  'src/dialog/view.ts': ['codeFormat'],
  'src/errors/explain.ts': ['mfaFailureStatuses', 'gatewayCloseCodes'],
  'src/gateway/gateway.ts': ['gatewayFrames'],
  'src/gateway/options.ts': ['gatewayFrames'],
  'src/gateway/protocol.ts': [
    'gatewayFrames',
    'gatewayHello',
    'gatewayIdentify',
    'gatewayHeartbeat',
    'gatewayResume',
    'gatewayCloseCodes',
    'eventNames',
  ],
  'src/live/stores.ts': ['eventPayloads'],
  'src/mfa/options.ts': ['mfaFailureStatuses'],
  'src/mfa/step-up.ts': ['mfaFailureStatuses'],
  'src/otel/attributes.ts': [],
  'src/preview/components.ts': ['embedFields'],
  'src/preview/controls.ts': ['emojiFields'],
  'src/preview/html.ts': ['appearance'],
  'src/preview/index.ts': ['appearance'],
  'src/preview/markdown.ts': ['appearance'],
  'src/resources/relationships.ts': ['blockType'],
  'src/session/session.ts': ['readyUser'],
  'src/transport/request.ts': ['snowflakesAreDigits'],
  'src/transport/response.ts': ['errorEnvelope', 'fieldErrors', 'retryAfterUnit', 'rateLimitHeaders'],
}

/** Returns the paths of the files of the package and its guides that say "convention". */
function filesWithConventions(): string[] {
  const guides = readdirSync(join(ROOT, 'docs/guides')).map((name) => `docs/guides/${name}`)
  const paths = [...['src', 'mocks'].flatMap(sources).map(({ path }) => path), ...guides, 'docs/components.md']
  const isData = /^src\/doctor\/|the-real-service\.md$|\.json$/
  return paths.filter((path) => !isData.test(path) && /convention/i.test(textOf(path))).sort()
}

test('every file that speaks of a convention is listed with its rows', () => {
  expect(Object.keys(PLACES).sort()).toEqual(filesWithConventions())
})

test('every row has a place in the code or a guide', () => {
  const listed = new Set(Object.values(PLACES).flat())
  expect(names.filter((name) => !listed.has(name))).toEqual([])
})

test('the table of the guide is generated from the conventions', () => {
  const guide = readFileSync(join(ROOT, 'docs/guides/the-real-service.md'), 'utf8')
  expect(guide).toBe(withConventions(guide))
})
