// The service of the gateway soak, in its own process so that only the client is measured.
import { createMockService } from 'rapport-sdk/mocks'
import { listen } from 'rapport-sdk/mocks/node'
import { type Command, EVENTS_PER_ROUND, HEARTBEAT_MS, type Listening, type Loss } from './gateway-plan'

const FRIENDS = 100
const since = '2026-01-01T00:00:00.000000+00:00'

const service = createMockService({
  policy: {
    gateway: {
      heartbeatInterval: HEARTBEAT_MS,
      // Only the client checks heartbeats here: it cannot send any while it is cut off.
      heartbeatGrace: Number.POSITIVE_INFINITY,
      replayLimit: 2 * EVENTS_PER_ROUND,
    },
  },
})
const { gateway, users, relationships } = service
const ada = users.create({ login: 'ada@example.test', username: 'ada' })
const friends = Array.from({ length: FRIENDS }, (_, index) =>
  users.create({ login: `friend${index}@example.test`, username: `friend${index}` }),
)
for (const friend of friends) relationships.befriend(ada, friend)
const server = await listen(service)

let serial = 0

/**
 * Emits the next event. Six in a row are one of each kind, about the same friend, who is a friend again after them. The extra
 * field `serial` lets the client check that each event arrives once.
 */
function emitNext(): void {
  serial += 1
  const friend = friends[Math.floor(serial / 6) % friends.length]
  if (friend === undefined) throw new Error('there are no friends')
  const { id, username } = friend
  const user = { id, username, discriminator: '0', avatar: null, global_name: null }
  const to = { to: ada }
  switch (serial % 6) {
    case 0:
      gateway.emit('Relationship Update', { id, nickname: `friend ${serial}`, serial }, to)
      break
    case 1:
      gateway.emit('Relationship Remove', { id, type: 1, serial }, to)
      break
    case 2:
      gateway.emit('Relationship Add', { id, type: 1, user, nickname: null, user_ignored: false, since, serial }, to)
      break
    case 3: {
      const game = { id, application_id: '900', type: 1, user, since, dm_access_type: 0, user_id: ada.id }
      gateway.emit('Game Relationship Add', { ...game, serial }, to)
      break
    }
    case 4:
      gateway.emit('Game Relationship Remove', { id, application_id: '900', serial }, to)
      break
    default:
      gateway.emit('Friend Suggestion Delete', { suggested_user_id: id, serial }, to)
  }
}

let thaw = () => {}

function lose(loss: Loss): void {
  if (loss === 'kill') gateway.drop()
  if (loss === 'reconnect') gateway.reconnect()
  if (loss === 'retry') gateway.invalidSession(true)
  if (loss === 'invalid') gateway.invalidSession(false)
  if (loss === 'vanish') {
    const fault = gateway.freeze()
    thaw = () => fault.remove()
  }
}

process.on('message', (command: Command) => {
  if (command.kind === 'events') {
    for (let count = 0; count < command.count; count++) emitNext()
    // Sends some events twice, which the client must drop.
    gateway.duplicate()
  }
  if (command.kind === 'loss') lose(command.loss)
  if (command.kind === 'thaw') thaw()
  if (command.kind === 'end') process.disconnect()
})
process.once('disconnect', () => void server.close())
process.send?.({
  url: server.url,
  gatewayUrl: server.gatewayUrl,
  token: service.token(ada),
  friends: FRIENDS,
} satisfies Listening)
