import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { expect, onTestFinished, test, vi } from 'vitest'
import { markdownBlocks } from '../../scripts/docs/blocks'
import { root } from '../../scripts/docs/sources'
import { temporaryFolder } from '../temporary-files'
import { createProcess, KEY, loseWrites, saveWrites, setUp, upTo, WAIT } from './events-set-up'

const GUIDE = 'docs/guides/running-a-fleet.md'

/** Runs the example of the guide that handles each event once, as it is written, in a process. Returns the lines it writes. */
async function runExample(port: number) {
  const found = markdownBlocks(GUIDE, readFileSync(join(root, GUIDE), 'utf8')).find(({ code }) =>
    code.includes('seen.has'),
  )
  const example = found?.code.replace("stream: 'my-app', account: '42'", "stream: 'test', account: 'ada'")
  const code = example?.replace(
    'createClient()',
    `createClient({ url: 'redis://127.0.0.1:${port}' }).on('error', () => {})`,
  )
  const folder = temporaryFolder()
  const outfile = join(folder, 'example.mjs')
  const banner = { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" }
  const stdin = { contents: code ?? '', resolveDir: root, loader: 'ts' as const }
  await build({
    stdin,
    outfile,
    banner,
    bundle: true,
    format: 'esm',
    platform: 'node',
    tsconfig: join(root, 'tsconfig.json'),
  })
  const child = spawn(process.execPath, [outfile], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    if (child.exitCode === null) await once(child, 'exit')
  })
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += String(chunk)
  })
  return () => [...output.matchAll(/nickname: 'n(\d+)'/g)].map(([, number]) => Number(number))
}

test('the example of the guide handles each event once, although Redis loses writes in failovers', async () => {
  const { service, redis, redisServer } = await setUp()
  const { client, hold, numbers } = createProcess(redis, service, { leaseMs: 1_000 })
  hold()
  await client.gateway.connect()
  const handled = await runExample(redisServer.port)

  for (const round of upTo(3)) {
    service.emit(4)
    await vi.waitFor(() => expect(handled()).toEqual(upTo(round * 8 - 4)), WAIT)
    await saveWrites(redis, 'mailer')
    service.emit(4)
    await vi.waitFor(() => expect(handled()).toEqual(upTo(round * 8)), WAIT)
    await loseWrites(redis, 'mailer')
    await vi.waitFor(async () => expect(await redis.xLen(KEY)).toBe(1 + round * 8), WAIT)
  }
  service.emit(1)

  await vi.waitFor(() => expect(handled()).toEqual(upTo(25)), WAIT)
  // It receives them on its own, perhaps later.
  await vi.waitFor(() => expect(numbers).toEqual(upTo(25)), WAIT)
})
