// Typical use of the package, with its entries loaded in either module format and a mock that listens on loopback.
const components = require('./parts/components.cjs')
const gateway = require('./parts/gateway.cjs')
const http = require('./parts/http.cjs')
const stepUp = require('./parts/step-up.cjs')

const parts = { HTTP: http, 'step-up': stepUp, gateway, components }

/** Runs the parts in order and resolves to their names. Rejects with the error of the first part that fails. */
module.exports = async function scenario(entries, connection) {
  const passed = []
  for (const [name, part] of Object.entries(parts)) {
    await part(entries, connection)
    passed.push(name)
  }
  return passed
}
