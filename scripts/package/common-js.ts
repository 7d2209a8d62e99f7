import { transform } from 'sucrase'
import type { Options } from 'tsup'

/**
 * Converts modules to CommonJS as tsup does with its copy of sucrase, but keeps `?.` and `??`, which every supported runtime
 * has: replaced by calls of functions, they take a tenth of the size of a module.
 */
export const commonJs: NonNullable<Options['plugins']>[number] = {
  name: 'common-js',
  buildStart() {
    // Its own conversion, which comes after those of plugins, applies to modules that are split.
    this.splitting = false
  },
  renderChunk: (code, { path }) =>
    transform(code, { filePath: path, transforms: ['imports'], disableESTransforms: true }),
}
