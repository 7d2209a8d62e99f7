import * as zod from 'rapport-sdk/zod'
import * as entries from './entries.mjs'
import worker from './worker.cjs'

export default worker({ ...entries, zod })
