import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Options } from 'tsup'

const texts = new Map<string, string>()

/** Writes the whole license of each package that a build copies to `dist/LICENSES.txt`. */
export const licenses: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'licenses',
  setup(build) {
    build.onEnd(({ metafile }) => {
      for (const file of Object.keys(metafile?.inputs ?? {})) {
        const [folder, name] = /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file) ?? []
        if (folder && name) texts.set(name, licenseOf(folder))
      }
      const sections = [...texts]
        .sort()
        .map(([name, text]) => `${name}\n${'='.repeat(name.length)}\n\n${text.trim()}\n`)
      mkdirSync('dist', { recursive: true })
      writeFileSync('dist/LICENSES.txt', `Packages of which this folder contains copies.\n\n${sections.join('\n\n')}`)
    })
  },
}

function licenseOf(folder: string): string {
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
  const file = readdirSync(folder).find((name) => /^licen[sc]e(?:\.|$)/i.test(name))
  if (file === undefined) throw new Error(`${folder} has no license to copy.`)
  return `Version ${version}\n\n${readFileSync(join(folder, file), 'utf8')}`
}
