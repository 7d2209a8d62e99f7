import { transform } from 'sucrase'
import type { Options } from 'tsup'

/**
 * Converts modules to CommonJS as tsup does, with its own dependency sucrase, but in three quarters of the size: `?.` and `??`
 * stay, since every supported runtime has them, names of chunks are short, and calls are not marked as pure, which bundlers
 * read in ES modules only.
 */
export const commonJs: NonNullable<Options['plugins']>[number] = {
  name: 'common-js',
  buildStart() {
    // The conversion of tsup, which comes after those of plugins, applies to modules that are split.
    this.splitting = false
  },
  renderChunk(source, { path }) {
    const { code } = transform(source, { filePath: path, transforms: ['imports'], disableESTransforms: true })
    return { code: shorten(code) }
  },
}

function shorten(code: string): string {
  const names: string[] = []
  const shortName = (name: string) => {
    if (!names.includes(name)) names.push(name)
    return `_m${names.indexOf(name)}`
  }
  return (
    code
      .replace(/\b_chunk[0-9A-Z]{8}cjs\b/g, shortName)
      // No function of a chunk uses `this`.
      .replace(/\b(_m\d+\.\w+)\.call\(void 0, /g, '$1(')
      .replace(/\b(_\w+\.\w+)\.call\(void 0, /g, '(0, $1)(')
      .replaceAll('/* @__PURE__ */ ', '')
      .replace(/\n{3,}/g, '\n\n')
  )
}
