// Measures calls with the largest responses and bodies, in multiples of `JSON.parse` and `JSON.stringify`. Each shape stresses
// some part of parsing, validation, redaction or serialization. No network: `fetch` is a function here.
import type { ClientOptions, CustomRequest } from 'rapport-sdk'

process.env.NODE_ENV = 'production'
// Measures the build, not the sources, because users run the build.
const built = new URL(process.env.RAPPORT_ENTRY ?? '../dist/index.js', import.meta.url).href
const { Client } = (await import(built)) as typeof import('rapport-sdk')

const SIZE = 8 * 1024 * 1024 - 1024
const TOKEN = 'the-token-of-ada-0123456789'
const ROUNDS = 3

/** Returns a string of about 8 MB: `unit` repeated between `start` and `end`. */
function fill(unit: string, start = '', end = ''): string {
  return start + unit.repeat(Math.floor((SIZE - start.length - end.length) / unit.length)) + end
}

const distinct = (write: (index: number) => string, count: number) =>
  Array.from({ length: count }, (_, at) => write(at))
const deep = (depth: number, inner: string) => `${'{"a":'.repeat(depth)}${inner}${'}'.repeat(depth)}`

/** Responses as JSON strings. Created on demand, because large live objects slow garbage collection. */
const ANSWERS: Readonly<Record<string, () => string>> = {
  'a long string': () => fill('a b c ', '{"message":"', '"}'),
  'quotes and backslashes': () => fill('\\"\\\\', '{"message":"', '"}'),
  'escaped characters': () => fill('\\u005f', '{"message":"', '"}'),
  'the token, again and again': () => fill(`${TOKEN} `, '{"message":"', '"}'),
  'almost the token': () => fill(TOKEN.slice(0, -1), '{"message":"', '"}'),
  'a long name': () => fill('ab', '{"', '":1}'),
  numbers: () => fill('0,', '[', '0]'),
  fractions: () => fill('1234.5678,', '[', '0]'),
  'short strings': () => fill('"ab",', '[', '""]'),
  'small objects': () => fill('{"a":1,"b":"x"},', '[', '{}]'),
  'distinct keys': () => `{${distinct((at) => `"k${at}":"v${at}"`, 400_000).join(',')}}`,
  'lists in lists': () => fill('[', '', '').slice(0, SIZE / 2) + fill(']').slice(0, SIZE / 2),
  'objects in objects': () => deep(SIZE / 6, '1'),
  'numbers at a depth of 5,000': () => deep(5000, `${fill('0,', '[', '0]').slice(0, -40_002)}0]`),
  'secret fields': () => fill('{"token":"abcdefgh"},', '[', '{}]'),
  'secret fields that are all different': () => `[${distinct((at) => `{"token":"tok-${at}-xyz"}`, 300_000).join(',')}]`,
  'a secret that is half of it': () => `{"token":"${'a'.repeat(SIZE / 2)}b","message":"${'a'.repeat(SIZE / 2 - 99)}"}`,
  'a document of secrets': () => fill('\\"0123456789abcdef\\",', '{"challenge":"{\\"a\\":[', '0]}"}'),
  'errors of one field': () => fill('{"message":"m"},', '{"errors":{"a":{"_errors":[', '{}]}}}'),
  'errors of many fields': () => fill('{"_errors":["m"]},', '{"errors":{"l":[', '{}]}}'),
  'errors at a depth of 60': () => `{"errors":${deep(60, `${fill('{"_errors":[0]},', '[', '0]').slice(0, -800)}"}]`)}}`,
  'keys that would set a prototype': () => fill('{"__proto__":0},', '[', '{}]'),
  relationships: () =>
    fill(
      '{"id":"1","type":1,"nickname":null,"user":{"id":"1","username":"ada","discriminator":"0","avatar":null}},',
      '[',
      '{"id":"1","type":1,"nickname":null,"user":{"id":"1","username":"ada","discriminator":"0","avatar":null}}]',
    ),
}

/** Request bodies. Created on demand, for the same reason. */
const BODIES: Readonly<Record<string, () => object>> = {
  'a long string': () => ({ note: fill('a b c ') }),
  'quotes and backslashes': () => ({ note: fill('"\\').slice(0, SIZE / 2) }),
  'a secret that is all of it': () => ({ data: fill('"\\').slice(0, SIZE / 2) }),
  numbers: () => ({ list: Array<number>(SIZE / 2).fill(0) }),
  'small objects': () => ({ list: Array.from({ length: SIZE / 16 }, () => ({ a: 1, b: 'x' })) }),
  'distinct keys': () => Object.fromEntries(distinct(String, 400_000).map((key) => [`k${key}`, `v${key}`])),
  'objects in objects': () => JSON.parse(deep(1500, '1')),
  'numbers at a depth of 1,500': () => JSON.parse(deep(1500, `[${'0,'.repeat(SIZE / 2)}0]`)),
  'secret fields': () => ({ list: Array.from({ length: SIZE / 21 }, () => ({ token: 'abcdefgh' })) }),
  dates: () => ({ list: Array.from({ length: SIZE / 27 }, () => new Date(0)) }),
}

/** CPU time of this process in milliseconds: other load does not add to it, as it does to the time of a clock. */
function cpuNow(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Returns the minimum of several measurements, because the compiler and garbage collection only add time. */
async function least(run: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS; round++) {
    const startedAt = cpuNow()
    await run()
    least = Math.min(least, cpuNow() - startedAt)
  }
  return least
}

async function settled(promise: Promise<unknown>): Promise<void> {
  await promise.catch(() => {})
}

const baseUrl = 'https://service.example'
const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const only = process.argv[2]

function clientThat(answers: (() => Response) | undefined, options: Partial<ClientOptions>) {
  const fetch = async () => answers?.() ?? new Response('{}')
  return new Client({ baseUrl, token: TOKEN, retry: 0, fetch, maxResponseBytes: 2 * SIZE, ...options })
}

const answerRows: Record<string, string>[] = []
for (const [what, make] of Object.entries(ANSWERS)) {
  if (only !== undefined && !what.includes(only)) continue
  const text = make()
  const bytes = new TextEncoder().encode(text)
  const parsed = await least(() => {
    try {
      JSON.parse(text)
    } catch {}
  })
  const cost = async (status: number, options: Partial<ClientOptions> = {}) => {
    const client = clientThat(() => new Response(bytes, { status }), options)
    client.on('responseMismatch', () => {})
    const ms = await least(() => settled(client.relationships.list()))
    client.dispose()
    return (ms / parsed).toFixed(1)
  }
  const schema = {
    '~standard': {
      version: 1,
      vendor: 'bench',
      validate: () => ({ issues: Array.from({ length: 1000 }, (_, at) => ({ message: 'no', path: ['a', at] })) }),
    },
  } as const
  const custom = clientThat(() => new Response(bytes), { onResponseMismatch: 'throw', logger })
  answerRows.push({
    '8 MB of': what,
    'JSON.parse (ms)': parsed.toFixed(1),
    success: await cost(200),
    'success, logged': await cost(200, { logger }),
    'thrown mismatch': await cost(200, { onResponseMismatch: 'throw' }),
    error: await cost(400),
    'error, logged': await cost(400, { logger }),
    'own schema, logged': ((await least(() => settled(custom.request({ path: '/x', schema })))) / parsed).toFixed(1),
  })
}
console.log(`Responses: CPU time of a call, × JSON.parse of the response, Node ${process.versions.node}`)
console.table(answerRows)

const bodyRows: Record<string, string>[] = []
for (const [what, make] of Object.entries(BODIES)) {
  if (only !== undefined && !what.includes(only)) continue
  const body = make()
  const written = await least(() => JSON.stringify(body))
  const times = async (call: () => Promise<unknown>) => ((await least(() => settled(call()))) / written).toFixed(1)
  const request: CustomRequest = { method: 'POST', path: '/x', body }
  const sends = clientThat(undefined, {})
  const logs = clientThat(undefined, { logger })
  const refused = clientThat(() => Response.json({ message: 'no' }, { status: 400 }), {})
  bodyRows.push({
    '8 MB of': what,
    'JSON.stringify (ms)': written.toFixed(1),
    sent: await times(() => sends.request(request)),
    'sent, logged': await times(() => logs.request(request)),
    'rejected by the service': await times(() => refused.request(request)),
    'metadata of a profile': await times(() =>
      sends.identities.updateProfile('200', '100', 'p7', { username: 'ada', metadata: body } as never),
    ),
    'invalid everywhere': await times(() =>
      sends.widgets.replace({ widgets: 'list' in body ? body.list : [body] } as never),
    ),
  })
}
console.log('Requests: CPU time of a call, × JSON.stringify of the body')
console.table(bodyRows)
