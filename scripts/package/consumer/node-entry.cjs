const { equal, rejects } = require('node:assert/strict')
const { fileTokenStore, mfaPrompt, undiciFetch } = require('rapport-sdk/node')

// The optional peer undici is not installed.
rejects(undiciFetch()('http://127.0.0.1', {}), /npm install undici/)

// stdin is not a terminal.
const challenge = { endpoint: 'Login Account', methods: [{ type: 'totp' }], allows: () => true }
rejects(mfaPrompt()(challenge), /stdin is not a terminal/)
fileTokenStore('no/such/token.json')
  .get()
  .then((token) => equal(token, null))
