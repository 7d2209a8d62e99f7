// Loads every entry without the globals that jest-environment-jsdom lacks.
const MISSING = [
  ...['fetch', 'Request', 'Response', 'Headers', 'FormData', 'Blob', 'File', 'TextDecoder', 'TextEncoder', 'WebSocket'],
  ...['ReadableStream', 'WritableStream', 'TransformStream', 'MessageEvent', 'CloseEvent', 'MessageChannel'],
  ...['BroadcastChannel', 'EventSource', 'structuredClone', 'crypto', 'navigator'],
]
for (const name of MISSING) Reflect.deleteProperty(globalThis, name)
const { exports: entries } = require('rapport-sdk/package.json')
for (const entry of Object.keys(entries)) {
  // msw itself does not load without them, and OpenTelemetry, zod and React are not installed.
  const isLeftOut = entry.endsWith('.json') || ['./mocks/msw', './otel', './react', './zod'].includes(entry)
  // Each language is the same kind of file.
  if (!isLeftOut) require(`rapport-sdk${entry.slice(1).replace('*', 'pt-BR')}`)
}
