import { call, literal, print } from '../code/literal'
import { formatJson } from '../journal/redaction'

/** A call with its arguments. */
export interface Call {
  /** Method, such as `client.auth.login`. */
  readonly method: string
  readonly path: readonly string[]
  /** Query and body by wire name; `undefined` if there is none. */
  readonly params: Readonly<Record<string, unknown>> | undefined
}

/** Returns the code of a call. The secrets in it are redacted. */
export function callCode({ method, path, params }: Call): string {
  const args = [...path, ...(params === undefined ? [] : [JSON.parse(formatJson(params, false))])]
  const docs = args.map((each) => literal(each))
  const [only] = docs
  // The braces of an only argument are next to the parentheses.
  if (docs.length === 1 && typeof only === 'object' && only.kind === 'list')
    return `${print({ ...only, open: `await ${method}(${only.open}`, close: `${only.close})` })}\n`
  return `${print(call(`await ${method}`, docs))}\n`
}

/** Returns the code of a call with a client, as a module that compiles by itself. */
export function callModule(shown: Call): string {
  return `import { Client } from 'rapport-sdk'

const client = new Client({
  baseUrl: 'https://service.example',
  token: 'your token',
})
${callCode(shown)}`
}

/** Makes a call with the values of the form. */
export function makeCall(client: object, { method, path, params }: Call): Promise<unknown> {
  const names = method.split('.').slice(1)
  const name = names.pop() ?? ''
  const resource = names.reduce<object>((parent, each) => Reflect.get(parent, each), client)
  return Reflect.apply(Reflect.get(resource, name), resource, params === undefined ? path : [...path, params])
}
