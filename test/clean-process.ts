import { afterAll, beforeEach, expect, vi } from 'vitest'
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
// What was closed ends within some turns of the event loop of at least 5 ms, however long each takes on a busy machine. A timer of 10 s or more
// that is left behind does not. Processes and peers need CPU time of their own.
const MAX_TURNS = 1_000
const MAX_ENDING_MS = 120_000
const { setImmediate: realImmediate } = globalThis
// Registered before the handlers of the test, this one runs after them: what a test disposes at its end leaves no timer. Where only some timers
// are fake, there may be a real network, whose library has timers of its own.
beforeEach(({ onTestFinished }) =>
  onTestFinished(() => {
    const timers = vi.isFakeTimers() && setImmediate !== realImmediate ? vi.getTimerCount() : 0
    vi.useRealTimers()
    expect(timers, 'fake timers that this test leaves behind').toBe(0)
  }),
)
afterAll(() => {
  const after = snapshot()
  expect(after.listeners).toEqual(before.listeners)
  for (const [index, name] of globals.entries()) expect(after.globals[index] === before.globals[index], name).toBe(true)
  expect(after.prototype).toEqual(before.prototype)
  expect(after.hasFakeTimers).toBe(false)
})
afterAll(async () => {
  const endsAt = Date.now() + MAX_ENDING_MS
  for (let turns = 0; turns < MAX_TURNS && Date.now() < endsAt; turns++) {
    const left = resources.left()
    if (left.length === 0) break
    if (left.some((resource) => !resource.startsWith('Timeout'))) turns = 0
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  resources.stop()
  expect(resources.left(), 'what this file leaves behind, and where it was created').toEqual([])
})
