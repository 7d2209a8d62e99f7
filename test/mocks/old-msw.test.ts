import { handlers } from 'rapport-sdk/mocks/msw'
import { expect, test, vi } from 'vitest'
import { setUp } from './set-up'

const { installed } = vi.hoisted(() => ({ installed: { http: {} as unknown, ws: {} } }))
vi.mock('msw', () => installed)

test.each<[string, unknown]>([
  ['1', undefined],
  ['2.10', { all: (path: string) => path.endsWith('/') }],
])('handlers with msw %s throw an error that names the version they need', (_, http) => {
  installed.http = http
  expect(() => handlers(setUp().service)).toThrow('rapport-sdk/mocks/msw needs msw 2.11 or newer')
})
