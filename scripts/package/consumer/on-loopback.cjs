const openPlace = require('./place.cjs')
const scenario = require('./scenario.cjs')

/** The whole scenario and the server that it talks to, in one process. Prints the names of its parts, as JSON. */
module.exports = async function onLoopback(entries) {
  const { place, close } = await openPlace(entries)
  console.log(JSON.stringify(await scenario(entries, place)))
  await close()
}
