import { getEventListeners } from 'node:events'
import { setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import { Client } from 'rapport-sdk'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runs } from './arbitraries'
import { outcomeOf } from './responses'

const warnings: Error[] = []
const record = (warning: Error) => void warnings.push(warning)
beforeEach(() => void process.on('warning', record))
afterEach(() => void process.off('warning', record))

test('fifty concurrent calls with one signal cause no leak warning and are aborted by it', async () => {
  const ends = fc.array(fc.nat(2), { minLength: 20, maxLength: 50 })
  await fc.assert(
    fc.asyncProperty(ends, fc.boolean(), async (calls, aborts) => {
      const pending: (() => void)[] = []
      const fetch: typeof globalThis.fetch = (_, init) =>
        new Promise((resolve, reject) => {
          pending.push(() => resolve(Response.json([])))
          init?.signal?.addEventListener('abort', () => reject(init.signal?.reason), { once: true })
        })
      const client = new Client({ baseUrl: 'https://service.example', token: 'ada', fetch, maxConcurrency: 50 })
      const control = new AbortController()
      const outcomes = calls.map(() => outcomeOf(client.relationships.list({ signal: control.signal })))
      await turn()
      expect(getEventListeners(control.signal, 'abort')).toHaveLength(1)
      for (const [index, end] of calls.entries()) if (end > 0 || !aborts) pending[index]?.()
      await turn()
      if (aborts) control.abort(new Error('the user left'))
      const ended = await Promise.all(outcomes)
      expect(ended.map((outcome) => 'data' in outcome)).toEqual(calls.map((end) => end > 0 || !aborts))
      expect(getEventListeners(control.signal, 'abort')).toHaveLength(0)
    }),
    runs(0.2),
  )
  await turn()
  expect(warnings).toEqual([])
})
