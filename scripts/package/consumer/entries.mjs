// The entries of the package that run on every runtime and need no optional peer, loaded with `import`.

export * as sdk from 'rapport-sdk'
export * as components from 'rapport-sdk/components'
export * as core from 'rapport-sdk/core'
export * as dialog from 'rapport-sdk/dialog'
export * as mocks from 'rapport-sdk/mocks'
export * as control from 'rapport-sdk/mocks/control'
export * as factories from 'rapport-sdk/mocks/factories'
export * as vitest from 'rapport-sdk/mocks/vitest'
export * as preview from 'rapport-sdk/preview'
export * as redis from 'rapport-sdk/redis'
export * as storage from 'rapport-sdk/storage'
export * as webauthn from 'rapport-sdk/webauthn'
