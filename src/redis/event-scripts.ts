import type { Script } from './connection'

// Keys of all scripts: the stream, the state, the lease of the holder. Scripts are atomic, so that what is stored of a session
// always matches the events in the stream.

/** Types of the keys of all scripts; the last one is the lease of a group. */
const types = ['stream', 'hash', 'string', 'string']

/** Returns `foreign` for a state that this version did not write. */
const CHECK_STATE = `
local format = redis.call('HGET', KEYS[2], 'v')
if format ~= '1' and redis.call('EXISTS', KEYS[2]) == 1 then return {'foreign', KEYS[2]} end
`

/**
 * Arguments: holder, lease in ms, new epoch. The fencing token is the time, so that it increases even if Redis loses its last
 * writes in a failover.
 */
export const ACQUIRE: Script = {
  types,
  text: `${CHECK_STATE}
local stored = redis.call('HMGET', KEYS[2], 'fence', 'n', 'seq')
for index = 1, 3 do
  local number = tonumber(stored[index] or '0') or stored[index] == '' and 0
  if not (number and number < 2 ^ 53) then return {'foreign', KEYS[2]} end
end
local left = redis.call('PTTL', KEYS[3])
if left == -1 then return {'foreign', KEYS[3]} end
if left >= 0 then return {'held', left} end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local last = tonumber(stored[1] or '0')
if redis.call('EXISTS', KEYS[1]) == 1 then
  local info = redis.call('XINFO', 'STREAM', KEYS[1])
  for index = 1, #info, 2 do
    if info[index] == 'last-generated-id' then last = math.max(last, tonumber(string.match(info[index + 1], '^%d+'))) end
  end
  -- No ID is after it.
  if last >= 2 ^ 53 - 1 then return {'foreign', KEYS[1]} end
end
local fence = string.format('%.0f', math.max(last + 1, now))
redis.call('SET', KEYS[3], fence .. ':' .. ARGV[1], 'PX', ARGV[2])
redis.call('HSET', KEYS[2], 'v', '1', 'fence', fence)
redis.call('HSETNX', KEYS[2], 'epoch', ARGV[3])
redis.call('HSETNX', KEYS[2], 'n', '0')
redis.call('HDEL', KEYS[2], 'up')
local state = redis.call('HMGET', KEYS[2], 'n', 'ready', 'seq')
return {'ok', fence, state[1], state[2] or '', state[3] or ''}`,
}

/** Arguments: lease, its duration in ms, whether the holder is connected, channel. */
export const RENEW: Script = {
  types,
  text: `
if redis.call('GET', KEYS[3]) ~= ARGV[1] then return {'lost'} end
redis.call('PEXPIRE', KEYS[3], ARGV[2])
if redis.call('HGET', KEYS[2], 'up') ~= ARGV[3] then
  -- First: if it is not permitted, the next call tries again.
  redis.call('PUBLISH', ARGV[4], 'state')
  redis.call('HSET', KEYS[2], 'up', ARGV[3])
  if ARGV[3] == '1' then redis.call('HDEL', KEYS[2], 'failure') end
end
return {'ok'}`,
}

/** Arguments: lease, channel. */
export const RELEASE: Script = {
  types,
  text: `
if redis.call('GET', KEYS[3]) ~= ARGV[1] then return {'lost'} end
redis.call('DEL', KEYS[3])
redis.call('PUBLISH', ARGV[2], 'state')
return {'ok'}`,
}

/** Arguments: lease, channel, failure. The session cannot be resumed. */
export const FAIL: Script = {
  types,
  text: `
if redis.call('GET', KEYS[3]) ~= ARGV[1] then return {'lost'} end
redis.call('HSET', KEYS[2], 'failure', ARGV[3])
redis.call('HDEL', KEYS[2], 'ready', 'seq')
redis.call('DEL', KEYS[3])
redis.call('PUBLISH', ARGV[2], 'state')
return {'ok'}`,
}

/**
 * Arguments: lease, fencing token, number of the event before, maximum length, channel, payload of the Ready to store; then
 * type, data and sequence number of each event, the type empty for an event that is missing.
 */
export const PUBLISH: Script = {
  types,
  text: `
if redis.call('GET', KEYS[3]) ~= ARGV[1] then return {'lost'} end
local number = tonumber(redis.call('HGET', KEYS[2], 'n') or '-1')
local after = tonumber(ARGV[3])
if number < after then return {'lost'} end
local event = after
local seq
for index = 7, #ARGV, 3 do
  event = event + 1
  if ARGV[index] == 'ready' then seq = '' end
  if ARGV[index + 2] ~= '' then seq = ARGV[index + 2] end
  if event > number and ARGV[index] ~= '' then
    local id = ARGV[2] .. '-' .. string.format('%.0f', event)
    local added = redis.pcall('XADD', KEYS[1], 'MAXLEN', '~', ARGV[4], id, 'v', '1', 't', ARGV[index], 'd', ARGV[index + 1], 's', ARGV[index + 2])
    if added.err and (string.find(added.err, 'equal or smaller', 1, true) or string.find(added.err, 'last possible ID', 1, true)) then
      -- Something else has written to the stream: the next holder gets a fencing token after it, if there is one.
      redis.call('DEL', KEYS[3])
      return {'lost'}
    end
    if added.err then return added end
  end
end
if event > number then
  redis.call('HSET', KEYS[2], 'n', string.format('%.0f', event))
  if seq then redis.call('HSET', KEYS[2], 'seq', seq) end
end
if ARGV[6] ~= '' and event >= number then redis.call('HSET', KEYS[2], 'ready', ARGV[6]) end
redis.call('PUBLISH', ARGV[5], ARGV[6] == '' and 'events' or 'all')
return {'ok'}`,
}

/** Returns epoch, number, whether a holder is connected, ID of the last event, payload of Ready, failure. */
export const STATUS: Script = {
  types,
  text: `${CHECK_STATE}
local state = redis.call('HMGET', KEYS[2], 'epoch', 'n', 'up', 'ready', 'failure')
local newest = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
local up = state[3] == '1' and redis.call('EXISTS', KEYS[3]) == 1
return {'ok', state[1] or '', state[2] or '0', up and '1' or '0', newest and newest[1] or '', state[4] or '', state[5] or ''}`,
}

/** Arguments: ID of the event before, maximum number of events. */
export const READ: Script = {
  types,
  text: `
return {'ok', redis.call('HGET', KEYS[2], 'epoch') or '', redis.call('XRANGE', KEYS[1], '(' .. ARGV[1], '+', 'COUNT', ARGV[2])}`,
}

/**
 * Arguments: group, consumer, lease in ms, ID of the last pending event that was received, maximum number of events, whether all
 * pending events were received; then IDs to acknowledge. The fourth key is the lease of the group. A consumer that becomes
 * active claims the pending events of the one before.
 */
export const READ_GROUP: Script = {
  types,
  text: `
local active = redis.call('GET', KEYS[4])
if active and active ~= ARGV[2] then
  local left = redis.call('PTTL', KEYS[4])
  if left < 0 then return {'foreign', KEYS[4]} end
  return {'held', left}
end
redis.call('SET', KEYS[4], ARGV[2], 'PX', ARGV[3])
local function claim()
  local cursor = '0-0'
  repeat
    cursor = redis.call('XAUTOCLAIM', KEYS[1], ARGV[1], ARGV[2], '0', cursor, 'COUNT', 1000, 'JUSTID')[1]
  until cursor == '0-0'
  for _, consumer in ipairs(redis.call('XINFO', 'CONSUMERS', KEYS[1], ARGV[1])) do
    if consumer[2] ~= ARGV[2] and consumer[4] == 0 then redis.call('XGROUP', 'DELCONSUMER', KEYS[1], ARGV[1], consumer[2]) end
  end
end
if not active then
  local made = redis.pcall('XGROUP', 'CREATE', KEYS[1], ARGV[1], '0', 'MKSTREAM')
  if made.err and not string.find(made.err, 'BUSYGROUP', 1, true) then return made end
  claim()
  return {'acquired', {}}
end
for index = 7, #ARGV do redis.call('XACK', KEYS[1], ARGV[1], ARGV[index]) end
local from = '>'
if ARGV[6] ~= '1' then from = ARGV[4] end
local found = redis.pcall('XREADGROUP', 'GROUP', ARGV[1], ARGV[2], 'COUNT', ARGV[5], 'STREAMS', KEYS[1], from)
if found and found.err then
  -- Something has deleted the stream: start again.
  if not string.find(found.err, 'NOGROUP', 1, true) then return found end
  redis.call('DEL', KEYS[4])
  return {'held', 0}
end
return {'ok', found and found[1][2] or {}}`,
}

/** Arguments: group, consumer, lease in ms, whether to end the lease, channel; then IDs to acknowledge. */
export const ADVANCE: Script = {
  types,
  text: `
for index = 6, #ARGV do redis.call('XACK', KEYS[1], ARGV[1], ARGV[index]) end
if redis.call('GET', KEYS[4]) ~= ARGV[2] then return {'lost'} end
if ARGV[4] == '1' then
  redis.call('DEL', KEYS[4])
  redis.call('PUBLISH', ARGV[5], 'group')
else redis.call('PEXPIRE', KEYS[4], ARGV[3]) end
return {'ok'}`,
}
