import * as sdk from 'rapport-sdk'
import * as mocks from 'rapport-sdk/mocks'
import * as node from 'rapport-sdk/mocks/node'
import * as storage from 'rapport-sdk/storage'
import scenario from './scenario.cjs'

await scenario({ sdk, storage, mocks, node })
