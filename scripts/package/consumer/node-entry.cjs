const { rejects } = require('node:assert/strict')
const { undiciFetch } = require('rapport-sdk/node')

// The optional peer undici is not installed.
rejects(undiciFetch()('http://127.0.0.1', {}), /npm install undici/)
