import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { routeOf } from '../../mocks/routes/index'
import { endpoints } from '../../src/contract/index'
import { setUp } from './calls'

describe('the mock and the contract', () => {
  it.each(endpoints.map(({ call, endpoint }) => [call, endpoint] as const))('has a route for %s', (_, endpoint) => {
    expect(routeOf(endpoint)).toBeTypeOf('function')
  })

  it('answers every row at its own path, and asks for a token where the contract says so', async () => {
    const { send } = setUp()
    for (const { endpoint } of endpoints) {
      const path = endpoint.path.replaceAll(/\{[^{}]+\}/g, '1')
      const { status } = await send(`${endpoint.method} ${path}` as 'GET /')
      const expected = endpoint.auth === 'token' ? [401] : [200, 400]
      expect(expected, `${endpoint.method} ${endpoint.path}`).toContain(status)
    }
  })
})

describe('the files of the mock', () => {
  const files = readdirSync('mocks', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  const importsOf = (name: string) =>
    Array.from(readFileSync(`mocks/${name}`, 'utf8').matchAll(/from '([^']+)'/g), (match) => String(match[1]))

  it('import msw and Node in the entries that are for them alone', () => {
    const importing = (pattern: RegExp) => files.filter((name) => importsOf(name).some((path) => pattern.test(path)))
    expect(importing(/^msw/)).toEqual(['msw.ts'])
    expect(importing(/^ws$/)).toEqual(['node-gateway.ts'])
    expect(importing(/^node:/).sort()).toEqual([
      'cli-options.ts',
      'node-gateway.ts',
      'node-upgrade.ts',
      'node-webauthn.ts',
      'node.ts',
    ])
  })

  it('know the contract and the rules of components, and nothing else of the client', () => {
    const outside = files.flatMap(importsOf).filter((path) => path.includes('/src/'))
    expect(outside.length).toBeGreaterThan(0)
    for (const path of outside)
      expect(path).toMatch(/^(\.\.\/)+src\/(contract\/[a-z-]+|internal\/redact|components\/index)$/)
  })
})
