// Measures a mock service with many users: seeding, and one call among 10, 1,000 and 17,000 users.
import { type Candidate, interleave, percentile } from './interleave'

process.env.NODE_ENV = 'production'
// Measures the build, not the sources, because users run the build.
const built = new URL('../dist/mocks/index.js', import.meta.url).href
const { createMockService } = (await import(built)) as typeof import('rapport-sdk/mocks')

const password = 'correct horse battery'
const sizes = [10, 1000, 17_000]
const warmUp = 50
const rounds = 300
const seeded = 10_000

type Service = ReturnType<typeof createMockService>

function seed(users: number, mfa: readonly ('totp' | 'backup')[] = []): Service {
  // The clients send no heartbeats and must stay connected.
  const service = createMockService({ policy: { gateway: { heartbeatGrace: Number.POSITIVE_INFINITY } } })
  for (let user = 0; user < users; user += 1) {
    service.users.create({ login: `user${user}@example.com`, username: `user${user}`, password, mfa })
  }
  return service
}

function seconds(run: () => unknown): string {
  const started = performance.now()
  run()
  return ((performance.now() - started) / 1000).toFixed(2)
}

console.log(`Seeding ${seeded} users, Node ${process.versions.node}`)
console.table([
  { users: 'with a password', seconds: seconds(() => seed(seeded)) },
  { users: 'with TOTP and backup codes', seconds: seconds(() => seed(seeded, ['totp', 'backup'])) },
  { users: 'with a token, a friend and a gateway session each', seconds: seconds(() => crowd(seeded)) },
])

/** Creates users who are signed in, connected to the gateway and friends of the previous user. */
function crowd(users: number): Service {
  const service = seed(users)
  const all = service.users.all()
  for (const [index, user] of all.entries()) {
    const link = service.gateway.connect({ url: service.gateway.url, send() {}, close() {}, terminate() {} })
    link?.receive(JSON.stringify({ op: 2, d: { token: service.token(user) } }))
    const friend = all[index - 1]
    if (friend !== undefined) service.relationships.befriend(user, friend)
  }
  return service
}

type Call = (service: Service, token: string, round: number) => Promise<Response>

const send = (service: Service, method: string, path: string, body?: object, token = '') =>
  service.fetch(`${service.baseUrl}${path}`, {
    method,
    headers: { 'content-type': 'application/json', authorization: token },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })

const calls: Readonly<Record<string, Call>> = {
  'Register Account': (service, _, round) =>
    send(service, 'POST', '/auth/register', { username: `new${round}`, email: `new${round}@example.com`, password }),
  'Login Account': (service) => send(service, 'POST', '/auth/login', { login: 'user5@example.com', password }),
  'Get Relationships': (service, token) => send(service, 'GET', '/users/@me/relationships', undefined, token),
  'Get Auth Sessions': (service, token) => send(service, 'GET', '/auth/sessions', undefined, token),
  'Send Friend Request': (service, token, round) =>
    send(
      service,
      'POST',
      '/users/@me/relationships',
      { username: `user${6 + (round % 3)}`, discriminator: null },
      token,
    ),
  'Reset Password': async (service) => {
    const login = 'user9@example.com'
    await send(service, 'POST', '/auth/forgot', { login })
    const { token } = service.mail.last(login, 'password_reset')
    return send(service, 'POST', '/auth/reset', { token, password })
  },
}

console.log(`Calls with many users, p50 of ${rounds} each, interleaved; ratios to ${sizes[0]} users`)
const table: Record<string, string>[] = []
for (const [name, call] of Object.entries(calls)) {
  const candidates = sizes.map((size): Candidate => {
    const service = crowd(size)
    const [, user = ''] = service.users.all().map(({ id }) => id)
    const token = service.token(user)
    let round = 0
    return {
      name: String(size),
      async run() {
        const { status } = await call(service, token, round++)
        if (status >= 300 && name !== 'Send Friend Request') throw new Error(`${name} returned ${status}`)
      },
    }
  })
  const times = (await interleave(candidates, warmUp, rounds)).map((list) => percentile(list, 0.5))
  const [few = Number.NaN] = times
  table.push({
    call: name,
    ...Object.fromEntries(
      times.map((time, index) => [
        `${sizes[index]} users`,
        `${(time * 1000).toFixed(0)} µs, × ${(time / few).toFixed(2)}`,
      ]),
    ),
  })
}
console.table(table)
