// A page that has its service within: msw's worker answers its requests, and its WebSocket is msw's.
import './page'
import { setupWorker } from 'msw/browser'
import { createMockService } from 'rapport-sdk/mocks'
import { browserHandlers } from 'rapport-sdk/mocks/msw'

const mock = { createMockService, browserHandlers, setupWorker }

declare global {
  interface Window {
    /** The service in a box, and msw. */
    mock: typeof mock
  }
}

window.mock = mock
