import * as sdk from 'rapport-sdk'
import * as components from 'rapport-sdk/components'
import * as mocks from 'rapport-sdk/mocks'
import * as node from 'rapport-sdk/mocks/node'
import * as preview from 'rapport-sdk/preview'
import * as storage from 'rapport-sdk/storage'
import * as webauthn from 'rapport-sdk/webauthn'
import scenario from './scenario.cjs'

await scenario({ sdk, components, preview, storage, webauthn, mocks, node })
