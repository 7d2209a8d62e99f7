// The entries of the package that run on every runtime and need no optional peer, loaded with `require`.
const components = require('rapport-sdk/components')
const control = require('rapport-sdk/mocks/control')
const core = require('rapport-sdk/core')
const dialog = require('rapport-sdk/dialog')
const doctor = require('rapport-sdk/doctor')
const mocks = require('rapport-sdk/mocks')
const factories = require('rapport-sdk/mocks/factories')
const vitest = require('rapport-sdk/mocks/vitest')
const preview = require('rapport-sdk/preview')
const sdk = require('rapport-sdk')
const storage = require('rapport-sdk/storage')
const webauthn = require('rapport-sdk/webauthn')
const query = require('rapport-sdk/query')
const redis = require('rapport-sdk/redis')

module.exports = {
  components,
  control,
  core,
  dialog,
  doctor,
  factories,
  mocks,
  preview,
  query,
  redis,
  sdk,
  storage,
  vitest,
  webauthn,
}
