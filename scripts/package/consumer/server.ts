import { Client, isApiError, type Relationship } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'
import { webStorageTokenStore } from 'rapport-sdk/storage'

// An app in Node whose types have no DOM: what the package declares must stand without it.

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
    return await client.relationships.list({ headers: [['x-call', '1']], signal: AbortSignal.timeout(1000) })
  } catch (error) {
    if (isApiError(error)) return []
    throw error
  }
}

// A type that the compiler cannot find would be `any` here and take anything.
// @ts-expect-error a number is no headers
new Client({ baseUrl: service.baseUrl, headers: 42 })
// @ts-expect-error not one of the values
new Client({ baseUrl: service.baseUrl, credentials: 'all' })
new service.WebSocket(service.gateway.url).addEventListener('close', ({ code, wasClean }) => {
  console.log(code.toFixed(), wasClean)
})
// @ts-expect-error a number is no address
new service.WebSocket(42)
// @ts-expect-error a text is no storage
webStorageTokenStore('not a storage')
