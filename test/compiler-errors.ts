import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { compile } from '../scripts/docs/compile'
import { root } from '../scripts/docs/sources'

/** Names that the code of the playground uses without declaring them: what the reader's app has. */
const PRELUDE = `
import type { Client, ClientOptions } from 'rapport-sdk'
import type { MfaDialogOptions } from 'rapport-sdk/dialog'
import type { MockService, MockUser } from 'rapport-sdk/mocks'
import type { TokenStore } from 'rapport-sdk/storage'
declare global {
  const client: Client
  const service: MockService
  const ada: MockUser
  const password: string
  const token: string
  const tokenStore: TokenStore
  const webauthn: ClientOptions['webauthn']
  const footer: MfaDialogOptions['footer']
  const show: (value: unknown) => void
}
`

/**
 * Compiles modules with the options of the project. Returns the errors, each with the name of its module.
 * @param prelude Code that declares what the modules use without declaring it.
 */
export function compilerErrors(modules: Readonly<Record<string, string>>, prelude = PRELUDE): string[] {
  const texts = new Map([['prelude.ts', prelude]])
  for (const [name, code] of Object.entries(modules)) texts.set(`${name}.ts`, `${code}\nexport {}\n`)
  const folder = join(root, 'node_modules/.cache', `shown-${randomUUID()}`)
  return compile(folder, texts).map(({ module, line, message }) => `${module}:${line} ${message}`)
}
