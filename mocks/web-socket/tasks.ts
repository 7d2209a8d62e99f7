/** Runs what is given later, in order, each piece in a task of its own. */
export type TaskQueue = (act: () => void) => void

/**
 * Tasks as a network has them: later than all promises that are settled by then, so that a client that reconnects
 * without end blocks nothing. No timer, as tests replace those; the channel is closed whenever nothing waits, so that
 * it keeps no process alive.
 */
export function createTasks(): TaskQueue {
  const waiting: (() => void)[] = []
  let channel: MessageChannel | undefined

  const runOne = () => {
    const act = waiting.shift()
    try {
      act?.()
    } finally {
      if (waiting.length === 0) close()
    }
  }
  const close = () => {
    channel?.port1.close()
    channel?.port2.close()
    channel = undefined
  }
  const open = () => {
    const opened = new MessageChannel()
    opened.port1.onmessage = runOne
    return opened
  }
  return (act) => {
    waiting.push(act)
    if (typeof MessageChannel === 'undefined') {
      queueMicrotask(runOne)
      return
    }
    channel ??= open()
    channel.port2.postMessage(null)
  }
}
