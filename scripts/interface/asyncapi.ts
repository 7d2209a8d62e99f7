import { DEFAULT_PORT } from '../../mocks/cli/options'
import { defaultGatewayPolicy } from '../../mocks/policy'
import { gatewayEvents } from '../../src/contract/gateway-events'
import { defaultGatewayProtocol, type GatewayCloseAction } from '../../src/gateway/protocol'
import { typeComments } from './comments'
import { type JsonSchema, refTo, schemasUsedBy } from './schemas'

/** A message of the gateway. */
interface Message {
  /** Name on the wire for an event, else of the frame. */
  readonly name: string
  readonly title: string
  readonly summary: string
  readonly payload: JsonSchema
}

/** Returns the AsyncAPI 3.0 document of the gateway, as a client sees it. */
export function asyncApi(version: string): object {
  const events = eventMessages()
  const all = Object.fromEntries(
    Object.entries<Message>({ ...SENT, ...CONTROL, ...events }).map(([key, message]) => [key, withTitles(message)]),
  )
  return {
    // Not 3.1, which some generators of code refuse; nothing here needs it.
    asyncapi: '3.0.0',
    info: {
      title: 'Events of friends, games and sessions',
      description:
        'The gateway of the service, as a client sees it. The API document names eight events and what causes them. It shows neither an address nor frames, payloads and close codes: those here are a convention, which rapport-sdk and its mock follow by default.',
      version,
      contact: { name: 'Rapport contributors' },
      license: { name: 'MIT', url: 'https://spdx.org/licenses/MIT.html' },
    },
    defaultContentType: 'application/json',
    servers: {
      gateway: {
        host: '{host}',
        protocol: 'wss',
        description: 'The host of the option `gateway.url` of the client.',
        variables: { host: { default: 'gateway.service.example', description: 'Host, and port if it is not 443.' } },
      },
      mock: {
        host: '127.0.0.1:{port}',
        protocol: 'ws',
        description: '`rapport-mock` on this machine. It prints its address.',
        variables: { port: { default: String(DEFAULT_PORT), description: 'The option `--port`.' } },
      },
    },
    channels: {
      gateway: {
        address: '/gateway',
        title: 'Gateway',
        description: channelDescription(),
        messages: Object.fromEntries(Object.keys(all).map((key) => [key, { $ref: `#/components/messages/${key}` }])),
        'x-close-codes': closeCodes(),
      },
    },
    operations: {
      ...Object.fromEntries(
        Object.entries(SENT).map(([key, { summary }]) => [`send${capitalize(key)}`, operation('send', summary, [key])]),
      ),
      receiveControl: operation('receive', 'Receives the frames that control a connection.', Object.keys(CONTROL)),
      receiveEvents: operation('receive', 'Receives events.', Object.keys(events)),
    },
    components: {
      messages: all,
      schemas: withPlainReferences(schemasUsedBy(Object.values(all))),
    },
  }
}

/** Names the schemas of a message: generators of code name types by their `title`. */
function withTitles({ payload, ...message }: Message): Message {
  const { d } = payload.properties ?? {}
  const data = d?.type === 'object' && { d: { title: `${message.title} Data`, ...d } }
  return { ...message, payload: { title: message.title, ...payload, properties: { ...payload.properties, ...data } } }
}

/** Replaces the `allOf` around a reference, with its description, by the reference: generators of code give it a type without a name. */
function withPlainReferences(schemas: object): object {
  return JSON.parse(JSON.stringify(schemas), (_, value) => {
    const { allOf } = Object(value)
    return allOf?.length === 1 ? allOf[0] : value
  })
}

function operation(action: 'send' | 'receive', summary: string, keys: readonly string[]): object {
  const messages = keys.map((key) => ({ $ref: `#/channels/gateway/messages/${key}` }))
  return { action, channel: { $ref: '#/channels/gateway' }, summary, messages }
}

const integer = (description: string): JsonSchema => ({ type: 'integer', minimum: 0, description })
const text = (description: string): JsonSchema => ({ type: 'string', description })

function objectOf(properties: Record<string, JsonSchema>, required = Object.keys(properties)): JsonSchema {
  return { type: 'object', properties, required }
}

/** Returns the schema of a frame; a frame that is not an event has no or null `s` and `t`. */
function frameOf(op: number, d?: JsonSchema): JsonSchema {
  const code: JsonSchema = { type: 'integer', const: op, description: 'Operation code.' }
  return d === undefined ? objectOf({ op: code }) : objectOf({ op: code, d })
}

const token = text('Authentication token, as in the `Authorization` header of a request.')

/** What a client sends. */
const SENT: Readonly<Record<string, Message>> = {
  identify: {
    name: 'Identify',
    title: 'Identify',
    summary: 'Starts a session, once after Hello. The answer is READY.',
    payload: frameOf(
      2,
      objectOf({ token, properties: { type: 'object', description: 'Properties of the client, such as its name.' } }, [
        'token',
      ]),
    ),
  },
  resume: {
    name: 'Resume',
    title: 'Resume',
    summary:
      'Resumes a session on a new connection, once after Hello. The answer are the missed events and RESUMED, or Invalid Session.',
    payload: frameOf(
      6,
      objectOf({
        token,
        session_id: text('The `session_id` of READY.'),
        seq: integer('Sequence number of the last event that was received.'),
      }),
    ),
  },
  heartbeat: {
    name: 'Heartbeat',
    title: 'Heartbeat',
    summary: 'Keeps the connection alive, in the interval of Hello and when the gateway requests it.',
    payload: frameOf(1, {
      type: ['integer', 'null'],
      minimum: 0,
      description: 'Sequence number of the last event that was received; `null` without one.',
    }),
  },
}

/** What a client receives except events. */
const CONTROL: Readonly<Record<string, Message>> = {
  hello: {
    name: 'Hello',
    title: 'Hello',
    summary: 'The first frame of a connection.',
    payload: frameOf(
      10,
      objectOf({
        heartbeat_interval: {
          type: 'number',
          minimum: 100,
          description: 'Milliseconds between two heartbeats of the client.',
        },
      }),
    ),
  },
  heartbeatRequest: {
    name: 'Heartbeat Request',
    title: 'Heartbeat Request',
    summary: 'Requests a heartbeat now.',
    payload: frameOf(1),
  },
  heartbeatAck: {
    name: 'Heartbeat Acknowledgement',
    title: 'Heartbeat Acknowledgement',
    summary: 'Acknowledges a heartbeat. A client that receives none before its next heartbeat reconnects.',
    payload: frameOf(11),
  },
  reconnect: {
    name: 'Reconnect',
    title: 'Reconnect',
    summary: 'Requests that the client connects again and resumes its session.',
    payload: frameOf(7),
  },
  invalidSession: {
    name: 'Invalid Session',
    title: 'Invalid Session',
    summary: 'The session is not valid.',
    payload: frameOf(9, {
      type: 'boolean',
      description: 'Whether it may still be resumed; otherwise the client sends Identify.',
    }),
  },
}

/** Returns the eight events, and the end of a replay. */
function eventMessages(): Record<string, Message> {
  const wireNames = Object.entries(defaultGatewayProtocol.eventMap)
  const wireName = (key: string): string => wireNames.find(([, event]) => event === key)?.[0] ?? ''
  const events = Object.entries(gatewayEvents).map(([key, { name: title, payload }]): [string, Message] => {
    const summary = typeComments.get(refTo(payload).$ref?.split('/').at(-1) ?? '')?.text ?? title
    return [key, { name: wireName(key), title, summary, payload: eventFrame(wireName(key), refTo(payload)) }]
  })
  const resumed: Message = {
    name: wireName('resumed'),
    title: 'Resumed',
    summary: 'All missed events of a resumed session have been sent.',
    payload: eventFrame(wireName('resumed'), {}),
  }
  return { ...Object.fromEntries(events), resumed }
}

function eventFrame(type: string, payload: JsonSchema): JsonSchema {
  return objectOf({
    op: { type: 'integer', const: 0, description: 'Operation code of an event.' },
    t: { type: 'string', const: type, description: 'Event name.' },
    s: integer('Sequence number in the session.'),
    d: payload,
  })
}

/** A close code, what it means, and how the client reacts. */
interface CloseCode {
  readonly code: number
  readonly meaning: string
  readonly reaction: string
}

const REACTIONS: Readonly<Record<GatewayCloseAction, string>> = {
  fatal: 'does not reconnect',
  fresh: 'reconnects and sends Identify',
  resume: 'reconnects and sends Resume',
}

/** Close codes of the mock, and those after which a client does not reconnect. */
function closeCodes(): CloseCode[] {
  const comments = typeComments.get('GatewayCloseCodes')?.properties
  const meanings = new Map(
    Object.entries(defaultGatewayPolicy.closeCodes).map(([name, code]) => {
      return [code, comments?.get(name)?.text.replace(/ Default: `\d+`\.$/, '') ?? '']
    }),
  )
  const others = [1001, 4010, 4011, 4012, 4013, 4014].map((code): [number, string] => [
    code,
    code === 1001 ? 'The gateway shuts down.' : 'The client cannot connect as it is. The mock does not send this code.',
  ])
  return [...meanings, ...others]
    .sort(([one], [other]) => one - other)
    .map(([code, meaning]) => ({ code, meaning, reaction: REACTIONS[defaultGatewayProtocol.classifyClose(code)] }))
}

function channelDescription(): string {
  const rows = closeCodes().map(({ code, meaning, reaction }) => `| ${code} | ${meaning} | ${reaction} |`)
  return [
    'One connection of one user. The gateway sends Hello; the client sends Identify or Resume, then heartbeats.',
    'The address is that of the mock, `/gateway` below its base URL. For another service it is the whole option `gateway.url`. A session is resumed at the `resume_gateway_url` of READY, if there is one.',
    'A client that closes with 1000 or 1001 ends its session. The gateway closes with these codes:',
    ['| code | meaning | client |', '|---|---|---|', ...rows].join('\n'),
    'After any other code, or a lost connection, the client reconnects and resumes.',
  ].join('\n\n')
}

function capitalize(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}
