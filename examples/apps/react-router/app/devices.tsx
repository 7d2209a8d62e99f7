import { useCall, useClient } from 'rapport-sdk/react'
import { useAction } from './use-action'

export function Devices() {
  const { auth, gateway } = useClient()
  const { data, run } = useCall(auth.sessions.list, [auth])
  const endOthers = useAction(async () => {
    // The list does not say which session is this one; the gateway knows it once it is connected.
    await gateway.connect({ timeout: 10_000 })
    const hashes = data?.user_sessions.map(({ id_hash }) => id_hash) ?? []
    // It requires a second factor, for which the dialog asks.
    await auth.sessions.logout({ session_id_hashes: hashes.filter((hash) => hash !== gateway.sessionHash) })
    run()
  })
  return (
    <section>
      <h2>Devices</h2>
      <p>{data ? `Signed in on ${data.user_sessions.length}.` : 'Loading…'}</p>
      {data && data.user_sessions.length > 1 && (
        <button type="button" name="end-others" disabled={endOthers.isRunning} onClick={() => endOthers.start()}>
          Sign out everywhere else
        </button>
      )}
      {endOthers.alert}
    </section>
  )
}
