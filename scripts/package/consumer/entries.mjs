// The entries of the package by `import`, those that run everywhere.

export * as sdk from 'rapport-sdk'
export * as components from 'rapport-sdk/components'
export * as mocks from 'rapport-sdk/mocks'
export * as preview from 'rapport-sdk/preview'
export * as storage from 'rapport-sdk/storage'
export * as webauthn from 'rapport-sdk/webauthn'
