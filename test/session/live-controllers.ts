import { setImmediate as turn } from 'node:timers/promises'
import { queryObjects } from 'node:v8'

/** How many abort controllers are alive. Whatever waits has one, so those that a client forgets to let go show. */
export async function liveControllers(): Promise<number> {
  await turn()
  return Number(queryObjects(AbortController))
}
