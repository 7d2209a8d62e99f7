import type { Client, RelationshipStore } from 'rapport-sdk'

export async function followFriends(
  client: Client,
  show: (friends: RelationshipStore) => void,
) {
  await client.gateway.connect()
  const friends = client.relationships.live() // loaded once

  // Runs after each change, whoever caused it.
  friends.subscribe(() => show(friends))
  return friends
}

export async function sendRequest(
  client: Client,
  username: string,
  note: string | null,
) {
  await client.relationships.sendRequest({
    username,
    discriminator: null,
    note,
  })
}

export async function acceptRequest(
  client: Client,
  userId: string,
) {
  await client.relationships.accept(userId)
}

export async function removeFriend(
  client: Client,
  userId: string,
) {
  // Also declines a request, or withdraws it.
  await client.relationships.delete(userId)
}
