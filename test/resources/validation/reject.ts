import { Client, isRequestValidationError, type RequestValidationError } from 'rapport-sdk'
import { clientMethod } from '../../contract/client-methods'

function recordingClient(): { client: Client; bodies: string[] } {
  const bodies: string[] = []
  const client = new Client({
    baseUrl: 'https://service.example',
    token: 'the-token-of-ada',
    onResponseMismatch: 'ignore',
    fetch: async (input, init) => {
      bodies.push(await new Request(input, init).text())
      return Response.json({ token: 'a-new-token' })
    },
  })
  return { client, bodies }
}

/** Makes a call that must be rejected before anything is sent, and returns the error. */
export async function validationErrorOf(call: string, ...args: readonly unknown[]): Promise<RequestValidationError> {
  const { client, bodies } = recordingClient()
  const send = clientMethod(client, call)
  if (send === undefined) throw new Error(`there is no ${call}`)
  const outcome = await send(...args).then(
    () => new Error(`${call} was not rejected`),
    (reason: unknown) => reason,
  )
  if (bodies.length > 0) throw new Error(`${call} was sent: ${bodies.join()}`)
  if (!isRequestValidationError(outcome)) throw outcome
  return outcome
}

/** Returns the issues of a rejected call, one line each: `password: too_short, limit 8, actual 7`. */
export async function issuesOf(call: string, ...args: readonly unknown[]): Promise<string[]> {
  const { issues } = await validationErrorOf(call, ...args)
  return issues.map(({ path, code, limit, ...rest }) => {
    const actual = 'actual' in rest ? `, actual ${JSON.stringify(rest.actual)}` : ''
    return `${path.join('.')}: ${code}${limit === undefined ? '' : `, limit ${limit}`}${actual}`
  })
}

/** Makes a call and returns the body that was sent. */
export async function sentBody(call: string, ...args: readonly unknown[]): Promise<unknown> {
  const { client, bodies } = recordingClient()
  const send = clientMethod(client, call)
  if (send === undefined) throw new Error(`there is no ${call}`)
  await send(...args)
  const [text = ''] = bodies
  return text === '' ? undefined : JSON.parse(text)
}
