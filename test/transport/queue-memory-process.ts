// Prints how many bytes of a call that waited in the queue survive the garbage collections of young objects.
import { Session } from 'node:inspector/promises'
import { setImmediate as turn } from 'node:timers/promises'
import { Client } from 'rapport-sdk'

const items = Array.from({ length: 20 }, (_, index) => ({
  id: String(index),
  type: 1,
  user: { username: `user-${index}` },
}))
const body = JSON.stringify(items)
const fetch = async () => {
  await turn()
  return new Response(body)
}
const client = new Client({ baseUrl: 'https://service.example', fetch, maxConcurrency: 1 })

/** Makes calls one after the other. */
async function makeCalls(count: number): Promise<void> {
  for (let left = count; left > 0; left--) await client.relationships.list()
}

/** Makes calls, each of which waits for another one. */
const makeQueuedCalls = (count: number) => Promise.all([makeCalls(count / 2), makeCalls(count / 2)])

await makeQueuedCalls(200)
const session = new Session()
session.connect()
// Includes by default only objects that are still alive.
await session.post('HeapProfiler.startSampling', { samplingInterval: 1024, includeObjectsCollectedByMajorGC: true })
await makeQueuedCalls(1000)
const { profile } = await session.post('HeapProfiler.stopSampling')
const nodes = [profile.head]
let bytes = 0
for (const { selfSize, callFrame, children } of nodes) {
  if (callFrame.url === import.meta.url) bytes += selfSize
  nodes.push(...children)
}
console.log(bytes / 1000)
