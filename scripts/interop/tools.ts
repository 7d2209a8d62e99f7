/** A tool that reads the documents. */
export interface Tool {
  /** Name in the table, and of its folder in the cache. */
  readonly name: string
  /** npm packages with their versions; the first is the tool. */
  readonly packages: Readonly<Record<string, string>>
}

/** A tool that generates a client in TypeScript. Its adapter is `clients/<name>.ts`. */
export interface Generator extends Tool {
  /** Command of the package and its arguments; writes to `generated/`. */
  readonly command: readonly [bin: string, ...args: string[]]
  /** Returns the files that the command reads, by name; `baseUrl` is that of the mock. */
  config?(baseUrl: string): Readonly<Record<string, string>>
}

const TYPESCRIPT = { typescript: '5.9.3' }

/** Runs the tools: some need a newer Node than this project. */
export const NODE: Tool = { name: 'node', packages: { node: '24.21.0' } }

export const SPECTRAL: Tool = { name: 'spectral', packages: { '@stoplight/spectral-cli': '6.16.3' } }
export const SWAGGER_PARSER: Tool = { name: 'swagger-parser', packages: { '@apidevtools/swagger-parser': '13.1.0' } }
export const ASYNCAPI_PARSER: Tool = { name: 'asyncapi', packages: { '@asyncapi/parser': '3.6.3' } }
export const MODELINA: Tool = { name: 'modelina', packages: { '@asyncapi/modelina': '5.10.1' } }
export const QUICKTYPE: Tool = { name: 'quicktype', packages: { quicktype: '26.0.0' } }
export const PRISM: Tool = { name: 'prism', packages: { '@stoplight/prism-cli': '5.16.0' } }

export const GENERATORS: readonly Generator[] = [
  {
    name: 'openapi-typescript',
    packages: { 'openapi-typescript': '7.13.0', 'openapi-fetch': '0.17.0', ...TYPESCRIPT },
    command: ['openapi-typescript', 'openapi.json', '-o', 'generated/schema.ts'],
  },
  {
    name: 'orval',
    packages: { orval: '8.38.0' },
    command: ['orval', '--config', 'orval.config.mjs'],
    config: (baseUrl) => ({
      'orval.config.mjs': `export default { api: {
        input: './openapi.json',
        output: { target: './generated/api.ts', client: 'fetch', mode: 'single', baseUrl: '${baseUrl}' },
      } }`,
    }),
  },
  {
    name: 'kubb',
    packages: {
      '@kubb/core': '4.39.3',
      '@kubb/cli': '4.39.3',
      '@kubb/plugin-oas': '4.39.3',
      '@kubb/plugin-ts': '4.39.3',
      '@kubb/plugin-client': '4.39.3',
    },
    command: ['kubb', 'generate', '--config', 'kubb.config.mjs'],
    config: () => ({
      'kubb.config.mjs': `import { defineConfig } from '@kubb/core'
        import { pluginClient } from '@kubb/plugin-client'
        import { pluginOas } from '@kubb/plugin-oas'
        import { pluginTs } from '@kubb/plugin-ts'
        export default defineConfig({
          root: '.',
          input: { path: './openapi.json' },
          output: { path: './generated', clean: true, format: false },
          plugins: [pluginOas(), pluginTs(), pluginClient({ client: 'fetch', dataReturnType: 'full' })],
        })`,
    }),
  },
  {
    name: 'hey-api',
    packages: { '@hey-api/openapi-ts': '0.99.0', ...TYPESCRIPT },
    command: ['openapi-ts', '-i', 'openapi.json', '-o', 'generated'],
  },
  {
    name: 'oazapfts',
    packages: { oazapfts: '7.5.0', '@oazapfts/runtime': '1.2.0' },
    command: ['oazapfts', 'openapi.json', 'generated/api.ts'],
  },
  {
    name: 'swagger-typescript-api',
    packages: { 'swagger-typescript-api': '13.13.0' },
    command: ['swagger-typescript-api', 'generate', '-p', 'openapi.json', '-o', 'generated', '-n', 'api.ts'],
  },
]
