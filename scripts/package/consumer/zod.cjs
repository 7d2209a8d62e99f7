const schemas = require('rapport-sdk/zod')
const z = require('zod/v4')
const zodScenario = require('./zod-scenario.cjs')

zodScenario({ schemas, z })
