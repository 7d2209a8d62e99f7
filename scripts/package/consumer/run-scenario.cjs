const startMockServer = require('./mock-server.cjs')
const scenario = require('./scenario.cjs')

/** Runs the scenario and its server in one process. Prints the names of the passed parts as JSON. */
module.exports = async function runScenario(entries) {
  const { connection, close } = await startMockServer(entries)
  console.log(JSON.stringify(await scenario(entries, connection)))
  await close()
}
