import { optional } from '../../src/contract/schema'
import { check, nested } from '../settings'
import {
  ANSWER_OPTIONS,
  partsOfStub,
  type Stub,
  type StubAnswer,
  type StubEndpoint,
  StubEndpointSchema,
  StubSchema,
} from '../stubs/stubs'
import { fromCheck } from './openapi'
import { fields, given, itemsOf, refusal, row } from './row'

const endpoint = check('a method and a path', (value) => typeof value === 'string', { type: 'string' })
const StubParams = fromCheck<{ readonly endpoint: StubEndpoint } & StubAnswer>(
  nested({ endpoint, ...ANSWER_OPTIONS }, ['endpoint']),
)

/** Schemas with a name in the OpenAPI document. */
export const stubSchemas = { NewStub: StubParams, Stub: StubSchema }

export const stubRows = {
  'GET /stubs': row({
    summary: 'Returns the stubs; `status` is `null` for those with a function',
    result: itemsOf<Stub>(StubSchema),
    handle: ({ service }) => ({ items: service.stubs.all() }),
  }),
  'POST /stubs': row({
    summary:
      'Responds to requests to an endpoint that the API document does not list; `{{params.x}}`, `{{query.x}}` and `{{body.x}}` in strings of `body` are replaced',
    params: StubParams,
    status: 201,
    result: StubSchema,
    handle({ service: { stubs }, params: { endpoint, ...answer } }) {
      given('/endpoint', () => partsOfStub(endpoint))
      given('/body', () => stubs.on(endpoint, answer))
      const added = stubs.all().find((stub) => stub.endpoint === endpoint)
      if (added === undefined) throw new Error('the stub was not added')
      return added
    },
  }),
  'DELETE /stubs': row({
    summary: 'Removes all stubs, or that of an endpoint',
    params: fields({ endpoint: optional(StubEndpointSchema) }),
    handle({ service: { stubs }, params: { endpoint } }) {
      if (endpoint === undefined) return stubs.clear()
      if (stubs.remove(endpoint)) return
      const all = stubs.all().map((stub) => stub.endpoint)
      throw refusal(404, 'endpoint', `there is no stub of ${JSON.stringify(endpoint)}`, all)
    },
  }),
}
