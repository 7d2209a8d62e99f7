import {
  type Client,
  isRequestValidationError,
} from 'rapport-sdk'
import type { MockService, MockUser } from 'rapport-sdk/mocks'

export async function serverError(
  service: MockService,
  client: Client,
) {
  service.faults.on('Get Auth Sessions', {
    status: 503,
    times: 1,
  })

  // Retried with backoff, because a GET changes nothing.
  const { user_sessions } = await client.auth.sessions.list()
  return user_sessions
}

export async function rateLimit(
  service: MockService,
  client: Client,
) {
  service.faults.on('Get Relationships', {
    status: 429,
    retryAfter: 1,
    times: 1,
  })

  // Waits for as long as the service says, then tries again.
  const relationships = await client.relationships.list()
  return relationships
}

export async function lostConnection(
  service: MockService,
  client: Client,
  ada: MockUser,
) {
  await client.gateway.connect()
  const resumed = client.gateway.waitFor('resumed', {
    timeout: 20_000,
  })

  // Of the mock: the connection breaks, and none is accepted
  // for two seconds.
  const outage = service.gateway.refuse()
  service.gateway.drop(undefined, { user: ada })
  setTimeout(() => outage.remove(), 2000)

  // The client reconnects by itself. No event is lost.
  const { replayed } = await resumed
  return replayed
}

export async function refusedCode(
  service: MockService,
  client: Client,
) {
  service.clock.advance('5m') // an earlier verification expires
  const removeFault = service.faults.on('Verify MFA', {
    status: 400,
    body: { code: 60008, message: 'Invalid two-factor code' },
    times: 1,
  })
  // Then the authenticator app shows its next code.
  const unsubscribe = client.on(
    'response',
    ({ endpoint, status }) => {
      if (endpoint === 'Verify MFA' && status === 400)
        service.clock.advance('30s')
    },
  )

  // The dialog stays open, shows the error and asks again.
  const call = client.auth.sessions.logout({
    session_id_hashes: ['none'],
  })
  await call.finally(() => {
    removeFault() // also if the user cancels
    unsubscribe()
  })
}

export async function invalidInput(client: Client, note: string) {
  const error: unknown = await client.relationships
    .sendRequest({ username: 'grace', discriminator: null, note })
    .catch((error) => error)

  // Nothing was sent. The error lists every problem.
  const issues = isRequestValidationError(error)
    ? error.issues
    : []
  return issues
}
