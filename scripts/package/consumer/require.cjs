const node = require('rapport-sdk/mocks/node')
const entries = require('./entries.cjs')
const onLoopback = require('./on-loopback.cjs')

onLoopback({ ...entries, node })
