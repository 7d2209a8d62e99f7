import { createClient, relationships } from 'rapport-sdk/core'

// The same declaration for an app that imports only `rapport-sdk/core`.

declare module 'rapport-sdk/core' {
  interface PartialUser {
    username: string
  }
}

const client = createClient({ baseUrl: 'https://service.example' }, { relationships })

export const names = async (): Promise<string[]> => (await client.relationships.list()).map(({ user }) => user.username)
