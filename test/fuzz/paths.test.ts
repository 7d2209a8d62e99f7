import fc from 'fast-check'
import { isRequestValidationError } from 'rapport-sdk'
import { expect, test } from 'vitest'
import { clientMethod, ENDPOINT_TABLE } from '../contract/endpoint-table'
import { paramCases } from '../resources/validation/param-table'
import { BASE_URL, recordingClient, type SentRequest } from '../resources/wire/wire-case'
import { anyText, runs, snowflake } from './arbitraries'

const rows = ENDPOINT_TABLE.filter(({ path }) => path.includes('{'))

/** Makes a call. Returns its request, or undefined if the call was rejected. */
async function sentBy(send: (client: ReturnType<typeof recordingClient>['client']) => Promise<unknown>) {
  const { client, sent } = recordingClient({ token: 'a-new-token' }, { onResponseMismatch: 'ignore' })
  const error = await send(client).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error === undefined) expect(sent).toHaveLength(1)
  else {
    expect(error).toSatisfy(isRequestValidationError)
    expect(sent).toEqual([])
  }
  return sent[0]
}

/** Returns the decoded path segments of a request below the base URL. */
function segmentsOf({ url }: SentRequest): string[] {
  const { origin, pathname, hash, username, password } = new URL(url)
  const base = new URL(BASE_URL)
  expect([origin, hash, username, password]).toEqual([base.origin, '', '', ''])
  expect(pathname.startsWith(`${base.pathname}/`)).toBe(true)
  return pathname
    .slice(base.pathname.length + 1)
    .split('/')
    .map(decodeURIComponent)
}

test('a path has the segments of its template for any values', async () => {
  const call = fc.constantFrom(...rows).chain((row) => {
    const names = row.path.match(/\{[^{}]+\}/g) ?? []
    return fc.record({ row: fc.constant(row), values: fc.tuple(...names.map(() => fc.oneof(anyText, snowflake))) })
  })
  await fc.assert(
    fc.asyncProperty(call, async ({ row, values }) => {
      const params = paramCases.find(({ call }) => call === row.call)?.params
      const request = await sentBy(
        async (client) => await clientMethod(client, row.call)?.(...values, ...(params === undefined ? [] : [params])),
      )
      if (request === undefined) return
      const rest = [...values]
      const expected = row.path.slice(1).split('/')
      expect(segmentsOf(request)).toEqual(expected.map((part) => (part.startsWith('{') ? rest.shift() : part)))
      expect(request.method).toBe(row.method)
    }),
    runs(4),
  )
})

test('free text in a path is sent unchanged for any characters', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1 }), async (name) => {
      fc.pre(!/^\.{1,2}$/.test(name))
      const request = await sentBy((client) => client.identities.getProfile('200', '100', name))
      expect(request && segmentsOf(request)).toEqual([
        'applications',
        '200',
        'users',
        '100',
        'identities',
        name,
        'profile',
      ])
    }),
    runs(),
  )
})

test('a path template of client.request keeps its segments, or is rejected', async () => {
  const part = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.constantFrom(
        'channels',
        'a b',
        'a%20b',
        '%41',
        '{channel.id}',
        '{name}',
        '{other}',
        '%2{name}',
        '%2',
        '.{name}',
      ),
    },
    { weight: 1, arbitrary: anyText },
  )
  const request = fc.record({
    parts: fc.array(part, { minLength: 1, maxLength: 5 }),
    start: fc.constantFrom('/', '', '//', '\\', 'https://evil.example/'),
    values: fc.dictionary(fc.constantFrom('channel.id', 'name', 'other'), fc.oneof(anyText, snowflake)),
  })
  await fc.assert(
    fc.asyncProperty(request, async ({ parts, start, values }) => {
      const path = start + parts.join('/')
      const sent = await sentBy((client) => client.request({ path, pathParams: values }))
      if (sent === undefined) return
      const filled = path.split('/').map((segment) =>
        segment.replace(/%[0-9a-f]{2}|\{([^{}]+)\}/gi, (found, name?: string) => {
          return name === undefined ? decodeURIComponent(found) : String(values[name])
        }),
      )
      expect(segmentsOf(sent)).toEqual(filled.slice(1))
      expect(new URL(sent.url).search).toBe('')
    }),
    runs(4),
  )
})

test('a query of client.request is sent unchanged, or the call is rejected', async () => {
  const value = fc.oneof(anyText, fc.double(), fc.boolean())
  await fc.assert(
    fc.asyncProperty(fc.dictionary(anyText, fc.oneof(value, fc.array(value))), async (query) => {
      const sent = await sentBy((client) => client.request({ path: '/search', query }))
      if (sent === undefined) return
      const expected = Object.entries(query).flatMap(([name, values]) =>
        [values].flat().map((item) => [name, String(item)]),
      )
      expect([...new URL(sent.url).searchParams]).toEqual(expected)
      expect(segmentsOf(sent)).toEqual(['search'])
    }),
    runs(2),
  )
})

test('a query field of an endpoint is sent unchanged, or the call is rejected', async () => {
  await fc.assert(
    fc.asyncProperty(anyText, async (name) => {
      const sent = await sentBy((client) => client.auth.suggestUsername({ global_name: name }))
      if (sent !== undefined) expect(new URL(sent.url).searchParams.get('global_name')).toBe(name)
    }),
    runs(),
  )
})
