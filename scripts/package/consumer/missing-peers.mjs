import { rejects } from 'node:assert/strict'

// No optional peer is installed: the error says which package an entry needs.
await rejects(import('rapport-sdk/zod'), /Cannot find package 'zod'/)
await rejects(import('rapport-sdk/otel'), /Cannot find package '@opentelemetry\/api'/)
await rejects(import('rapport-sdk/react'), /Cannot find package 'react'/)
await rejects(import('rapport-sdk/mocks/msw'), /Cannot find package 'msw'/)
