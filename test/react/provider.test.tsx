import { act, render, screen } from '@testing-library/react'
import type { Client } from 'rapport-sdk'
import { auth, createClient } from 'rapport-sdk/core'
import { RapportProvider, useClient, useGatewayState, useMfaPrompt } from 'rapport-sdk/react'
import { version } from 'react'
import { version as domVersion } from 'react-dom'
import { describe, expect, it, onTestFinished, test, vi } from 'vitest'
import { renderWith, setUp } from './set-up'

it('the tests run with the version of React that their project names', () => {
  const { REACT_VERSION } = process.env
  expect([version, domVersion].map((text) => text.split('.')[0])).toEqual([REACT_VERSION, REACT_VERSION])
})

/** Renders without a logged error, and returns the message of the exception. */
function errorOf(element: React.ReactElement): string {
  const errors = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => errors.mockRestore())
  try {
    render(element)
  } catch (error) {
    return String(error)
  }
  return 'no error'
}

describe('RapportProvider', () => {
  it('useClient returns the client of the nearest provider', () => {
    const { client } = setUp()
    const other = client.as('token')
    const found: unknown[] = []
    const Inner = () => {
      found.push(useClient())
      return null
    }
    renderWith(client, () => (
      <>
        <Inner />
        <RapportProvider client={other}>
          <Inner />
        </RapportProvider>
      </>
    ))
    expect(new Set(found)).toEqual(new Set([client, other]))
  })

  it('useClient throws an error that names the provider if there is none', () => {
    const Lost = () => String(useClient())
    expect(errorOf(<Lost />)).toBe('Error: This component needs a <RapportProvider client={client}> around it.')
  })

  it('the provider neither disposes its client nor connects the gateway', async () => {
    const { client, service } = setUp()
    const { unmount } = renderWith(client, () => <p>{useGatewayState()}</p>)
    unmount()
    await client.relationships.list()
    expect(service.journal.find('Get Relationships')).toHaveLength(1)
    expect(client.gateway.state).toBe('idle')
  })
})

it('useMfaPrompt throws an error that names the missing property of the provider', () => {
  const Lost = () => String(useMfaPrompt())
  expect(
    errorOf(
      <RapportProvider client={setUp().client}>
        <Lost />
      </RapportProvider>,
    ),
  ).toBe('Error: useMfaPrompt: pass createMfaPrompt() to <RapportProvider mfaPrompt={…}>.')
})

test('useGatewayState follows the gateway of the client, and of another client that replaces it', async () => {
  const { client, grace, service } = setUp()
  const { switchTo } = renderWith(client, () => <p>{useGatewayState()}</p>)
  expect(screen.getByText('idle')).toBeTruthy()
  await act(() => client.gateway.connect())
  expect(screen.getByText('ready')).toBeTruthy()
  const other = client.as(service.token(grace))
  onTestFinished(() => other.dispose())
  switchTo(other)
  expect(screen.getByText('idle')).toBeTruthy()
  await act(() => other.gateway.connect())
  await act(() => client.gateway.disconnect())
  expect(screen.getByText('ready')).toBeTruthy()
  await act(() => other.gateway.disconnect())
  expect(screen.getByText('closed')).toBeTruthy()
})

test('useGatewayState unsubscribes when the component unmounts', async () => {
  const { client } = setUp()
  const listeners = new Set<unknown>()
  const { on, off } = client.gateway
  vi.spyOn(client.gateway, 'on').mockImplementation((type, listener) => {
    listeners.add(listener)
    return on(type, listener)
  })
  vi.spyOn(client.gateway, 'off').mockImplementation((type, listener) => {
    listeners.delete(listener)
    return off(type, listener)
  })
  const { unmount } = renderWith(client, () => <p>{useGatewayState()}</p>)
  expect(listeners.size).toBe(1)
  unmount()
  expect(listeners.size).toBe(0)
})

test('useGatewayState throws an error that names the missing part of a client without gateway', () => {
  const client = createClient({ baseUrl: 'https://service.example' }, { auth }) as unknown as Client
  const Lost = () => useGatewayState()
  expect(
    errorOf(
      <RapportProvider client={client}>
        <Lost />
      </RapportProvider>,
    ),
  ).toBe('Error: useGatewayState: the client needs the part `gateway` of rapport-sdk/core.')
})
