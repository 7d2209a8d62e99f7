import { Client, type Relationship } from 'rapport-sdk'

// Compiled alone: declares the fields that the service sends for users, which all types that contain a user then have.

declare module 'rapport-sdk' {
  interface PartialUser {
    username: string
  }
}

const client = new Client({ baseUrl: 'https://service.example' })

export const nameOf = ({ user }: Relationship): string => user.username

export async function suggestions(): Promise<string[]> {
  const found = await client.friendSuggestions.list()
  client.gateway.on('relationshipAdd', ({ user }) => console.log(user?.username.length))
  return found.map(({ suggested_user }) => suggested_user.username)
}
