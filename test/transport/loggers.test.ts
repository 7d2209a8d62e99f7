import { Writable } from 'node:stream'
import { createConsola, LogLevels, type LogObject } from 'consola'
import { pino } from 'pino'
import { Client, type Logger, objectFirstLogger } from 'rapport-sdk'
import { afterAll, afterEach, beforeEach, describe, expect, expectTypeOf, it, vi } from 'vitest'
import winston from 'winston'
import { expectNoSecret, PLANTED } from '../security/hostile-values'
import { json, mfaRequired, type Responder, resetConnection, serve } from '../servers/http-server'

type Line = Readonly<Record<string, unknown>>
/** Creates a logger that writes JSON to `lines`. */
type Create = (lines: Line[], level?: string) => Logger

/** Returns a stream that parses each line as JSON. */
function parserOf(lines: Line[]): Writable {
  return new Writable({
    write(chunk, _, done) {
      for (const line of String(chunk).trim().split('\n')) lines.push(JSON.parse(line))
      done()
    },
  })
}

const LOGGERS: [string, Create][] = [
  ['pino', (lines, level = 'debug') => objectFirstLogger(pino({ level, messageKey: 'message' }, parserOf(lines)))],
  [
    'winston',
    (lines, level = 'debug') =>
      winston.createLogger({ level, transports: [new winston.transports.Stream({ stream: parserOf(lines) })] }),
  ],
  [
    'consola',
    (lines, level = 'debug') => {
      const log = ({ type, args: [message, details] }: LogObject) => {
        const fields = details instanceof Error ? { error: details.message } : details
        lines.push({ level: type, message, ...JSON.parse(JSON.stringify(fields)) })
      }
      return createConsola({ level: LogLevels[level === 'debug' ? 'debug' : 'info'], reporters: [{ log }] })
    },
  ],
]

// A logger adds a listener to the process when it is loaded.
const listeners = vi.hoisted(() => process.listeners('exit'))

afterAll(() => {
  for (const listener of process.listeners('exit')) if (!listeners.includes(listener)) process.off('exit', listener)
})

const down = json(502, {})

beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0)
})
afterEach(() => {
  vi.restoreAllMocks()
})

describe.each(LOGGERS)('a logger of %s', (_, create) => {
  async function linesOf(
    responders: readonly Responder[],
    run: (client: Client) => Promise<unknown>,
    level?: string,
  ): Promise<Line[]> {
    const lines: Line[] = []
    const server = await serve(...responders)
    const client = new Client({
      baseUrl: server.url,
      logger: create(lines, level),
      onMfaRequired: () => ({ type: 'totp', code: PLANTED.code }),
    })
    await run(client).catch(() => {})
    expectNoSecret(lines)
    return lines
  }

  it('has a line with all fields for each attempt and each call, and no secret, of a sign-in and a step-up', async () => {
    const lines = await linesOf(
      [
        json(200, { user_id: '1', token: PLANTED.token }),
        mfaRequired(PLANTED.ticket),
        json(200, { token: PLANTED.jwt }),
        json(200, []),
      ],
      async (client) => {
        await client.auth.login({ login: 'ada@example.test', password: PLANTED.password })
        await client.relationships.list()
      },
    )
    const ends = lines.filter(({ outcome }) => outcome !== undefined)
    expect(ends).toMatchObject([
      { endpoint: 'Login Account', method: 'POST', path: '/auth/login', status: 200, attempts: 1 },
      { endpoint: 'Verify MFA', parentCallId: ends[2]?.callId, status: 200, attempts: 1 },
      { endpoint: 'Get Relationships', status: 200, attempts: 2, outcome: 'success', waitedMs: expect.any(Number) },
    ])
    const attempts = lines.filter(({ message }) => String(message).startsWith('rapport: response '))
    expect(attempts.map(({ status, attempt }) => [status, attempt])).toEqual([
      [200, 1],
      [401, 1],
      [200, 1],
      [200, 2],
    ])
    expect(attempts[0]).toMatchObject({ headers: expect.any(Object), body: { token: '[redacted]' } })
  })

  it('tells endpoint, status, attempts and waits by the message alone, of a 502 that is retried', async () => {
    const lines = await linesOf([down, json(200, [])], (client) => client.relationships.list())
    const call = 'endpoint="Get Relationships" method=GET path=/users/@me/relationships'
    expect(lines.map(({ message }) => String(message).replace(/(callId|\w+Ms)=\d+/g, '$1=0'))).toEqual([
      `rapport: request callId=0 ${call} attempt=1`,
      `rapport: response callId=0 ${call} attempt=1 status=502 durationMs=0`,
      `rapport: retry callId=0 ${call} attempt=1 reason=502 waitMs=0`,
      `rapport: request callId=0 ${call} attempt=2`,
      `rapport: response callId=0 ${call} attempt=2 status=200 durationMs=0`,
      `rapport: callEnd callId=0 ${call} attempts=2 status=200 waitedMs=0 outcome=success durationMs=0 promptMs=0`,
    ])
  })

  it('has one warning per call in an outage, if it does not log the level debug', async () => {
    const responders = [down, down, down, resetConnection, resetConnection, resetConnection]
    const lines = await linesOf(
      responders,
      async (client) => {
        await client.relationships.list().catch(() => {})
        await client.relationships.list()
      },
      'info',
    )
    expect(lines).toMatchObject([
      { errorName: 'ServerError', status: 502, attempts: 3, outcome: 'error' },
      { errorName: 'ConnectionError', attempts: 3, outcome: 'error' },
    ])
    for (const { level, message } of lines) {
      expect([40, 'warn']).toContain(level)
      expect(message).toMatch(/^rapport: callEnd .* errorName=\w+ .*outcome=error/)
    }
  })

  it('has the error of a listener', async () => {
    const lines = await linesOf(
      [json(200, [])],
      async (client) => {
        client.on('request', () => {
          throw new Error('my mistake')
        })
        await client.relationships.list()
      },
      'info',
    )
    expect(lines).toHaveLength(1)
    expect(JSON.stringify(lines)).toContain('my mistake')
  })
})

it.each([
  ['pino', pino({ enabled: false })],
  ['bunyan', { debug() {}, info() {}, warn() {}, error() {}, addSerializers() {} }],
])('a logger of %s without the adapter is refused in JavaScript too', (_, logger) => {
  const options = { baseUrl: 'https://service.example', logger: Object(logger) }
  expect(() => new Client(options)).toThrow(/logger: expected .*`objectFirstLogger\(logger\)`/)
  expect(new Client({ ...options, logger: objectFirstLogger(logger) })).toBeInstanceOf(Client)
})

it('a logger of pino without the adapter does not compile, console does', () => {
  expectTypeOf(pino()).not.toExtend<Logger>()
  expectTypeOf<Console>().toExtend<Logger>()
  expectTypeOf(objectFirstLogger).toBeCallableWith(pino())
})
