import * as schemas from 'rapport-sdk/zod'
import * as z from 'zod/v4'
import zodScenario from './zod-scenario.cjs'

zodScenario({ schemas, z })
