import { auth, createClient, friendSuggestions } from 'rapport-sdk/core'
import { RapportProvider, useCall, useClient } from 'rapport-sdk/react'

// Compiled with React's types and without Node types, like a React app with a client of its own parts.

const client = createClient({ baseUrl: 'https://service.example' }, { auth, friendSuggestions })

declare module 'rapport-sdk/react' {
  interface Register {
    client: typeof client
  }
}

function Suggestions() {
  const registered = useClient()
  // @ts-expect-error the client does not have this part
  registered.relationships
  const { data, loading } = useCall(registered.friendSuggestions.list, [registered])
  return <p>{loading ? '…' : data?.map(({ suggested_user }) => suggested_user.id)}</p>
}

export const app = (
  <RapportProvider client={client}>
    <Suggestions />
  </RapportProvider>
)
