// The service of the soak, in its own process so that only the heap of the client is measured.
import { createMockService, type Fault, type ServiceRequest } from 'rapport-sdk/mocks'
import { listen } from 'rapport-sdk/mocks/node'
import { seededRandom } from './gateway-plan'

/** The credentials of a user. */
export interface Account {
  readonly login: string
  readonly totpSecret: string
}

/** The message of the service once it listens. */
export interface Listening {
  readonly url: string
  readonly password: string
  readonly accounts: readonly Account[]
  /** IDs of users that never sign in. */
  readonly others: readonly string[]
}

/** Endpoints that require a second factor. */
const SENSITIVE: ReadonlySet<string> = new Set(['Get Auth Sessions', 'Modify Relationship', 'Remove Relationship'])

/** Faults, each with its share of the requests. */
const FAULTS: readonly (readonly [number, Fault])[] = [
  [0.03, { status: 429, retryAfter: 0.02 }],
  [0.005, { status: 429, retryAfter: 0.02, global: true }],
  [0.015, { html: true, status: 502 }],
  [0.01, { status: 503 }],
  [0.015, { reset: true }],
  [0.015, { truncate: true }],
  [0.005, { malformedJson: true }],
]

const random = seededRandom(7)

/** Returns the fault of the next request, if any. */
function nextFault(): Fault | undefined {
  let left = random()
  for (const [share, fault] of FAULTS) {
    left -= share
    if (left < 0) return fault
  }
  return undefined
}

const password = 'correct horse battery'
const service = createMockService({ policy: { requireMfa: (endpoint) => SENSITIVE.has(endpoint) } })
const users = Array.from({ length: 4 }, (_, index) =>
  service.users.create({ login: `user${index}@example.test`, password, mfa: ['totp'] }),
)
const others = Array.from({ length: 20 }, (_, index) => service.users.create({ login: `other${index}@example.test` }))

/** Handles a request with the next fault. */
async function handle(request: ServiceRequest): ReturnType<typeof service.handle> {
  const fault = nextFault()
  const { pathname } = new URL(request.url)
  const removeFault =
    fault && service.faults.on(`${request.method} ${pathname}` as `GET /${string}`, { ...fault, times: 1 })
  try {
    return await service.handle(request)
  } finally {
    removeFault?.()
    service.journal.clear()
  }
}

const server = await listen({ ...service, handle })
process.once('disconnect', () => void server.close())
process.once('message', () => process.disconnect())
process.send?.({
  url: server.url,
  password,
  accounts: users.map((user) => ({ login: user.email ?? '', totpSecret: service.users.totpSecret(user) })),
  others: others.map(({ id }) => id),
} satisfies Listening)
