import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { defineConfig, type Options } from 'tsup'
import { commonJs } from './scripts/package/common-js'
import { emitDeclarations } from './scripts/package/declarations'
import { docComments } from './scripts/package/doc-comments'
import { library } from './scripts/package/entries'
import { tabs } from './scripts/package/indentation'
import { licenses } from './scripts/package/licenses'
import { pureCalls } from './scripts/package/pure-calls'

// The three builds below run side by side, so none of them may clean: the folder is emptied once, here.
rmSync('dist', { recursive: true, force: true })

/**
 * Leaves the namespace that the client carries to the entry's own file: within a bundle, esbuild would list its names in
 * an object that keeps all of the entry in the bundle of whoever uses one of them.
 */
const components = (extension: 'js' | 'cjs'): NonNullable<Options['esbuildPlugins']> => [
  {
    name: 'components',
    setup(build) {
      const path = `./components/index.${extension}`
      build.onResolve({ filter: /^\.\.\/components\/index$/ }, () => ({ path, external: true, sideEffects: false }))
    },
  },
]

/**
 * Imports eventemitter3 by a file of this package: bundlers keep the import of a CommonJS module wherever it is, but leave
 * out files of which nothing is used.
 */
const eventEmitter: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'eventemitter3',
  setup(build) {
    build.onResolve({ filter: /^eventemitter3$/ }, ({ importer, path }) => {
      const isOurs = importer.endsWith('scripts/package/eventemitter3.ts')
      return { path: isOurs ? path : './internal/eventemitter3.js', external: true, sideEffects: false }
    })
  },
}

/**
 * Imports what is copied of @simplewebauthn/browser by a file of this package: 0.7 MB less for apps to install, and a file that
 * nothing loads before a passkey prompt.
 */
const webAuthn = (extension: 'js' | 'cjs'): NonNullable<Options['esbuildPlugins']>[number] => ({
  name: 'simplewebauthn',
  setup(build) {
    build.onResolve({ filter: /^@simplewebauthn\/browser$/ }, ({ importer }) => {
      const isOurs = importer.endsWith('scripts/package/simplewebauthn.ts')
      return isOurs ? undefined : { path: `./internal/simplewebauthn.${extension}`, external: true, sideEffects: false }
    })
  },
})

/** Repeats the directive of the React entry at the start of the file: the CommonJS build puts its helpers before it. */
const useClient: NonNullable<Options['plugins']>[number] = {
  name: 'use-client',
  buildEnd() {
    const file = 'dist/react/index.cjs'
    writeFileSync(file, `"use client";${readFileSync(file, 'utf8')}`)
  },
}

/**
 * Only the mocks need otpauth, so they contain it. The slim file imports its hashes, whose license is then copied too; codes of
 * apps need SHA-1 alone.
 */
const bundled = {
  otpauth: 'otpauth/dist/otpauth.slim.esm.min.js',
  '@noble/hashes/sha2.js': './scripts/package/unused-hashes.ts',
  '@noble/hashes/sha3.js': './scripts/package/unused-hashes.ts',
}

const shared: Options = {
  outDir: 'dist',
  target: 'es2022',
  // Shared chunks keep one copy of each class, so `instanceof` holds across entries.
  splitting: true,
  removeNodeProtocol: false,
  // Maps would double the package. Without the sources, they lead to files that it does not have: Vite and Vitest warn of each,
  // and developer tools show nothing in place of these files, which are not minified.
  sourcemap: false,
  clean: false,
}

export default defineConfig([
  {
    ...shared,
    format: 'esm',
    // Not to be copied, but for the plugin below to see it.
    noExternal: ['eventemitter3', '@simplewebauthn/browser'],
    entry: {
      ...library,
      'doctor/cli': 'src/doctor/command.ts',
      'mocks/cli': 'mocks/cli.ts',
      'internal/eventemitter3': 'scripts/package/eventemitter3.ts',
      'internal/simplewebauthn': 'scripts/package/simplewebauthn.ts',
    },
    esbuildOptions: (options) => {
      options.charset = 'utf8'
      options.alias = bundled
    },
    esbuildPlugins: [pureCalls, docComments, eventEmitter, webAuthn('js'), licenses, ...components('js')],
    plugins: [tabs],
  },
  // ky ships ES modules only, which `require` cannot load: the CommonJS build carries a copy. jsdom has no TextEncoder, which
  // ky uses when it is loaded.
  {
    ...shared,
    format: 'cjs',
    entry: { ...library, 'internal/simplewebauthn': 'scripts/package/simplewebauthn.ts' },
    noExternal: ['ky', '@simplewebauthn/browser'],
    esbuildOptions: (options) => {
      options.charset = 'utf8'
      options.inject = ['scripts/text-encoder.ts']
      // Who reads the code finds it in the ES modules. In short lines, which Node prints with an error that nothing catches.
      options.minifyWhitespace = true
      options.lineLimit = 120
      options.alias = bundled
    },
    esbuildPlugins: [pureCalls, docComments, webAuthn('cjs'), licenses, ...components('cjs')],
    plugins: [commonJs, useClient],
  },
  {
    ...shared,
    format: 'cjs',
    entry: library,
    dts: {
      only: true,
      entry: emitDeclarations(library),
      // `Symbol.asyncDispose` is in no `lib` up to ES2024: without this line, users who check their libraries get errors.
      banner: '/// <reference lib="esnext.disposable" />',
    },
  },
])
