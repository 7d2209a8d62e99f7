import { NOW, type Script } from './connection'

// Scripts are atomic, so that what is stored of a session always matches the events in the stream.

/**
 * Types of the keys: the stream, the state, the lease of the holder, why the service closed the connection for good, the positions
 * of all groups; then the lease of a group, for the scripts of groups.
 */
const types = ['stream', 'hash', 'string', 'hash', 'hash', 'string']

/** Returns `foreign` for a state that this version did not write. */
const CHECK_STATE = `
local format = redis.call('HGET', KEYS[2], 'v')
if format ~= '1' and redis.call('EXISTS', KEYS[2]) == 1 then return {'foreign', KEYS[2]} end
`

/** Defines the function that returns the number of the first event that a command finds. */
const NUMBER_OF = `
local function numberOf(command, from, to)
  for _, entry in ipairs(redis.call(command, KEYS[1], from, to, 'COUNT', 10)) do
    if entry[2][1] == 'v' then return string.match(entry[1], '%d+$') end
  end
end
`

/** Returns `lost` without the lease, and `gone` if the state has disappeared: the holder restores it, and repeats the call. */
const CHECK_LEASE = `
if redis.call('GET', KEYS[3]) ~= ARGV[1] then return {'lost'} end
local fence = string.match(ARGV[1], '^%d+')
if redis.call('HGET', KEYS[2], 'fence') ~= fence then return {'gone'} end
`

/**
 * Arguments: holder, lease in ms, new epoch, hash of the token, whether to try before the wait after a failure is over, channel,
 * message to the holder or the empty string. The fencing token is the time, so that it increases even if Redis loses its last
 * writes in a failover. A session of another token is not resumed, and its events are removed. Also records that somebody waits.
 */
export const ACQUIRE: Script = {
  types,
  text: `${CHECK_STATE}${NUMBER_OF}
local stored = redis.call('HMGET', KEYS[2], 'fence', 'n', 'seq', 'prefix', 'token')
for index = 1, 4 do
  local number = tonumber(stored[index] or '0') or stored[index] == '' and 0
  if not (number and number < 2 ^ 53) then return {'foreign', KEYS[2]} end
end
local left = redis.call('PTTL', KEYS[3])
if left == -1 then return {'foreign', KEYS[3]} end
local now = ${NOW}
if left >= 0 then
  -- Not an error if Redis accepts no writes now.
  if format then redis.pcall('HSET', KEYS[2], 'waits', string.format('%.0f', now + 2 * ARGV[2])) end
  if ARGV[7] ~= '' then redis.call('PUBLISH', ARGV[6], ARGV[7]) end
  return {'held', left, redis.call('GET', KEYS[3])}
end
local failure = redis.call('HMGET', KEYS[4], 'reason', 'token', 'retry')
local retry = tonumber(failure[3] or '')
if ARGV[5] == '0' and retry and retry > now and (failure[2] == '' or failure[2] == ARGV[4]) then
  return {'failed', string.format('%.0f', retry - now), failure[1] or ''}
end
local last, lastNumber = 0, 0
if redis.call('EXISTS', KEYS[1]) == 1 then
  local info = redis.call('XINFO', 'STREAM', KEYS[1])
  for index = 1, #info, 2 do
    if info[index] == 'last-generated-id' then
      local id, number = string.match(info[index + 1], '^(%d+)-(%d+)')
      last, lastNumber = tonumber(id), tonumber(number)
    end
  end
  -- No ID is after it.
  if last >= 2 ^ 53 - 1 then return {'foreign', KEYS[1]} end
end
local fence = string.format('%.0f', math.max(last + 1, tonumber(stored[1] or '0') + 1, now))
-- If the state has disappeared, the numbers continue those of the stream.
local number = stored[2] or numberOf('XREVRANGE', '+', '-') or '0'
if stored[5] ~= ARGV[4] then
  redis.call('HDEL', KEYS[2], 'ready', 'seq', 'prefix')
  if stored[5] then
    redis.call('DEL', KEYS[1])
    redis.call('HDEL', KEYS[2], 'epoch')
  end
end
redis.call('SET', KEYS[3], fence .. ':' .. ARGV[1], 'PX', ARGV[2])
redis.call('HSET', KEYS[2], 'v', '1', 'fence', fence, 'n', number, 'token', ARGV[4])
redis.call('HSETNX', KEYS[2], 'epoch', ARGV[3])
redis.call('HDEL', KEYS[2], 'up', 'waits')
local state = redis.call('HMGET', KEYS[2], 'epoch', 'ready', 'seq', 'prefix')
local prefix = tonumber(state[4] or fence)
-- Something else has written to the stream.
if last > prefix or last == prefix and lastNumber > tonumber(number) then state[4] = fence end
return {'ok', fence, number, state[2] or '', state[3] or '', state[4] or fence, state[1]}`,
}

/**
 * Arguments: lease, its duration in ms, whether the holder is connected, channel, number of the last event. Returns whether
 * somebody waits for the lease.
 */
export const RENEW: Script = {
  types,
  text: `${CHECK_LEASE}
-- A failover has lost events: they are received again with the session.
local state = redis.call('HMGET', KEYS[2], 'up', 'n', 'waits')
if tonumber(state[2]) < tonumber(ARGV[5]) then
  redis.call('DEL', KEYS[3])
  return {'lost'}
end
redis.call('PEXPIRE', KEYS[3], ARGV[2])
if state[1] ~= ARGV[3] then
  -- First: if it is not permitted, the next call tries again.
  redis.call('PUBLISH', ARGV[4], 'state')
  redis.call('HSET', KEYS[2], 'up', ARGV[3])
  if ARGV[3] == '1' then redis.call('DEL', KEYS[4]) end
end
return {'ok', tonumber(state[3] or '0') > ${NOW} and '1' or '0'}`,
}

/** Arguments: lease; then the fields of the state and their values. Writes the whole state after it has disappeared. */
export const RESTORE: Script = {
  types,
  text: `
if redis.call('GET', KEYS[3]) ~= ARGV[1] then return {'lost'} end
redis.call('DEL', KEYS[2])
redis.call('HSET', KEYS[2], unpack(ARGV, 2))
return {'ok'}`,
}

/** Arguments: lease, channel, message. */
export const RELEASE: Script = {
  types,
  text: `
if redis.call('GET', KEYS[3]) ~= ARGV[1] then return {'lost'} end
redis.call('DEL', KEYS[3])
redis.call('PUBLISH', ARGV[2], ARGV[3])
return {'ok'}`,
}

/**
 * Arguments: ID of a process, its number of accounts or the empty string if it ends, time in ms after which that is out of date.
 * Returns the IDs and numbers of all processes. The only key is that of the stream.
 */
export const REPORT: Script = {
  types: ['hash'],
  text: `
redis.call('HDEL', KEYS[1], ARGV[1])
local now = ${NOW}
if ARGV[2] ~= '' then redis.call('HSET', KEYS[1], ARGV[1], ARGV[2] .. ' ' .. string.format('%.0f', now + ARGV[3])) end
redis.call('PEXPIRE', KEYS[1], ARGV[3])
local reply = {'ok'}
local all = redis.call('HGETALL', KEYS[1])
for index = 1, #all, 2 do
  local count, ends = string.match(all[index + 1], '^(%d+) (%d+)$')
  if not ends or tonumber(ends) < now then redis.call('HDEL', KEYS[1], all[index])
  else
    reply[#reply + 1] = all[index]
    reply[#reply + 1] = count
  end
end
return reply`,
}

/** Arguments: hash of a token, channel, new epoch. Removes its session and events, unless somebody holds the connection. */
export const DISCARD: Script = {
  types,
  text: `
if redis.call('HGET', KEYS[2], 'token') ~= ARGV[1] then return {'ok'} end
if redis.call('EXISTS', KEYS[3]) == 1 then return {'held'} end
redis.call('DEL', KEYS[1])
redis.call('HDEL', KEYS[2], 'ready', 'seq', 'prefix', 'token', 'up')
redis.call('HSET', KEYS[2], 'epoch', ARGV[3])
redis.call('PUBLISH', ARGV[2], 'all')
return {'ok'}`,
}

/** Arguments: channel. Removes all keys, also foreign ones. */
export const REMOVE: Script = {
  types,
  text: `
for _, group in ipairs(redis.pcall('HKEYS', KEYS[5])) do redis.call('DEL', KEYS[1] .. ':group:' .. group) end
redis.call('DEL', unpack(KEYS))
redis.call('PUBLISH', ARGV[1], 'all')
return {'ok'}`,
}

/**
 * Arguments: lease, channel, reason, hash of the token, or the empty string if another one would not help. The session of a
 * refused token cannot be resumed. The wait doubles from 5 s to 5 min; it is forgotten 5 min after its end. The processes
 * that try before its end, each once, do not prolong it.
 */
export const FAIL: Script = {
  types,
  text: `
if redis.call('GET', KEYS[3]) ~= ARGV[1] then return {'lost'} end
redis.call('DEL', KEYS[3])
if ARGV[4] ~= '' then redis.call('HDEL', KEYS[2], 'ready', 'seq') end
local now = ${NOW}
local failed = redis.call('HMGET', KEYS[4], 'token', 'retry')
if failed[1] ~= ARGV[4] or (tonumber(failed[2] or '') or 0) <= now then
  local wait = math.min(300000, 5000 * 2 ^ (redis.call('HINCRBY', KEYS[4], 'count', 1) - 1))
  redis.call('HSET', KEYS[4], 'reason', ARGV[3], 'token', ARGV[4], 'retry', string.format('%.0f', now + wait))
  redis.call('PEXPIRE', KEYS[4], string.format('%.0f', wait + 300000))
end
redis.call('PUBLISH', ARGV[2], 'state')
return {'ok'}`,
}

/**
 * Arguments: lease, number of the event before, maximum length, channel, payload of the Ready to store, first part of the IDs of
 * its session; then ID, type, data and sequence number of each event, the type empty for an event that is missing.
 */
export const PUBLISH: Script = {
  types,
  text: `${CHECK_LEASE}
local number = tonumber(redis.call('HGET', KEYS[2], 'n'))
local after = tonumber(ARGV[2])
if number < after then
  redis.call('DEL', KEYS[3])
  return {'lost'}
end
local event = after
local seq
for index = 7, #ARGV, 4 do
  event = event + 1
  if ARGV[index + 1] == 'ready' then seq = '' end
  if ARGV[index + 3] ~= '' then seq = ARGV[index + 3] end
  if event > number and ARGV[index + 1] ~= '' then
    local added = redis.pcall('XADD', KEYS[1], 'MAXLEN', '~', ARGV[3], ARGV[index], 'v', '1', 't', ARGV[index + 1], 'd', ARGV[index + 2])
    if added.err and (string.find(added.err, 'equal or smaller', 1, true) or string.find(added.err, 'last possible ID', 1, true)) then
      -- Something else has written to the stream: the next holder gets a fencing token after it, if there is one.
      redis.call('DEL', KEYS[3])
      return {'lost'}
    end
    if added.err then return added end
  end
end
if event > number then
  redis.call('HSET', KEYS[2], 'n', string.format('%.0f', event), 'prefix', ARGV[6])
  if seq then redis.call('HSET', KEYS[2], 'seq', seq) end
end
if ARGV[5] ~= '' and event >= number then redis.call('HSET', KEYS[2], 'ready', ARGV[5]) end
redis.call('PUBLISH', ARGV[4], ARGV[5] == '' and 'events' or 'all')
return {'ok'}`,
}

/**
 * Returns epoch, number, whether a holder is connected, ID of the last event, payload of Ready; then reason and hash of the token
 * of a failure, unless somebody tries again.
 */
export const STATUS: Script = {
  types,
  text: `${CHECK_STATE}
local state = redis.call('HMGET', KEYS[2], 'epoch', 'n', 'up', 'ready')
local newest = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
local held = redis.call('EXISTS', KEYS[3]) == 1
local up = state[3] == '1' and held
local failure = held and {} or redis.call('HMGET', KEYS[4], 'reason', 'token')
return {'ok', state[1] or '', state[2] or '0', up and '1' or '0', newest and newest[1] or '', state[4] or '', failure[1] or '', failure[2] or ''}`,
}

/**
 * Defines the function that reads events: at least one, at most 100, and none after the first megabyte. The reply with many large
 * ones would take longer than `commandTimeout`, each time, and delay the other commands of the connection.
 */
const READ_AFTER = `
local function readAfter(id)
  for _, count in ipairs({1, 10, 100}) do
    local entries = redis.call('XRANGE', KEYS[1], '(' .. id, '+', 'COUNT', count)
    local bytes = 0
    for index, entry in ipairs(entries) do
      for _, text in ipairs(entry[2]) do bytes = bytes + #text end
      if bytes > 1000000 then return {unpack(entries, 1, index)} end
    end
    if #entries < count or count == 100 then return entries end
  end
end
`

/** Arguments: ID of the event before. */
export const READ: Script = {
  types,
  text: `${READ_AFTER}
local state = redis.call('HMGET', KEYS[2], 'epoch', 'n')
return {'ok', state[1] or '', state[2] or '', readAfter(ARGV[1])}`,
}

/**
 * Stores the position of a group, the ID and number of the event that was acknowledged last, if it is after the stored one. The
 * state has a copy, so that it outlives each of the two keys. A consumer writes nothing after the account was removed.
 */
const WRITE_POSITION = `
if ARGV[4] ~= '' and redis.call('EXISTS', KEYS[1], KEYS[2], KEYS[5]) == 0 then return {'held', 5000} end
local active = redis.call('GET', KEYS[6])
local copy = 'group:' .. ARGV[1]
local position = redis.call('HGET', KEYS[5], ARGV[1]) or redis.call('HGET', KEYS[2], copy)
if position and not string.find(position, '^%d+%-%d+ %d+$') then return {'foreign', KEYS[5]} end
local function isAfter(one, other)
  local time, serial = string.match(one, '^(%d+)-(%d+)')
  local otherTime, otherSerial = string.match(other, '^(%d+)-(%d+)')
  if time ~= otherTime then return tonumber(time) > tonumber(otherTime) end
  return tonumber(serial) >= tonumber(otherSerial)
end
local function write(text)
  position = text
  redis.call('HSET', KEYS[5], ARGV[1], text)
  if redis.call('HGET', KEYS[2], 'v') == '1' then redis.call('HSET', KEYS[2], copy, text) end
end
if ARGV[4] ~= '' and not (position and isAfter(position, ARGV[4])) then write(ARGV[4]) end
`

/**
 * Arguments: group, consumer, lease in ms, its position or the empty string before it was active, ID of the event before or the
 * empty string to start. Returns the position of the group to a consumer that starts or becomes active, or else the empty string,
 * and events. A new group starts with the oldest one.
 */
export const READ_GROUP: Script = {
  types,
  text: `${READ_AFTER}${NUMBER_OF}${WRITE_POSITION}
if active and active ~= ARGV[2] then
  local left = redis.call('PTTL', KEYS[6])
  if left < 0 then return {'foreign', KEYS[6]} end
  return {'held', left}
end
redis.call('SET', KEYS[6], ARGV[2], 'PX', ARGV[3])
if active and ARGV[5] ~= '' then return {'ok', '', readAfter(ARGV[5])} end
if not position then
  local oldest = numberOf('XRANGE', '-', '+')
  write('0-0 ' .. (oldest and string.format('%.0f', oldest - 1) or redis.call('HGET', KEYS[2], 'n') or '0'))
end
return {'ok', position, readAfter(string.match(position, '^[^ ]+'))}`,
}

/** Arguments: group, consumer, lease in ms, its position, whether to end the lease, channel. */
export const ADVANCE: Script = {
  types,
  text: `${WRITE_POSITION}
if active ~= ARGV[2] then return {'lost'} end
if ARGV[5] == '1' then
  redis.call('DEL', KEYS[6])
  redis.call('PUBLISH', ARGV[6], 'group')
else redis.call('PEXPIRE', KEYS[6], ARGV[3]) end
return {'ok'}`,
}
