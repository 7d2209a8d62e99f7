import type { MockCloseEvent, MockMessageEvent } from './types'

class MemoryCloseEvent extends Event implements MockCloseEvent {
  constructor(
    readonly code: number,
    readonly reason: string,
    readonly wasClean: boolean,
  ) {
    super('close')
  }
}

/** The event of a socket that has closed. Node has its class since version 23 alone. */
export function closeEvent(code: number, reason: string, wasClean: boolean): MockCloseEvent {
  if (typeof CloseEvent === 'undefined') return new MemoryCloseEvent(code, reason, wasClean)
  return new CloseEvent('close', { code, reason, wasClean })
}

/** The event of a message that came. */
export function messageEvent(data: MockMessageEvent['data'], origin: string): MockMessageEvent {
  return new MessageEvent('message', { data, origin })
}

/** The event of a socket that could not be opened. As that of `ws` it says why, which those of browsers do not. */
export function errorEvent(message: string): Event {
  const error = new Error(message)
  return Object.assign(new Event('error'), { message, error })
}
