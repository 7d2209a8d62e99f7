import { afterAll, afterEach, expect, vi } from 'vitest'

// The files of a worker share a process (`isolate: false`). A file that leaves listeners, globals or fake timers behind fails.
const events = ['uncaughtException', 'unhandledRejection', 'warning'] as const
const globals = ['fetch', 'WebSocket', 'document', 'localStorage', 'navigator', 'performance', 'setTimeout'] as const

const snapshot = () => ({
  listeners: events.map((event) => `${event}: ${process.listenerCount(event)}`),
  globals: globals.map((name) => Reflect.get(globalThis, name)),
  prototype: Reflect.ownKeys(Object.prototype),
  hasFakeTimers: vi.isFakeTimers(),
})

// This file runs before the modules of the test file are loaded.
const before = snapshot()
afterEach(() => void vi.useRealTimers())
afterAll(() => {
  const after = snapshot()
  expect(after.listeners).toEqual(before.listeners)
  for (const [index, name] of globals.entries()) expect(after.globals[index] === before.globals[index], name).toBe(true)
  expect(after.prototype).toEqual(before.prototype)
  expect(after.hasFakeTimers).toBe(false)
})
