const { throws } = require('node:assert/strict')

// No optional peer is installed: the error says which package an entry needs.
throws(() => require('rapport-sdk/zod'), /Cannot find module 'zod\/v4'/)
throws(() => require('rapport-sdk/otel'), /Cannot find module '@opentelemetry\/api'/)
throws(() => require('rapport-sdk/react'), /Cannot find module 'react'/)
throws(() => require('rapport-sdk/mocks/msw'), /Cannot find module 'msw'/)
