require('rapport-sdk/mocks/playwright')
const node = require('rapport-sdk/mocks/node')
const entries = require('./entries.cjs')
const runScenario = require('./run-scenario.cjs')

runScenario({ ...entries, node })
