import { Client, isMfaCancelledError } from 'rapport-sdk'
import { mfaDialog } from 'rapport-sdk/dialog'
import { expect, it } from 'vitest'
import { serveStepUp } from '../servers/step-up-service'
import { rejectionOf } from '../transport/rejection'

it('on a server, the dialog can be imported and passed to a client, and cancels a call that needs it', async () => {
  const { url } = await serveStepUp()
  const client = new Client({ baseUrl: url, token: 'ada', onMfaRequired: mfaDialog() })

  const { cause } = await rejectionOf(client.relationships.list(), isMfaCancelledError)

  expect(cause).toEqual(new Error('The dialog needs a browser: there is no `document`.'))
})
