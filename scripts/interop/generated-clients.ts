import assert from 'node:assert/strict'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { createMockService } from '../../mocks/index'
import { listen } from '../../mocks/node'
import { compiler, root, tool } from '../package/step'
import type { Documents } from './check-documents'
import { commandOf, install, nodeForTools, run, workFolder } from './process'
import type { Generator } from './tools'

const TSCONFIG = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable'],
    module: 'esnext',
    moduleResolution: 'bundler',
    allowImportingTsExtensions: true,
    // Generated code is compiled; declarations of the packages that it imports are not.
    skipLibCheck: true,
    typeRoots: [`${root}node_modules/@types`],
    types: ['node'],
  },
  include: ['main.ts', 'generated'],
}

/** Generates a client, compiles it with its adapter, and signs in with it to the mock. */
export async function useGeneratedClient(generator: Generator, { openapi }: Documents): Promise<string> {
  const { name, command, config } = generator
  const [bin, ...args] = command
  const service = createMockService({ seed: 7 })
  await using server = await listen(service)
  const account = { password: 'correct horse', mfa: ['totp', 'backup'] as const }
  const ada = service.users.create({ ...account, login: 'ada@example.test', username: 'ada' })
  const grace = service.users.create({ ...account, login: 'grace@example.test', username: 'grace' })
  service.relationships.befriend(ada, grace)

  const tools = await install(generator)
  const files = { 'openapi.json': openapi, 'tsconfig.json': JSON.stringify(TSCONFIG), ...config?.(server.url) }
  const cwd = workFolder(tools, files)
  const clients = new URL('./clients/', import.meta.url).pathname
  for (const file of ['main.ts', 'scenario.ts']) copyFileSync(join(clients, file), join(cwd, file))
  copyFileSync(join(clients, `${name}.ts`), join(cwd, 'client.ts'))
  await run(await nodeForTools(), [commandOf(tools, bin), ...args], { cwd })
  await run(compiler(6), ['-p', '.'], { cwd })

  const [backup = ''] = service.users.backupCodes(ada)
  await run(tool('tsx'), ['main.ts', server.url, service.users.totp(ada), backup], { cwd })
  const calls = service.journal.requests.map(({ endpoint, status }) => `${status} ${endpoint}`)
  assert.deepEqual(calls, [
    '200 Login Account',
    '200 Verify MFA Login',
    '200 Get Relationships',
    '401 Logout Auth Sessions',
    '200 Verify MFA',
    '204 Logout Auth Sessions',
  ])
  return 'compiles with `strict`; signs in with a TOTP code, steps up with a backup code'
}
