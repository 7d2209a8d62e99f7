import { functionCode, importsOf, type Values } from './source'

/** What the declarations import. Of each, only the names that the module uses are kept. */
const IMPORTS = `import { Client, type WebAuthnAdapter } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'
import { memoryTokenStore } from 'rapport-sdk/storage'
`

const HEAD = `// Install rapport-sdk, save this as playground.mts, and run it with
// Node 22.18 or later: node playground.mts
`

/** Functions that need a browser, and what to know about their code. */
const PAGE_ONLY: Readonly<Record<string, string>> = {
  inThisTab: '// For a page: Node has no session storage.\n',
  inAllTabs: '// For a page: Node has no local storage.\n',
  followOtherTabs: '// For a page whose tokenStore is in the local storage, which its tabs share.\n',
  registerDevice: '// For a page: a device registers in a browser. Install @simplewebauthn/browser, too.\n',
}

/** Declarations of the names that the shown code leaves to the app, in their order. They replace values of the page's service. */
const DECLARATIONS: Readonly<Record<string, (code: string, name: string) => string>> = {
  service: (code) =>
    `const service = createMockService(${code.includes('location.hostname') ? '{ rpId: location.hostname }' : ''})\n`,
  ada: (code) => {
    const mfa = [...(needsCode(code) ? ["'totp'"] : []), ...(needsPasskey(code) ? ["'webauthn'"] : [])]
    const lines = [...accountLines('ada'), ...(mfa.length === 0 ? [] : [`  mfa: [${mfa.join(', ')}],`])]
    return `const ada = service.users.create({\n${lines.join('\n')}\n})\n`
  },
  grace: () => `const grace = service.users.create({\n${accountLines('grace').join('\n')}\n})\n`,
  tokenStore: () => 'const tokenStore = memoryTokenStore()\n',
  webauthn: () => `// A simulated passkey: a page leaves this out.
const webauthn: WebAuthnAdapter = {
  get: async (options) => service.users.passkey(ada, options),
}
`,
  fetch: () => 'const { fetch } = service\n',
  client: (code) => {
    const isSigningIn = /auth\.(?:login|forgotPassword|resetPassword)/.test(code)
    const lines = [
      'baseUrl: service.baseUrl',
      'fetch: service.fetch',
      ...(needsGateway(code)
        ? ['gateway: {\n    url: service.gateway.url,\n    WebSocket: service.WebSocket,\n  }']
        : []),
      ...(isSigningIn ? [] : ['token: service.token(ada)']),
      ...(needsCode(code) ? [ANSWER] : []),
      ...(needsPasskey(code) ? ['webauthn'] : []),
    ]
    return `const client = new Client({\n${lines.map((line) => `  ${line},\n`).join('')}})\n`
  },
  username: () => 'const { username } = grace\n',
  userId: () => 'const userId = grace.id\n',
  hashes: () => `service.token(ada) // another session
const { user_sessions } = await client.auth.sessions.list()
const hashes = user_sessions.slice(1).map((each) => each.id_hash)
`,
  token: () => `await client.auth.forgotPassword({ login: 'ada@example.test' })
const { token } = await service.mail.waitFor({
  kind: 'password_reset',
})
`,
  password: (_, name) => `const password = '${name === 'resetPassword' ? 'a longer password' : 'correct horse'}'\n`,
  show: (_, name) =>
    name === 'followFriends'
      ? 'const show = (friends: RelationshipStore) =>\n  console.log(friends.getSnapshot())\n'
      : 'const show = console.log\n',
}

/** Answers each prompt with the code of Ada's authenticator app. */
const ANSWER = `// In a page: mfaDialog() of rapport-sdk/dialog.
  onMfaRequired: () => ({
    type: 'totp',
    code: service.users.totp(ada),
  })`

/** What is there before the code runs. */
const BEFORE: Readonly<Record<string, string>> = {
  endTenSessions: 'for (let device = 1; device <= 10; device++) service.token(ada)\n',
  acceptRequest: 'service.relationships.request(grace, ada)\n',
  removeFriend: 'service.relationships.befriend(ada, grace)\n',
}

/** What happens after it. */
const AFTER: Readonly<Record<string, string>> = {
  followFriends: `
// Of the mock: Grace sends a request.
const added = client.gateway.waitFor('relationshipAdd')
service.relationships.request(grace, ada)
await added
`,
  requestReset: '\nconsole.log(service.mail.all())\n',
}

const accountLines = (name: string): readonly string[] => [
  `  login: '${name}@example.test',`,
  `  username: '${name}',`,
  "  password: 'correct horse',",
]

const needsCode = (code: string): boolean => /auth\.login\(|resetPassword|sessions\.logout|onMfaRequired/.test(code)
const needsPasskey = (code: string): boolean => /loginWithPasskey|webauthn/.test(code)
const needsGateway = (code: string): boolean => /client\.gateway/.test(code)

/** Returns the code of a function as a module that runs by itself: with a mock service, an account and a client, as far as it uses them. */
export function completeModule(source: string, name: string, values: Values = {}): string {
  const kept = Object.fromEntries(Object.entries(values).filter(([key]) => !Object.hasOwn(DECLARATIONS, key)))
  const { missing, constants, statements, result = '' } = functionCode(source, name, kept)
  const isData = result !== '' && !/^(?:client|friends|stop|tokenStore)$/.test(result)
  const shown = [
    inNode(statements),
    AFTER[name] ?? '',
    isData ? `\nconsole.log(${result})\n` : '',
    needsGateway(statements) ? '\nclient.dispose() // ends the program\n' : '',
  ].join('')
  const before = BEFORE[name] ?? ''
  const declared = declarations(missing, `${before}${shown}`, name)
  const setup = `${declared}${before}${constants}`
  const code = `${setup}${setup && '\n// The code of the playground.\n'}${shown}`
  return `${HEAD}${PAGE_ONLY[name] ?? ''}${importsFor(code, source)}\n${code}`
}

/** The dialog and its footer need a page. */
const inNode = (code: string): string => code.replace(/onMfaRequired: mfaDialog\(.*\)/, () => ANSWER)

/** Returns the declarations of the missing names, and of those that these use. */
function declarations(missing: readonly string[], code: string, name: string): string {
  // The form has the address of the account.
  const names = new Set([...missing, ...(code.includes('forgotPassword') ? ['ada'] : [])])
  const texts = new Map<string, string>()
  const uses = (id: string) =>
    [code, ...texts.values()].some((text) => new RegExp(`(?<![.\\w'])${id}\\b(?!['(:])`).test(text))
  const all = Object.keys(DECLARATIONS).reverse()
  for (const id of all) {
    const isNeeded = names.has(id) || (/^(?:service|ada|grace|webauthn)$/.test(id) && uses(id))
    if (isNeeded) texts.set(id, DECLARATIONS[id]?.(code, name) ?? '')
  }
  return [...texts.values()].reverse().join('')
}

/** Returns the imports that some code uses, those from the same module together. */
function importsFor(code: string, source: string): string {
  const uncommented = code.replace(/\/\/.*/g, '')
  const imports = importsOf(IMPORTS, uncommented) + importsOf(source, uncommented)
  const modules = new Map<string, Set<string>>()
  for (const [, type = '', names = '', from = ''] of imports.matchAll(/^import (type )?\{ (.*) \} from (.*)$/gm)) {
    const known = modules.get(from) ?? new Set()
    // A class can be imported as a value and as a type.
    for (const name of names.split(', ').map((each) => (type && !each.startsWith(type) ? `${type}${each}` : each))) {
      if (!known.has(name.replace('type ', ''))) known.add(name)
    }
    modules.set(from, known)
  }
  const lines = [...modules].map(([from, names]) => `import { ${[...names].join(', ')} } from ${from}\n`)
  return lines.join('')
}
