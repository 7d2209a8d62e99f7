import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import type { ClientOptions } from 'rapport-sdk'
import { type CallOptions, type CallState, useCall, useClient } from 'rapport-sdk/react'
import { useState } from 'react'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { tokenOnly } from '../session-stores'
import { renderWith, setUp } from './set-up'

/** A call whose results the test decides, in any order. */
function controlledCall() {
  const calls: { signal: AbortSignal; resolve: (value: string) => void; reject: (error: unknown) => void }[] = []
  const call = ({ signal }: CallOptions) =>
    new Promise<string>((resolve, reject) => calls.push({ signal, resolve, reject }))
  return { calls, call }
}

/** Renders a component that calls, and returns its states: the last one is shown. */
function renderCall(call: (options: CallOptions) => Promise<string>, options: Partial<ClientOptions> = {}) {
  const world = setUp(options)
  const states: (CallState<string> & { key: string })[] = []
  let setKey: (key: string) => void = () => {}
  const view = renderWith(world.client, () => {
    const [key, set] = useState('first')
    setKey = set
    const state = useCall(call, [key])
    states.push({ key, ...state })
    return null
  })
  const last = () => {
    const state = states.at(-1)
    if (!state) throw new Error('Nothing was rendered.')
    const { data, error, loading } = state
    return { data, error, loading }
  }
  return { ...world, ...view, states, last, run: () => states.at(-1)?.run(), setKey: (key: string) => setKey(key) }
}

describe('useCall', () => {
  it('shows that it loads, and then the data', async () => {
    const { service, ada, grace, client } = setUp()
    service.relationships.befriend(ada, grace)
    renderWith(client, () => {
      const { data, loading } = useCall(useClient().relationships.list)
      return <p>{loading ? 'loading' : data?.map(({ user }) => String(user.username)).join()}</p>
    })
    expect(screen.getByText('loading')).toBeTruthy()
    expect(await screen.findByText('grace')).toBeTruthy()
  })

  it('shows the error of a call, keeps it while it runs again, and then shows the data', async () => {
    const { service, client } = setUp()
    service.faults.on('Get Relationships', { status: 403 })
    renderWith(client, () => {
      const { data, error, loading, run } = useCall(({ signal }) => client.relationships.list({ signal }))
      return (
        <button type="button" onClick={run}>
          {`${loading ? 'loading' : 'ended'} ${error instanceof Error ? error.name : 'no error'} ${data?.length}`}
        </button>
      )
    })
    await screen.findByText('ended PermissionError undefined')
    service.faults.clear()
    fireEvent.click(screen.getByRole('button'))
    expect(screen.getByText('loading PermissionError undefined')).toBeTruthy()
    expect(await screen.findByText('ended no error 0')).toBeTruthy()
  })

  it('aborts its call when the component unmounts, and reports nothing', async () => {
    const { calls, call } = controlledCall()
    const { unmount, states } = renderCall(call)
    const before = states.length
    expect(calls.at(-1)?.signal.aborted).toBe(false)
    unmount()
    expect(calls.every(({ signal }) => signal.aborted)).toBe(true)
    await act(async () => calls.at(-1)?.reject(new Error('aborted')))
    expect(states).toHaveLength(before)
  })

  it('aborts the request itself when the component unmounts', async () => {
    const signals: (AbortSignal | null | undefined)[] = []
    const { client } = setUp({
      fetch: (_, init) => {
        signals.push(init?.signal)
        return new Promise<Response>(() => {})
      },
    })
    const { unmount } = renderWith(client, () => {
      useCall(client.relationships.list)
      return null
    })
    await vi.waitFor(() => expect(signals).not.toHaveLength(0))
    unmount()
    expect(signals.every((signal) => signal?.aborted)).toBe(true)
  })

  it('runs once per mount, so that StrictMode aborts the first of two calls', () => {
    const { calls, call } = controlledCall()
    renderCall(call)
    expect(calls.map(({ signal }) => signal.aborted)).toEqual([true, false])
  })

  it('run aborts the call in flight, and its late result does not replace the result of the next call', async () => {
    const { calls, call } = controlledCall()
    const { last, run } = renderCall(call)
    act(run)
    expect(calls).toHaveLength(3)
    expect(calls[1]?.signal.aborted).toBe(true)
    await act(async () => calls[2]?.resolve('new'))
    await act(async () => calls[1]?.resolve('old'))
    expect(last()).toEqual({ data: 'new', error: undefined, loading: false })
  })

  it('an old result that arrives first does not end the loading of the next call', async () => {
    const { calls, call } = controlledCall()
    const { last, run } = renderCall(call)
    act(run)
    await act(async () => calls[1]?.reject(new Error('old')))
    expect(last()).toEqual({ data: undefined, error: undefined, loading: true })
  })

  it('keeps the data while it runs again and if that fails', async () => {
    const { calls, call } = controlledCall()
    const { last, run } = renderCall(call)
    await act(async () => calls.at(-1)?.resolve('data'))
    act(run)
    expect(last()).toEqual({ data: 'data', error: undefined, loading: true })
    const error = new Error('failed')
    await act(async () => calls.at(-1)?.reject(error))
    expect(last()).toEqual({ data: 'data', error, loading: false })
  })

  it('no render shows data of other dependencies', async () => {
    const { calls, call } = controlledCall()
    const { last, setKey, states } = renderCall(call)
    await act(async () => calls.at(-1)?.resolve('of first'))
    act(() => setKey('second'))
    expect(states.filter(({ key }) => key === 'second').map(({ data, loading }) => [data, loading])).toEqual(
      [...Array(2)].map(() => [undefined, true]),
    )
    expect(last()).toEqual({ data: undefined, error: undefined, loading: true })
    await act(async () => calls.at(-1)?.reject('failed'))
    expect(last()).toEqual({ data: undefined, error: 'failed', loading: false })
  })

  it('an exception that the call throws at once is its error', async () => {
    const error = new TypeError('no promise')
    const { last } = renderCall(() => {
      throw error
    })
    await act(async () => {})
    expect(last()).toEqual({ data: undefined, error, loading: false })
  })

  it('run stays the same function', async () => {
    const { calls, call } = controlledCall()
    const { states, setKey } = renderCall(call)
    const run = states.at(-1)?.run
    await act(async () => calls.at(-1)?.resolve('data'))
    act(() => setKey('second'))
    expect(states.at(-1)?.run).toBe(run)
  })

  it('no render shows data of the account before, and the call runs again for the new one', async () => {
    const { service, ada, grace, client } = setUp()
    service.relationships.befriend(ada, grace)
    const states: [account: string, data: string | undefined][] = []
    const token = client.session.token
    renderWith(client, () => {
      const { data } = useCall(client.relationships.list)
      const names = data?.map(({ user }) => String(user.username)).join()
      states.push([client.session.token === token ? 'ada' : 'grace', names])
      return <p>{names}</p>
    })
    await screen.findByText('grace')
    await act(() => client.session.setToken(service.token(grace)))
    expect(await screen.findByText('ada')).toBeTruthy()
    const shown = (account: string) => new Set(states.filter(([of]) => of === account).map(([, data]) => data))
    expect([shown('ada'), shown('grace')]).toEqual([new Set([undefined, 'grace']), new Set([undefined, 'ada'])])
  })

  it('a late result for the account before is not shown', async () => {
    const { calls, call } = controlledCall()
    const { client, last, states } = renderCall(call)
    await act(() => client.session.setToken(null))
    expect(calls.map(({ signal }) => signal.aborted)).toEqual([true, true, false])
    await act(async () => calls[1]?.resolve('of ada'))
    expect(last()).toEqual({ data: undefined, error: undefined, loading: true })
    await act(async () => calls[2]?.resolve('of nobody'))
    expect(new Set(states.map(({ data }) => data))).toEqual(new Set([undefined, 'of nobody']))
  })

  it('no render shows data of the client before, if the provider gets another one', async () => {
    const { service, ada, grace, client } = setUp()
    service.relationships.befriend(ada, grace)
    const other = client.as(service.token(grace))
    onTestFinished(() => other.dispose())
    const { switchTo } = renderWith(client, () => {
      const { data } = useCall(useClient().relationships.list)
      return <p>{data?.map(({ user }) => String(user.username)).join() ?? 'none'}</p>
    })
    await screen.findByText('grace')
    switchTo(other)
    expect(screen.getByText('none')).toBeTruthy()
    expect(await screen.findByText('ada')).toBeTruthy()
  })

  it('a session that is loaded, and a step-up, call nothing again', async () => {
    let load: (token: string | null) => void = () => {}
    const { calls, call } = controlledCall()
    const { client, service, ada } = renderCall(call, {
      token: undefined,
      tokenStore: tokenOnly({ get: () => new Promise((resolve) => (load = resolve)), set: () => {} }),
    })
    await act(async () => load(service.token(ada)))
    await vi.waitFor(() => expect(client.session.status).toBe('signedIn'))
    const onMfaRequired = () => ({ type: 'totp', code: service.users.totp(ada) }) as const
    await act(() => client.auth.sessions.logout({ session_id_hashes: ['none'] }, { onMfaRequired }))
    expect(calls.map(({ signal }) => signal.aborted)).toEqual([true, false])
  })

  it('needs no provider', async () => {
    const rendered = render(<Alone />)
    onTestFinished(cleanup)
    expect(await rendered.findByText('data')).toBeTruthy()
  })
})

function Alone() {
  return <p>{useCall(async () => 'data').data}</p>
}
