const sdk = require('rapport-sdk')
const mocks = require('rapport-sdk/mocks')
const node = require('rapport-sdk/mocks/node')
const storage = require('rapport-sdk/storage')
const scenario = require('./scenario.cjs')

scenario({ sdk, storage, mocks, node })
