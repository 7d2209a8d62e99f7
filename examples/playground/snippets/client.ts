import { Client, type ClientOptions, explain } from 'rapport-sdk'
import {
  type MfaDialogOptions,
  mfaDialog,
} from 'rapport-sdk/dialog'
import type { MockService } from 'rapport-sdk/mocks'
import {
  memoryTokenStore,
  type TokenStore,
  webStorageTokenStore,
} from 'rapport-sdk/storage'

export function inMemory() {
  const tokenStore = memoryTokenStore()
  return tokenStore
}

export function inThisTab(key: string) {
  const tokenStore = webStorageTokenStore(
    () => sessionStorage,
    key,
  )
  return tokenStore
}

export function inAllTabs(key: string) {
  const tokenStore = webStorageTokenStore(() => localStorage, key)
  return tokenStore
}

export function createClient(
  service: MockService,
  tokenStore: TokenStore,
  webauthn: ClientOptions['webauthn'],
  footer: MfaDialogOptions['footer'],
  fetch: ClientOptions['fetch'],
) {
  const client = new Client({
    baseUrl: service.baseUrl,
    tokenStore,
    onMfaRequired: mfaDialog({ explain, footer }),
    gateway: {
      url: service.gateway.url,
      WebSocket: service.WebSocket, // the mock is in memory
    },
    fetch, // that of the mock: leave it out to call a server
    webauthn, // a simulated passkey: leave it out for real ones
  })
  return client
}

export async function followOtherTabs(
  client: Client,
  show: (text: string) => void,
) {
  await client.ready // the stored token is loaded
  const stop = client.session.onChange(({ status, source }) => {
    if (source !== 'store') return
    const action = status === 'signedIn' ? 'in' : 'out'
    show(`Another tab signed ${action}.`)
  })
  return stop
}
