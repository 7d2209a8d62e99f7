import { explain } from 'rapport-sdk'
import { useCall, useClient } from 'rapport-sdk/react'
import { useAction } from './use-action'

export function Devices() {
  const { auth } = useClient()
  const { data, error, run } = useCall(auth.sessions.list, [auth])
  const endOthers = useAction(async () => {
    // The service lists the session that asked first.
    const [, ...others] = data?.user_sessions ?? []
    // It requires a second factor, for which `MfaDialog` asks.
    await auth.sessions.logout({ session_id_hashes: others.map(({ id_hash }) => id_hash) })
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
