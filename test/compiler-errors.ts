import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

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
  const { config } = ts.readConfigFile(`${ROOT}tsconfig.json`, ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT)
  const texts = new Map([[`${ROOT}shown-prelude.ts`, prelude]])
  for (const [name, code] of Object.entries(modules)) texts.set(`${ROOT}shown-${name}.ts`, `${code}\nexport {}\n`)
  const host = ts.createCompilerHost(options)
  const { fileExists, readFile, getSourceFile } = host
  host.fileExists = (path) => texts.has(path) || fileExists(path)
  host.readFile = (path) => texts.get(path) ?? readFile(path)
  host.getSourceFile = (path, target) => {
    const text = texts.get(path)
    return text === undefined ? getSourceFile(path, target) : ts.createSourceFile(path, text, target)
  }
  const program = ts.createProgram([...texts.keys()], options, host)
  return [...texts.keys()].flatMap((path) => {
    const source = program.getSourceFile(path)
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
      ({ messageText }) => `${path.slice(ROOT.length)}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
    )
  })
}
