/** A runtime of the matrix. */
export interface Runtime {
  /** Name in the table. */
  readonly name: string
  /** Name of its npm package and of its command. */
  readonly package: 'node' | 'bun' | 'deno' | 'miniflare'
  /** Version of the package. */
  readonly version: string
  /** Arguments between the command and the file. */
  readonly args: readonly string[]
  /** Versions of msw that are tested on it. */
  readonly msw: readonly string[]
  /** Restrictions of the test, shown below the table. */
  readonly note?: string
}

/** Versions of msw, the optional peer: the first and the newest of the range. */
export const MSW = { two: '2.15.0', three: '3.0.5' } as const

const both = [MSW.two, MSW.three]

/** The runtimes, in the order of the table. Node 20 is the lowest version of `engines`. */
export const RUNTIMES: readonly Runtime[] = [
  {
    name: 'Node 20',
    package: 'node',
    version: '20.19.0',
    args: [],
    msw: [MSW.two],
    note: 'the lowest supported version. msw 3 needs Node 22.12.',
  },
  { name: 'Node 22', package: 'node', version: '22.23.3', args: [], msw: both },
  { name: 'Node 24', package: 'node', version: '24.21.0', args: [], msw: both },
  { name: 'Node 26', package: 'node', version: '26.10.0', args: [], msw: both },
  {
    name: 'Bun',
    package: 'bun',
    version: '1.4.5',
    args: [],
    msw: [MSW.two],
    note: 'msw 3 does not intercept `fetch`, with or without this package.',
  },
  {
    name: 'Deno',
    package: 'deno',
    version: '2.9.6',
    args: ['run', '--allow-all', '--quiet'],
    msw: [],
    note:
      'msw is not tested: a process that has used msw 2 does not exit, and msw 3 does not intercept `fetch`, ' +
      'with or without this package.',
  },
  {
    name: 'workerd',
    package: 'miniflare',
    version: '4.20260730.0',
    args: [],
    msw: [],
    note:
      'bundled, without `nodejs_compat`, in the miniflare of that version. A worker cannot listen, so HTTP and the ' +
      'gateway use a mock in Node; the rest runs in the worker. msw is not tested: `msw/node` is for Node.',
  },
]

/** The runtime that runs miniflare, which requires Node 22. */
export const NODE_OF_MINIFLARE = 'Node 22'

/** Version of esbuild, which bundles the worker. */
export const ESBUILD = '0.28.2'
