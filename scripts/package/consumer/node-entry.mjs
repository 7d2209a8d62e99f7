import { equal, rejects } from 'node:assert/strict'
import { fileTokenStore, mfaPrompt, undiciFetch } from 'rapport-sdk/node'

// The optional peer undici is not installed.
await rejects(undiciFetch()('http://127.0.0.1', {}), /npm install undici/)

// stdin is not a terminal.
const challenge = { endpoint: 'Login Account', methods: [{ type: 'totp' }], allows: () => true }
await rejects(mfaPrompt()(challenge), /stdin is not a terminal/)
equal(await fileTokenStore('no/such/token.json').get(), null)
