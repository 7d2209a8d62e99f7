import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { servePages } from './harness/page-server'

/** Part of Playwright's JSON report. */
interface Report {
  readonly suites: readonly {
    readonly specs: readonly {
      readonly title: string
      readonly tests: readonly {
        readonly results: readonly {
          readonly status: string
          readonly errors: readonly { readonly message: string }[]
          readonly attachments: readonly {
            readonly name: string
            readonly contentType: string
            readonly body?: string
          }[]
        }[]
      }[]
    }[]
  }[]
  readonly errors: readonly { readonly message: string }[]
}

let report: Report
beforeAll(async () => {
  const [pages, folder] = [await servePages(), await mkdtemp(join(tmpdir(), 'rapport-playwright-'))]
  const installed = join(folder, 'node_modules')
  const specs = join(installed, 'specs')
  await mkdir(installed)
  await symlink(resolve('node_modules/@playwright'), join(installed, '@playwright'))
  // Bundled, since Playwright's loader does not know the settings that the sources need; as an installed package, which it
  // does not compile in each of its processes.
  await build({
    entryPoints: ['test/browser/playwright/mock.spec.ts'],
    outfile: join(specs, 'mock.spec.mjs'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    external: ['@playwright/test'],
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  })
  const settings = {
    testDir: specs,
    outputDir: join(specs, 'output'),
    timeout: 300_000,
    workers: 2,
    fullyParallel: true,
    use: { baseURL: pages.origin, connectOptions: { wsEndpoint: inject('browserEndpoint') } },
  }
  const config = join(folder, 'playwright.config.mjs')
  await writeFile(config, `export default ${JSON.stringify(settings)}`)
  const env = { ...process.env, NO_COLOR: '1' }
  const args = ['node_modules/@playwright/test/cli.js', 'test', '--config', config, '--reporter=json']
  const { stdout, stderr } = await new Promise<{ stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, args, { env, maxBuffer: 2 ** 26 }, (_, stdout, stderr) => resolve({ stdout, stderr }))
  })
  await Promise.all([pages.close(), rm(folder, { recursive: true, force: true })])
  if (!stdout.startsWith('{')) throw new Error(stderr + stdout)
  report = JSON.parse(stdout)
})

const specs = () => report.suites.flatMap(({ specs }) => specs)
const resultOf = (title: string) => specs().find((spec) => spec.title === title)?.tests[0]?.results[0]

describe('the fixtures of Playwright', () => {
  test.each([
    ...[1, 2, 3, 4].map((attempt) => `a test has a service of its own (${attempt} of 4)`),
    'a user signs in on the page with a password',
    'a sign-out lasts after signInAs, also when the page is loaded again',
    'an app that keeps its token elsewhere signs in by the option signIn',
    'the gateway of the page is that of the service',
    'faults reach the page, also those that lose the response',
    'a virtual passkey signs in, until it is not present',
    'the clock moves the timers of the page and the service',
  ])('in a test, %s', (title) => {
    expect(report.errors).toEqual([])
    expect(resultOf(title)?.errors.map(({ message }) => message)).toEqual([])
    expect(resultOf(title)?.status).toBe('passed')
    expect(resultOf(title)?.attachments).toEqual([])
  })

  test('the report of a failed test contains its requests and the journal, without passwords', () => {
    const { status, attachments = [] } = resultOf('fails on purpose') ?? {}
    const texts = attachments.map(({ name, body = '' }) => [name, Buffer.from(body, 'base64').toString()] as const)
    const { 'mock-requests': lines, 'mock-journal': journal = '' } = Object.fromEntries(texts)
    expect(status).toBe('failed')
    expect(lines).toBe(
      'Requests of the mock:\n' +
        '  200 POST /auth/login (Login Account)\n' +
        '  400 POST /auth/login (Login Account) - Invalid Form Body',
    )
    expect(JSON.parse(journal)).toMatchObject([{ status: 200 }, { status: 400, reason: { code: 50035 } }])
    expect(journal).not.toContain('correct horse')
  })
})
