const zod = require('rapport-sdk/zod')
const entries = require('./entries.cjs')
const worker = require('./worker.cjs')

module.exports = worker({ ...entries, zod })
