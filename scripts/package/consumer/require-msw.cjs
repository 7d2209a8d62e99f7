const { setupServer } = require('msw/node')
const sdk = require('rapport-sdk')
const mocks = require('rapport-sdk/mocks')
const { handlers } = require('rapport-sdk/mocks/msw')
const mswScenario = require('./msw-scenario.cjs')

mswScenario({ sdk, mocks, handlers, setupServer })
