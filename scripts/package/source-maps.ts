import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './step'

/** Checks that each ES module has a source map without sources, for stack traces, and that none contains a path of this machine. */
export function checkSourceMaps(): void {
  const files = readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' })
  for (const file of files.filter((name) => name.endsWith('.js'))) {
    if (!files.includes(`${file}.map`)) throw new Error(`dist/${file} has no source map.`)
  }
  for (const file of files.filter((name) => name.endsWith('.map'))) {
    const { sources, sourcesContent } = JSON.parse(readFileSync(join(root, 'dist', file), 'utf8')) as {
      readonly sources: readonly string[]
      readonly sourcesContent?: readonly string[]
    }
    if (sourcesContent !== undefined) throw new Error(`dist/${file} contains its sources.`)
    const outside = sources.find(
      (source) => !/^(?:\.\.\/)+(?:(?:src|mocks|scripts|node_modules)\/|package.json$)/.test(source),
    )
    if (outside !== undefined) throw new Error(`dist/${file} has a source that is not relative: ${outside}`)
  }
  console.log('ok   source maps')
}
