import 'rapport-sdk/mocks/playwright'
import * as node from 'rapport-sdk/mocks/node'
import * as entries from './entries.mjs'
import runScenario from './run-scenario.cjs'

await runScenario({ ...entries, node })
