// Measures bundles, minified and gzipped: each line of .size-limit.json and comparable packages, with esbuild and rollup as
// one file, and with Vite, whose initial chunks leave out what is loaded later.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import commonjs from '@rollup/plugin-commonjs'
import nodeResolve from '@rollup/plugin-node-resolve'
import { build as esbuild, transform } from 'esbuild'
import { rollup } from 'rollup'
import { build as vite } from 'vite'

const root = fileURLToPath(new URL('..', import.meta.url))
/** Loaded later, on first use. */
const LATER = '*/internal/simplewebauthn.js'

interface Bundle {
  readonly name: string
  /** Module to import from. */
  readonly path: string
  /** Names to import, in braces, or `*`; for several modules, by module. */
  readonly import?: string | Readonly<Record<string, string>>
  /** Packages that are not counted. */
  readonly ignore?: readonly string[]
}

const ours = JSON.parse(readFileSync(`${root}.size-limit.json`, 'utf8')) as Bundle[]
const peers: Bundle[] = [
  { name: 'ky', path: 'ky', import: '{ default as ky }' },
  { name: '@supabase/auth-js (auth only)', path: '@supabase/auth-js', import: '{ AuthClient }' },
  { name: '@octokit/core', path: '@octokit/core', import: '{ Octokit }' },
  { name: 'openai', path: 'openai', import: '{ OpenAI }' },
  { name: '@discordjs/rest', path: '@discordjs/rest', import: '{ REST }' },
]

/** Returns the code of an app that uses the imports. */
function appOf({ path, import: imports = '*' }: Bundle): string {
  return Object.entries(typeof imports === 'string' ? { [path]: imports } : imports)
    .map(([module, names], index) => {
      const from = JSON.stringify(/^(?:dist|node_modules)\//.test(module) ? root + module : module)
      const used = `globalThis.used${index}`
      if (names === '*') return `import * as all${index} from ${from}; ${used} = all${index}`
      // `{ default as ky }` is used as `ky`.
      return `import ${names} from ${from}; ${used} = ${names.replaceAll(/\w+ as /g, '')}`
    })
    .join('\n')
}

const gzipped = (code: string | Uint8Array): number => gzipSync(code, { level: 9 }).length

async function sizeWithEsbuild(code: string, ignored: readonly string[]): Promise<number> {
  const { outputFiles } = await esbuild({
    stdin: { contents: code, resolveDir: root },
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    platform: 'browser',
    external: [...ignored, 'node:*'],
    write: false,
    logLevel: 'error',
  })
  return gzipped(outputFiles[0]?.contents ?? '')
}

async function sizeWithRollup(code: string, ignored: readonly string[]): Promise<number> {
  const entry = '\0app'
  const bundle = await rollup({
    input: entry,
    external: [...ignored],
    plugins: [
      {
        name: 'app',
        resolveId: (id) => (id === entry ? entry : null),
        load: (id) => (id === entry ? code : null),
      },
      nodeResolve({ browser: true, rootDir: root }),
      commonjs(),
    ],
    onwarn: () => {},
  })
  const { output } = await bundle.generate({ format: 'es', inlineDynamicImports: true })
  const minified = await transform(output[0].code, { minify: true, format: 'esm', target: 'es2022' })
  return gzipped(minified.code)
}

/** Returns the size of the chunks that the page loads before the app can start. */
async function sizeWithVite(code: string, ignored: readonly string[]): Promise<number> {
  const entry = '\0app.js'
  const result = await vite({
    root,
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      target: 'es2022',
      modulePreload: false,
      rollupOptions: { input: entry, external: [...ignored] },
    },
    plugins: [
      {
        name: 'app',
        enforce: 'pre',
        resolveId: (id) => (id === entry ? entry : null),
        load: (id) => (id === entry ? code : null),
      },
    ],
  })
  const [{ output = [] } = {}] = [result].flat() as { output?: OutputChunk[] }[]
  const chunks = new Map(output.map((chunk) => [chunk.fileName, chunk]))
  const initial = new Set<string>()
  const visit = (chunk: OutputChunk | undefined) => {
    if (chunk?.code === undefined || initial.has(chunk.fileName)) return
    initial.add(chunk.fileName)
    for (const name of chunk.imports) visit(chunks.get(name))
  }
  visit(output.find(({ isEntry }) => isEntry))
  return [...initial].reduce((size, name) => size + gzipped(chunks.get(name)?.code ?? ''), 0)
}

interface OutputChunk {
  readonly fileName: string
  readonly code?: string
  readonly isEntry: boolean
  readonly imports: readonly string[]
}

const kilobytes = (bytes: number): string => (bytes / 1000).toFixed(2)

async function measure(bundles: readonly Bundle[]) {
  const rows = []
  for (const bundle of bundles) {
    const code = appOf(bundle)
    const ignored = [LATER, ...(bundle.ignore ?? [])]
    rows.push({
      name: bundle.name,
      'Vite, initial (kB)': kilobytes(await sizeWithVite(code, ignored)),
      'esbuild (kB)': kilobytes(await sizeWithEsbuild(code, ignored)),
      'rollup (kB)': kilobytes(await sizeWithRollup(code, ignored)),
    })
  }
  return rows
}

console.log('Bundles, minified and gzipped')
console.table(await measure(ours))
console.log('Comparable packages')
console.table(await measure(peers))
