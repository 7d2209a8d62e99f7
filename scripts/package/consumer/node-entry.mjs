import { rejects } from 'node:assert/strict'
import { undiciFetch } from 'rapport-sdk/node'

// The optional peer undici is not installed.
await rejects(undiciFetch()('http://127.0.0.1', {}), /npm install undici/)
