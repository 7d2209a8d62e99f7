// Runs a bundled worker in workerd, against a mock that listens in this process. node drive.cjs <bundle> <folder of miniflare>
const { readFileSync } = require('node:fs')
const mocks = require('rapport-sdk/mocks')
const node = require('rapport-sdk/mocks/node')
const openPlace = require('./place.cjs')

async function drive([bundle, tools]) {
  const { Miniflare } = require(require.resolve('miniflare', { paths: [tools] }))
  const { compatibilityDate } = require(require.resolve('workerd', { paths: [tools] }))
  const { place, close } = await openPlace({ mocks, node })
  const script = readFileSync(bundle, 'utf8')
  const miniflare = new Miniflare({ modules: true, script, compatibilityDate })
  try {
    const response = await miniflare.dispatchFetch('http://worker.example/', {
      method: 'POST',
      body: JSON.stringify(place),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`in workerd: ${text}`)
    console.log(text)
  } finally {
    await miniflare.dispose()
    await close()
  }
}

drive(process.argv.slice(2))
