import { explain } from 'rapport-sdk'
import { useCall, useClient } from 'rapport-sdk/react'
import { useAction } from './use-action'

export function Devices() {
  const { auth, gateway } = useClient()
  const { data, error, run } = useCall(auth.sessions.list, [auth])
  const endOthers = useAction(async () => {
    // The list does not say which session is this one; the gateway knows it once it is connected.
    await gateway.connect({ timeout: 10_000 })
    const hashes = data?.user_sessions.map(({ id_hash }) => id_hash) ?? []
    const others = hashes.filter((hash) => hash !== gateway.sessionHash)
    // It requires a second factor, for which `MfaDialog` asks.
    if (others.length > 0) await auth.sessions.logout({ session_id_hashes: others })
    run()
  })
  return (
    <section aria-labelledby="devices">
      <h2 id="devices">Devices</h2>
      {error ? (
        <p role="alert">
          {explain(error).message}{' '}
          <button type="button" onClick={run}>
            Try again
          </button>
        </p>
      ) : (
        <p>{data ? `Signed in on ${data.user_sessions.length}.` : 'Loading…'}</p>
      )}
      {data && data.user_sessions.length > 1 && (
        <button type="button" onClick={endOthers.start} disabled={endOthers.isRunning}>
          Sign out everywhere else
        </button>
      )}
      {endOthers.alert}
    </section>
  )
}
