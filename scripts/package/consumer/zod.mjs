import * as schemas from 'rapport-sdk/zod'
import * as z from 'zod'
import zodScenario from './zod-scenario.cjs'

zodScenario({ schemas, z })
