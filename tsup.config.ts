import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { defineConfig, type Options } from 'tsup'
import { emitDeclarations } from './scripts/package/declarations'
import { pureCalls } from './scripts/package/pure-calls'

// The three builds below run side by side, so none of them may clean: the folder is emptied once, here.
rmSync('dist', { recursive: true, force: true })

const library = {
  index: 'src/index.ts',
  'core/index': 'src/core.ts',
  'components/index': 'src/components/index.ts',
  'components/lint': 'src/components/lint.ts',
  'components/json-schema': 'src/components/json-schema.ts',
  'webauthn/index': 'src/webauthn/index.ts',
  'preview/index': 'src/preview/index.ts',
  'dialog/index': 'src/dialog/index.ts',
  'storage/index': 'src/storage.ts',
  'node/index': 'src/node/index.ts',
  'react/index': 'src/react/index.ts',
  'redis/index': 'src/redis/index.ts',
  'zod/index': 'src/zod/index.ts',
  'mocks/index': 'mocks/index.ts',
  'mocks/msw': 'mocks/msw.ts',
  'mocks/node': 'mocks/node.ts',
  'mocks/control': 'mocks/control/client.ts',
}

/**
 * Leaves the namespace that the client carries to the entry's own file: within a bundle, esbuild would list its names in
 * an object that keeps all of the entry in the bundle of whoever uses one of them.
 */
const components = (extension: 'js' | 'cjs'): NonNullable<Options['esbuildPlugins']> => [
  {
    name: 'components',
    setup(build) {
      const path = `./components/index.${extension}`
      build.onResolve({ filter: /^\.\/components\/index$/ }, () => ({ path, external: true, sideEffects: false }))
    },
  },
]

/** Wraps the CommonJS module of eventemitter3 in a pure call, so that bundlers can remove it. */
const eventEmitter: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'eventemitter3',
  setup(build) {
    build.onLoad({ filter: /eventemitter3[\\/]index\.mjs$/ }, ({ path }) => {
      const source = readFileSync(path.replace(/mjs$/, 'js'), 'utf8')
      const notice = '/* eventemitter3, MIT License, Copyright (c) 2014 Arnout Kazemier */'
      const body = `const module = { ${notice} exports: {} }\n${source}\nreturn module.exports`
      return { contents: `export const EventEmitter = /*@__PURE__*/ (() => {\n${body}\n})()` }
    })
  },
}

/** Repeats the directive of the React entry at the start of the file: the CommonJS build puts its helpers before it. */
const useClient: NonNullable<Options['plugins']>[number] = {
  name: 'use-client',
  buildEnd() {
    const file = 'dist/react/index.cjs'
    // On the same line, so that the source map stays right.
    writeFileSync(file, `"use client";${readFileSync(file, 'utf8')}`)
  },
}

const shared: Options = {
  outDir: 'dist',
  target: 'es2022',
  // Shared chunks keep one copy of each class, so `instanceof` holds across entries.
  splitting: true,
  removeNodeProtocol: false,
  sourcemap: false,
  clean: false,
}

export default defineConfig([
  {
    ...shared,
    format: 'esm',
    // With the sources, since `src/` is not published. Those of the CommonJS build would contain the paths of this machine.
    sourcemap: true,
    // Copies of both, as of ky in the CommonJS build: Node loads them faster, and bundlers keep the import of
    // `eventemitter3`, a CommonJS module, for whoever uses one enumeration. ky is in a chunk of its own, because parts of it
    // run when it is loaded.
    noExternal: ['ky', 'eventemitter3'],
    entry: {
      ...library,
      'mocks/cli': 'mocks/cli.ts',
      'internal/emitter': 'src/internal/emitter.ts',
      'internal/ky': 'src/transport/retry-with-ky.ts',
    },
    esbuildPlugins: [pureCalls, eventEmitter, ...components('js')],
  },
  // ky ships ES modules only, and Jest takes otpauth's ES module for jsdom, which `require` cannot load: the CommonJS build
  // carries copies of both. jsdom has no TextEncoder, which ky uses when it is loaded.
  {
    ...shared,
    format: 'cjs',
    entry: library,
    noExternal: ['ky', 'otpauth'],
    esbuildOptions: (options) => {
      options.inject = ['scripts/text-encoder.ts']
      options.alias = { otpauth: 'otpauth/dist/otpauth.esm.js' }
    },
    esbuildPlugins: [pureCalls, ...components('cjs')],
    plugins: [useClient],
  },
  {
    ...shared,
    format: ['esm', 'cjs'],
    entry: library,
    dts: {
      only: true,
      entry: emitDeclarations(library),
      // `Symbol.asyncDispose` is in no `lib` up to ES2024: without this line, users who check their libraries get errors.
      banner: '/// <reference lib="esnext.disposable" />',
    },
  },
])
