import { afterAll, afterEach, expect, vi } from 'vitest'
import { watchResources } from './left-behind'

// The files of a worker share a process (`isolate: false`). A file that leaves something behind fails: listeners, globals, fake timers, or a
// timer, socket, process or operation that has not ended, which would act during a later file.
const globals = ['fetch', 'WebSocket', 'document', 'localStorage', 'navigator', 'performance', 'setTimeout'] as const

const snapshot = () => ({
  listeners: process
    .eventNames()
    .map((event) => `${String(event)}: ${process.listenerCount(event)}`)
    .toSorted(),
  globals: globals.map((name) => Reflect.get(globalThis, name)),
  prototype: Reflect.ownKeys(Object.prototype),
  hasFakeTimers: vi.isFakeTimers(),
})

// This file runs before the modules of the test file are loaded.
const before = snapshot()
const resources = watchResources()
// What was closed ends within milliseconds, or seconds on a busy machine.
const MAX_ENDING_MS = 30_000
afterEach(() => void vi.useRealTimers())
afterAll(() => {
  const after = snapshot()
  expect(after.listeners).toEqual(before.listeners)
  for (const [index, name] of globals.entries()) expect(after.globals[index] === before.globals[index], name).toBe(true)
  expect(after.prototype).toEqual(before.prototype)
  expect(after.hasFakeTimers).toBe(false)
})
afterAll(async () => {
  const endsAt = Date.now() + MAX_ENDING_MS
  while (resources.left().length > 0 && Date.now() < endsAt) await new Promise((resolve) => setTimeout(resolve, 5))
  resources.stop()
  expect(resources.left(), 'what this file leaves behind, and where it was created').toEqual([])
}, 2 * MAX_ENDING_MS)
