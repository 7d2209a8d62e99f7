import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build as bundleByEsbuild } from 'esbuild'
import { build as bundleByVite, type Rolldown } from 'vite'
import { endpoints } from '../../src/contract'

// Bundles apps that use some parts of the built package, with esbuild and with Vite, and fails if a bundle contains an
// endpoint of a part that the app does not use, ky, which only `Client` has, or eventemitter3 without the part `gateway`, or
// if the first chunk that Vite writes is larger than its budget.

const dist = resolve('dist')
const folder = resolve('node_modules/.cache/bundles')

/** Endpoints that parts use besides those of their own namespace. */
const MORE: Readonly<Record<string, readonly string[]>> = {
  auth: ['Send MFA SMS'],
  live: ['Get Relationships', 'Get Game Relationships', 'Get Friend Suggestions'],
}

interface App {
  readonly parts: readonly string[]
  /** Maximum size of the first chunk that Vite writes, with gzip, in kilobytes. */
  readonly limit?: number
}

/** Calls of `client.auth` that a part of their own adds. */
const AUTH_PARTS: Readonly<Record<string, readonly string[]>> = {
  passkeys: ['startPasswordlessLogin', 'finishPasswordlessLogin'],
  registration: [
    'register',
    'registerPhone',
    'getLocationMetadata',
    'validatePassword',
    'suggestUsername',
    'checkUsername',
  ],
  recovery: ['forgotPassword', 'resetPassword', 'oneTimeLogin', 'revertAccount'],
}

/** Part that adds a call, such as `client.auth.register`. */
function partOf(call: string): string {
  const [, namespace = '', method = ''] = call.split('.')
  if (namespace !== 'auth') return namespace
  return Object.keys(AUTH_PARTS).find((name) => AUTH_PARTS[name]?.includes(method)) ?? namespace
}

const RESOURCES = ['auth', 'mfa', 'widgets', 'identities', 'widgetConfigs', 'relationships', 'gameRelationships']
const NAMESPACES = [...RESOURCES, 'friendSuggestions']
const CALLS = [...NAMESPACES, ...Object.keys(AUTH_PARTS)]
const APPS: readonly App[] = [
  { parts: [] },
  ...[...NAMESPACES.slice(1), 'gateway', 'request'].map((part) => ({ parts: [part] })),
  { parts: ['live', 'gateway'] },
  { parts: ['auth'], limit: 29.5 },
  { parts: ['auth', 'relationships'], limit: 30.4 },
  { parts: ['auth', 'relationships', 'mfa', 'gateway'], limit: 43.5 },
  { parts: ['auth', 'relationships', 'mfa', 'gateway', 'live'], limit: 48.2 },
  ...Object.keys(AUTH_PARTS).map((part) => ({ parts: ['auth', part] })),
  { parts: CALLS, limit: 38.7 },
]

/** Code of an app whose client has these parts. */
function appOf(parts: readonly string[]): string {
  const names = parts.join(', ')
  return `import { createClient, ${names} } from ${JSON.stringify(join(dist, 'core/index.js'))}
globalThis.client = createClient({ baseUrl: 'https://service.example' }, { ${names} })`
}

async function esbuild(code: string): Promise<string> {
  const options = { bundle: true, format: 'esm', platform: 'browser', write: false, logLevel: 'error' } as const
  const stdin = { contents: code, resolveDir: folder }
  const { outputFiles } = await bundleByEsbuild({ ...options, stdin, external: ['*/internal/simplewebauthn.js'] })
  return outputFiles.map(({ text }) => text).join('\n')
}

/** Whether a bundle that is not minified contains ky, by the name of one of its options. */
const containsKy = (code: string): boolean => code.includes('backoffLimit')

/** Whether a bundle that is not minified contains eventemitter3, by the name of one of its private members. */
const containsEventEmitter = (code: string): boolean => code.includes('_eventsCount')

/** Whether a bundle that is not minified contains the code of passkeys in browsers, by a function of it. */
const containsPasskeys = (code: string): boolean => code.includes('runBrowserCeremony')

/** Returns the chunks that the page loads first. */
async function vite(code: string, minify: boolean): Promise<string[]> {
  const file = join(folder, 'app.js')
  writeFileSync(file, code)
  const output = (await bundleByVite({
    configFile: false,
    root: folder,
    logLevel: 'error',
    build: { write: false, minify, modulePreload: false, rollupOptions: { input: file } },
  })) as Rolldown.RolldownOutput
  const chunks = output.output.filter((chunk) => chunk.type === 'chunk')
  const first = chunks.filter(({ isEntry }) => isEntry)
  for (const { imports } of first)
    first.push(...chunks.filter((one) => imports.includes(one.fileName) && !first.includes(one)))
  return first.map((chunk) => chunk.code)
}

/** Returns the names of the endpoints in a bundle that is not minified. */
function endpointsIn(code: string): string[] {
  const line = code.replaceAll(/\s+/g, ' ')
  const found = endpoints.filter(({ endpoint: { name, method } }) => line.includes(`"${name}", "${method}"`))
  return found.map(({ endpoint }) => endpoint.name)
}

mkdirSync(folder, { recursive: true })
const wholeClient = await esbuild(`export { Client } from ${JSON.stringify(join(dist, 'index.js'))}`)
let isFailed = !containsKy(wholeClient) || !containsEventEmitter(wholeClient)
if (isFailed) console.error('`Client` lacks ky or eventemitter3, or they cannot be recognized')
for (const { parts, limit } of APPS) {
  const code = appOf(parts)
  const own = endpoints.filter(({ call }) => parts.includes(partOf(call)))
  const expected = new Set([...own.map(({ endpoint }) => endpoint.name), ...parts.flatMap((part) => MORE[part] ?? [])])
  const bundles = { esbuild: await esbuild(code), Vite: (await vite(code, false)).join('\n') }
  for (const [bundler, bundle] of Object.entries(bundles)) {
    const found = endpointsIn(bundle)
    const wrong = [
      ...found.filter((name) => !expected.has(name)).map((name) => `contains ${name}`),
      ...[...expected].filter((name) => !found.includes(name)).map((name) => `lacks ${name}`),
      ...(containsKy(bundle) ? ['contains ky'] : []),
      ...(containsPasskeys(bundle) !== parts.includes('passkeys') ? ['has or lacks the ceremonies of browsers'] : []),
      ...(containsEventEmitter(bundle) && !parts.includes('gateway') ? ['contains eventemitter3'] : []),
    ]
    if (wrong.length > 0) console.error(`${bundler}, parts ${parts.join(', ') || 'none'}: ${wrong.join('; ')}`)
    isFailed ||= wrong.length > 0
  }
  if (limit === undefined) continue
  const size = (await vite(code, true)).reduce((sum, chunk) => sum + gzipSync(chunk).byteLength, 0) / 1000
  console.log(`${size.toFixed(2)} kB of ${limit} kB: first chunk by Vite, parts ${parts.join(', ')}`)
  isFailed ||= size > limit
}
rmSync(folder, { recursive: true, force: true })
process.exitCode = isFailed ? 1 : 0
