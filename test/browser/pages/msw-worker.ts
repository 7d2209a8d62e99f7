// A page in which the mock service runs: the msw worker responds to its requests, and msw replaces its WebSocket.
import './page'
import { setupWorker } from 'msw/browser'
import { createMockService } from 'rapport-sdk/mocks'
import { browserHandlers } from 'rapport-sdk/mocks/msw'

const mock = { createMockService, browserHandlers, setupWorker }

declare global {
  interface Window {
    /** The mock service and msw. */
    mock: typeof mock
  }
}

window.mock = mock
