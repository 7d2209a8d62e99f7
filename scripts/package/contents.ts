import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { packedFiles } from './pack'
import { root } from './step'

/** Packages of which `dist/` contains a copy; ky only in the CommonJS modules. */
const COPIED = ['@noble/hashes', '@simplewebauthn/browser', 'ky', 'otpauth']

/** Checks that the licenses of all copied packages are in `dist/`, that nothing else is copied, and ky only where it must be. */
export function checkCopies(): void {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { dependencies: object }
  const modules = readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.js'))
    .map((file) => readFileSync(join(root, 'dist', file), 'utf8'))
  for (const name of Object.keys(dependencies)) {
    if (!modules.some((text) => text.includes(`from "${name}"`) || text.includes(`import("${name}")`)))
      throw new Error(`No ES module imports ${name}.`)
    if (modules.some((text) => text.includes(`// node_modules/${name}/`)))
      throw new Error(`An ES module contains a copy of ${name}.`)
  }
  const text = readFileSync(join(root, 'dist/LICENSES.txt'), 'utf8')
  const names = [...text.matchAll(/^(.+)\n=+\n/gm)].map(([, name]) => name)
  if (names.join() !== COPIED.join()) throw new Error(`dist/LICENSES.txt is of ${names}, not of ${COPIED}.`)
  const isWhole = text.split('THE SOFTWARE IS PROVIDED').length === COPIED.length + 1
  if (!isWhole) throw new Error('dist/LICENSES.txt lacks the text of a license.')
  console.log('ok   copies and their licenses')
}

/** Checks that the tarball contains no reports of the API, no images and no source maps. */
export function checkContents(tarball: string): void {
  const wrong = packedFiles(tarball).filter((file) => /^docs\/api\/|\.(?:map|png|jpe?g|gif|svg|webp)$/.test(file))
  if (wrong.length > 0) throw new Error(`The package contains ${wrong}.`)
}

/** Checks what an app gets that installs the package alone, in megabytes: what is unpacked, and what `du` shows. */
export function checkInstalledSize(folder: string): void {
  const unpacked = sumOf(join(folder, 'node_modules/rapport-sdk'), ({ size }) => size)
  const installed = sumOf(join(folder, 'node_modules'), ({ blocks }) => blocks * 512)
  const text = `${unpacked.toFixed(2)} of 4 MB unpacked, ${installed.toFixed(2)} of 6 MB installed`
  if (unpacked > 4 || installed > 6) throw new Error(`The package is too large: ${text}.`)
  console.log(`ok   ${text}`)
}

function sumOf(folder: string, bytesOf: (stats: { readonly size: number; readonly blocks: number }) => number): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile())
  return files.reduce((sum, { parentPath, name }) => sum + bytesOf(statSync(join(parentPath, name))), 0) / 1_000_000
}
