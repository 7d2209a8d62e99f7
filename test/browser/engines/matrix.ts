import type { EngineName } from './engine'

/** Rows of the table of browsers in docs/guides/runtimes.md. */
export const ROWS = [
  'ES modules of a Vite build',
  'sign-in and step-up, service on another origin (CORS)',
  'sign-in and step-up, mock in the page',
  'gateway: a lost connection is resumed',
  'live stores',
  'two tabs',
  'back/forward cache',
  'full storage',
  'blocked storage',
  'sandboxed iframe',
  'strict Content-Security-Policy',
  'Trusted Types',
  'dedicated worker',
  'shared worker',
  'service worker',
  'dialog element',
  'preview',
  'playground',
  'passkeys, signatures verified',
  'verification cookie over HTTPS, same site',
  'verification cookie over HTTPS, other site',
  'cookie session over HTTPS',
  'requests of other sites are refused',
] as const

export type Row = (typeof ROWS)[number]

/** What a test proves. */
export interface Proof {
  readonly engine: EngineName
  readonly version: string
  readonly rows: readonly Row[]
  /** What the engine lacks, if the test proves that. */
  readonly lacks?: string
}

declare module 'vitest' {
  interface TaskMeta {
    proof?: Proof
  }
}
