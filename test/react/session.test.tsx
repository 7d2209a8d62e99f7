import { act, screen } from '@testing-library/react'
import type { SessionSnapshot } from 'rapport-sdk'
import { useSession } from 'rapport-sdk/react'
import { describe, expect, it, onTestFinished } from 'vitest'
import { tokenOnly } from '../session-stores'
import { renderWith, setUp } from './set-up'

/** Renders the status and the user's ID, and keeps what was rendered. */
function statusPage() {
  const rendered: SessionSnapshot[] = []
  const Page = () => {
    const snapshot = useSession()
    rendered.push(snapshot)
    return <p>{`${snapshot.status} ${snapshot.user?.id}`}</p>
  }
  return { rendered, Page }
}

describe('useSession', () => {
  it('follows a sign-in, with the user, and a sign-out', async () => {
    const { client, ada, service } = setUp({ token: undefined })
    renderWith(client, statusPage().Page)
    expect(screen.getByText('signedOut undefined')).toBeTruthy()
    await act(() =>
      client.auth.login(
        { login: 'ada@example.com', password: 'correct horse' },
        { onMfaRequired: () => ({ type: 'totp', code: service.users.totp(ada) }) },
      ),
    )
    expect(screen.getByText(`signedIn ${ada.id}`)).toBeTruthy()
    await act(() => client.session.setToken(null))
    expect(screen.getByText('signedOut undefined')).toBeTruthy()
  })

  it('it is loading until the token store has loaded', async () => {
    let load: (token: string | null) => void = () => {}
    const { client } = setUp({
      token: undefined,
      tokenStore: tokenOnly({ get: () => new Promise((resolve) => (load = resolve)), set: () => {} }),
    })
    renderWith(client, statusPage().Page)
    expect(screen.getByText('loading undefined')).toBeTruthy()
    await act(async () => load('token'))
    expect(await screen.findByText('signedIn undefined')).toBeTruthy()
  })

  it('shows the session of another client that replaces the first one', async () => {
    const { client, grace, service } = setUp()
    const other = client.as(service.token(grace))
    onTestFinished(() => other.dispose())
    const { Page } = statusPage()
    const { switchTo } = renderWith(client, Page)
    await act(() => client.session.setToken(null))
    switchTo(other)
    expect(screen.getByText('signedIn undefined')).toBeTruthy()
    await act(() => other.session.setToken(null))
    expect(screen.getByText('signedOut undefined')).toBeTruthy()
  })

  it('a step-up, which changes neither status nor user, renders nothing again', async () => {
    const { client, ada, service } = setUp()
    const { rendered, Page } = statusPage()
    renderWith(client, Page)
    const before = rendered.length
    const onMfaRequired = () => ({ type: 'totp', code: service.users.totp(ada) }) as const
    await act(() => client.auth.sessions.logout({ session_id_hashes: ['none'] }, { onMfaRequired }))
    expect(rendered).toHaveLength(before)
  })
})
