// Calls and the gateway as tracks of Chrome's performance panel.
import type { Gateway } from '../gateway/gateway'
import type { CallInfo } from '../types/options'
import type { BaseClient } from './base-client'

/** A client, with its gateway if it has one. */
type ShownClient = Pick<BaseClient, 'on'> & { readonly gateway?: Pick<Gateway, 'on' | 'off' | 'state'> }

/**
 * Shows calls, their attempts and the states of the gateway as tracks in the performance panel of Chrome's developer tools, from
 * now on, in the group `rapport-sdk`. Entries have what the events of the client have, and no secret. The page's buffer of
 * measures stays empty. Does nothing on platforms without `performance.measure`.
 *
 * @returns A function that removes it.
 *
 * @example
 * import { Client, showInPerformancePanel } from 'rapport-sdk'
 *
 * const client = new Client({ baseUrl: 'https://service.example', token: 'a token' })
 * const isDevelopment = new URL(import.meta.url).hostname === 'localhost'
 * if (isDevelopment) showInPerformancePanel(client)
 */
export function showInPerformancePanel(client: ShownClient): () => void {
  if (!globalThis.performance?.measure) return () => {}

  /** Adds an entry that ends now. Its name has a prefix, so that no measure of the app is cleared. */
  function show(track: string, text: string, start: number, isError: boolean, fields: object): void {
    const name = `rapport: ${text}`
    const properties = Object.entries(fields).flatMap(([key, value]) =>
      value === undefined || typeof value === 'object' ? [] : [[key, String(value)]],
    )
    const color = isError ? 'error' : 'primary'
    const devtools = { dataType: 'track-entry', trackGroup: 'rapport-sdk', track, color, tooltipText: text, properties }
    performance.measure(name, { start, end: performance.now(), detail: { devtools } })
    performance.clearMeasures(name)
  }

  function showAttempt(event: CallInfo & { readonly durationMs: number }, outcome: number | string): void {
    const start = performance.now() - event.durationMs
    show('calls', `${event.method} ${event.path} ${outcome}`, start, !(Number(outcome) < 400), event)
  }

  const { gateway } = client
  let since = performance.now()
  const showState = ({ previous, ...change }: { readonly previous: string; readonly state: string }) => {
    // `error` is not text.
    show('gateway', previous, since, previous === 'reconnecting' || previous === 'closed', change)
    since = performance.now()
  }
  gateway?.on('stateChange', showState)
  const stops = [
    client.on('response', (event) => showAttempt(event, event.status)),
    client.on('requestFailed', (event) => showAttempt(event, event.errorName)),
    client.on('callEnd', (event) => {
      const start = performance.now() - event.durationMs
      show('calls', `${event.endpoint} ${event.errorName ?? event.outcome}`, start, event.outcome === 'error', event)
    }),
    () => void gateway?.off('stateChange', showState),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
