import { Client, isApiError, type Relationship } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'
import { fileTokenStore, mfaPrompt, undiciFetch } from 'rapport-sdk/node'
import { webStorageTokenStore } from 'rapport-sdk/storage'

// A Node app without DOM types: the declarations of the package must not need them.

const service = createMockService()
const client = new Client({
  baseUrl: service.baseUrl,
  fetch: service.fetch,
  headers: { 'x-app': 'server' },
  credentials: 'include',
  gateway: { url: service.gateway.url, WebSocket: service.WebSocket },
})

export async function friends(): Promise<Relationship[]> {
  try {
    return await client.relationships.list({ headers: [['x-call', '1']], signal: AbortSignal.timeout(120_000) })
  } catch (error) {
    if (isApiError(error)) return []
    throw error
  }
}

// A type that the compiler cannot find would be `any` and accept these values.
// @ts-expect-error headers must not be a number
new Client({ baseUrl: service.baseUrl, headers: 42 })
// @ts-expect-error unknown value
new Client({ baseUrl: service.baseUrl, credentials: 'all' })
new service.WebSocket(service.gateway.url).addEventListener('close', ({ code, wasClean }) => {
  console.log(code.toFixed(), wasClean)
})
// @ts-expect-error the URL must not be a number
new service.WebSocket(42)
new Client({ baseUrl: service.baseUrl, fetch: undiciFetch() })
// @ts-expect-error a dispatcher must not be a string
undiciFetch({ dispatcher: 'http://proxy.example' })
new Client({ baseUrl: service.baseUrl, tokenStore: fileTokenStore('token.json'), onMfaRequired: mfaPrompt() })
mfaPrompt({ input: process.stdin, output: process.stdout, words: { closed: 'Geschlossen.' } })
// @ts-expect-error the input must not be a string
mfaPrompt({ input: 'stdin' })
// @ts-expect-error the path must not be a number
fileTokenStore(42)
// @ts-expect-error the storage must not be a string
webStorageTokenStore('not a storage')
