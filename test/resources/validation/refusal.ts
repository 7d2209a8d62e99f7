import { Client, isRequestValidationError, type RequestValidationError } from 'rapport-sdk'
import { clientMethod } from '../../contract/client-methods'

function observedClient(): { client: Client; bodies: string[] } {
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

/** Makes a call that must be refused before anything is sent, and gives the error. */
export async function refusal(call: string, ...given: readonly unknown[]): Promise<RequestValidationError> {
  const { client, bodies } = observedClient()
  const send = clientMethod(client, call)
  if (send === undefined) throw new Error(`there is no ${call}`)
  const outcome = await send(...given).then(
    () => new Error(`${call} was not refused`),
    (reason: unknown) => reason,
  )
  if (bodies.length > 0) throw new Error(`${call} was sent: ${bodies.join()}`)
  if (!isRequestValidationError(outcome)) throw outcome
  return outcome
}

/** What is wrong with a call, a line a problem: `password: too_short, limit 8, actual 7`. */
export async function problems(call: string, ...given: readonly unknown[]): Promise<string[]> {
  const { issues } = await refusal(call, ...given)
  return issues.map(({ path, code, limit, ...rest }) => {
    const shown = 'actual' in rest ? `, actual ${JSON.stringify(rest.actual)}` : ''
    return `${path.join('.')}: ${code}${limit === undefined ? '' : `, limit ${limit}`}${shown}`
  })
}

/** Makes a call that must be sent, and gives the body that was. */
export async function sentBody(call: string, ...given: readonly unknown[]): Promise<unknown> {
  const { client, bodies } = observedClient()
  const send = clientMethod(client, call)
  if (send === undefined) throw new Error(`there is no ${call}`)
  await send(...given)
  const [text = ''] = bodies
  return text === '' ? undefined : JSON.parse(text)
}
