import { describe, expect, test } from 'vitest'
import manifest from '../../package.json'

describe('package.json', () => {
  test('the dependencies are four, and ranges, so that an app has one copy of each', () => {
    expect(Object.keys(manifest.dependencies)).toEqual(['eventemitter3', 'isomorphic-ws', 'ky', 'ws'])
    for (const range of Object.values(manifest.dependencies)) expect(range).toMatch(/^\^\d+\.\d+\.\d+$/)
  })

  test('what only some entries need is an optional peer, which the app installs', () => {
    const optional = Object.keys(manifest.peerDependenciesMeta)
    expect(optional).toEqual(Object.keys(manifest.peerDependencies))
    expect(optional).toEqual([
      '@opentelemetry/api',
      '@playwright/test',
      '@simplewebauthn/server',
      'msw',
      'react',
      'redis',
      'undici',
      'zod',
    ])
  })

  test('an optional peer of any version is accepted, since npm refuses to install next to others, even in an app that does not use its entry', () => {
    expect([...new Set(Object.values(manifest.peerDependencies))]).toEqual(['*'])
  })
})
