import { Client, isMfaRequiredError, type MfaHandler, RapportError, type Relationship } from 'rapport-sdk'
import { type MessageInput, messageV2, row, userSelect, validateMessage } from 'rapport-sdk/components'
import { mfaDialog } from 'rapport-sdk/dialog'
import { ptBR } from 'rapport-sdk/locales/pt-BR'
import { createMockService } from 'rapport-sdk/mocks'
import { toHtml } from 'rapport-sdk/preview'
import { webStorageTokenStore } from 'rapport-sdk/storage'
import { passkeySupport } from 'rapport-sdk/webauthn'

// Compiled without Node types and without optional peers, like the code of a browser app.

const onMfaRequired: MfaHandler = (challenge) =>
  challenge.allows('totp') ? { type: 'totp', code: String(prompt('Code?')) } : null

export const client = new Client({
  baseUrl: 'https://service.example/api',
  tokenStore: webStorageTokenStore(localStorage),
  onMfaRequired,
})

export async function friends(): Promise<Relationship[]> {
  try {
    return await client.relationships.list()
  } catch (error) {
    if (isMfaRequiredError(error)) await error.challenge?.verify({ type: 'password', code: 'secret' })
    if (error instanceof RapportError) return []
    throw error
  }
}

export const withDialog = new Client({ baseUrl: 'https://x.example', onMfaRequired: mfaDialog({ words: ptBR.dialog }) })

export const inMemory = new Client({ baseUrl: 'https://x.example', fetch: createMockService().fetch })

export const message: MessageInput = messageV2(row(userSelect('who').withMaxValues(3)))
export const html: string = validateMessage(message).ok ? toHtml(message, { theme: 'dark' }) : ''
export const offer = async (): Promise<boolean> => (await passkeySupport()).autofill

export const platform = new Client({ baseUrl: 'https://x.example', fetch: globalThis.fetch })

export const traced = new Client({
  baseUrl: 'https://x.example',
  fetch: (url, init) => fetch(url, { ...init, headers: { ...init.headers, 'x-trace': '1' } }),
})
