import { headers } from 'next/headers'
import { Home } from './home'
import { initialState } from './initial-state'

// It reads headers, so Next.js renders it for each request and answers with `Cache-Control: private, no-store`.
export default async function Page() {
  return <Home initial={await initialState(await headers())} />
}
