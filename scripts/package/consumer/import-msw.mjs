import { setupServer } from 'msw/node'
import * as sdk from 'rapport-sdk'
import * as mocks from 'rapport-sdk/mocks'
import { handlers } from 'rapport-sdk/mocks/msw'
import mswScenario from './msw-scenario.cjs'

await mswScenario({ sdk, mocks, handlers, setupServer })
