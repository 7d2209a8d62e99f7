const schemas = require('rapport-sdk/zod')
const z = require('zod')
const zodScenario = require('./zod-scenario.cjs')

zodScenario({ schemas, z })
