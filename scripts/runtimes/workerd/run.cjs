// Runs a bundled worker in workerd with a mock that listens in this process: node run.cjs <bundle> <folder of miniflare>
const { readFileSync } = require('node:fs')
const mocks = require('rapport-sdk/mocks')
const node = require('rapport-sdk/mocks/node')
const startMockServer = require('./mock-server.cjs')

async function run([bundle, tools]) {
  const { Miniflare } = require(require.resolve('miniflare', { paths: [tools] }))
  const { compatibilityDate } = require(require.resolve('workerd', { paths: [tools] }))
  const { connection, close } = await startMockServer({ mocks, node })
  const script = readFileSync(bundle, 'utf8')
  const miniflare = new Miniflare({ modules: true, script, compatibilityDate })
  try {
    const response = await miniflare.dispatchFetch('http://worker.example/', {
      method: 'POST',
      body: JSON.stringify(connection),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`in workerd: ${text}`)
    console.log(text)
  } finally {
    await miniflare.dispose()
    await close()
  }
}

run(process.argv.slice(2))
