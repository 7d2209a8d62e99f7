// Exposes the entries of the package on `window`, so that tests can use them with `page.evaluate`.
import * as sdk from 'rapport-sdk'
import * as components from 'rapport-sdk/components'
import * as core from 'rapport-sdk/core'
import * as dialog from 'rapport-sdk/dialog'
import * as storage from 'rapport-sdk/storage'
import * as webauthn from 'rapport-sdk/webauthn'

const rapport = { ...sdk, components, core, dialog, storage, webauthn }

declare global {
  interface Window {
    /** The package. */
    rapport: typeof rapport
  }
}

window.rapport = rapport
