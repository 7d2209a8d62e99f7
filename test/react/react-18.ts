import { createRequire } from 'node:module'

// Packages that the tests load, such as Testing Library and React DOM itself, require React 18 too.

const Module: { _resolveFilename: (request: string, ...rest: unknown[]) => string } = createRequire(import.meta.url)(
  'node:module',
)
const resolve = Module._resolveFilename
Module._resolveFilename = (request, ...rest) => resolve(request.replace(/^(react|react-dom)(?=$|\/)/, '$1-18'), ...rest)
