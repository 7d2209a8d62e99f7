'use client'

import type { InitialState } from 'rapport-sdk'
import { RapportProvider, useSession } from 'rapport-sdk/react'
import { useEffect, useState } from 'react'
import { Devices } from './devices'
import { Friends } from './friends'
import { client } from './rapport'
import { SignIn } from './sign-in'
import { SignOut } from './sign-out'

export function Home({ initial }: { initial: InitialState | null }) {
  return (
    <RapportProvider client={client} initial={initial}>
      <main>
        <Page />
      </main>
    </RapportProvider>
  )
}

function Page() {
  const { status } = useSession()
  const isHydrated = useHydrated()
  if (status === 'loading') return <p>Loading…</p>
  if (status === 'signedOut') return <SignIn disabled={!isHydrated} />
  return (
    <>
      <Friends disabled={!isHydrated} />
      <Devices />
      <SignOut disabled={!isHydrated} />
    </>
  )
}

/** Forms wait for the scripts: a browser would send them itself. */
function useHydrated(): boolean {
  const [isHydrated, setHydrated] = useState(false)
  useEffect(() => setHydrated(true), [])
  return isHydrated
}
