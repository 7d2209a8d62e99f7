// What a stranger does first, given the entries however they were loaded and a mock that listens on loopback.
const components = require('./parts/components.cjs')
const gateway = require('./parts/gateway.cjs')
const http = require('./parts/http.cjs')
const stepUp = require('./parts/step-up.cjs')

const parts = { HTTP: http, 'step-up': stepUp, gateway, components }

/** Runs each part, gives the names of those that passed, and rejects at the first that does not. */
module.exports = async function scenario(entries, place) {
  const passed = []
  for (const [name, part] of Object.entries(parts)) {
    await part(entries, place)
    passed.push(name)
  }
  return passed
}
