import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { mkdir, open, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { RapportError } from '../errors/base'
import { isError } from '../internal/json'
import type { TokenRecord, TokenStore } from '../types/options'

/** Interval in which a file is read for changes of other processes. */
const POLL_MS = 500
/** Read and write for the owner, nothing for others. */
const FILE_MODE = 0o600
const FOLDER_MODE = 0o700
/** Age at which a lock was left by a process that was killed. A lock is held for less than a millisecond. */
const STALE_LOCK_MS = 5000
const LOCK_RETRY_MS = 5
/** Age at which a temporary file was left by a process that was killed. */
const STALE_TEMPORARY_MS = 60_000

/**
 * Stores the token in a file, so that a script or bot stays signed in. The file is JSON with the mode 0600; a wider mode is
 * corrected, and missing folders are created with the mode 0700. Writes replace the file atomically, so that several
 * processes can use it: no process reads half a token, the last write is kept, and the clients of the other processes
 * follow it within half a second. A sign-out deletes the file, unless another process has stored a newer token, which the
 * client then follows. During a write there is an empty folder next to the file, with the suffix `.lock`, and a
 * temporary file with the suffix `.tmp`; if the process is killed, a later sign-in or sign-out removes them. The token is not
 * encrypted; the operating system protects it from other users.
 *
 * If the file is damaged or cannot be read, calls that need the token reject with an error that names the path, never the
 * content, until a sign-in or `client.session.setToken` replaces it. A client that has a token keeps it. It emits `warning`
 * with the `code` `invalid_token` once it finds the file damaged. For Node.
 *
 * @param path Path or `file:` URL; a relative path belongs to the current folder. Use a different one for each account.
 * @throws RapportError if the path starts with `~`, which only shells replace.
 *
 * @example
 * import { homedir } from 'node:os'
 * import { join } from 'node:path'
 * import { Client } from 'rapport-sdk'
 * import { fileTokenStore } from 'rapport-sdk/node'
 *
 * const tokenStore = fileTokenStore(join(homedir(), '.config', 'my-bot', 'token.json'))
 * const client = new Client({ baseUrl: 'https://service.example', tokenStore })
 */
export function fileTokenStore(path: string | URL): TokenStore {
  const file = toPath(path)
  let pendingWrites = 0
  let writes = 0
  const write = async (operation: (target: string) => Promise<void>) => {
    pendingWrites++
    writes++
    try {
      // The target of a link has the token, not the link.
      await attempt(file, 'written', async () => operation(await realpath(file).catch(() => file)))
    } finally {
      pendingWrites--
    }
  }
  return {
    get: async () => (await load(file)) ?? null,
    set: (record, previous) =>
      write(async (target) => {
        await removeStale(target)
        const isCurrent = () => {
          if (previous === undefined) return true
          const token = tokenIn(target)
          return token === undefined || token === previous?.token
        }
        if (record === null) await remove(target, isCurrent)
        else await replace(target, record)
      }),
    subscribe: (listener, warn = () => {}) =>
      pollFile(
        file,
        (record) => listener(record ?? null),
        (message) => warn({ code: 'invalid_token', message }),
        // The client ignores changes during its own writes.
        () => (pendingWrites > 0 ? undefined : writes),
      ),
  }
}

function toPath(path: string | URL): string {
  if (typeof path === 'string' && /^~(?:[\\/]|$)/.test(path)) {
    throw new RapportError(`fileTokenStore: "~" in the path ${path} is not replaced; use \`homedir()\` of node:os.`)
  }
  return resolve(typeof path === 'string' ? path : fileURLToPath(path))
}

/** Reads a file; `undefined` if it does not exist. */
async function load(file: string): Promise<TokenRecord | undefined> {
  const text = await attempt(file, 'read', async () => {
    const handle = await open(file).catch(ignoreMissing)
    try {
      const isWide = handle && ((await handle.stat()).mode & 0o077) > 0
      // Fails if the file belongs to another user, who decides then.
      if (isWide) await handle.chmod(FILE_MODE).catch(() => {})
      return await handle?.readFile('utf8')
    } finally {
      await handle?.close()
    }
  })
  return parse(file, text)
}

/** Replaces a file atomically, by renaming a temporary file of the same folder. */
async function replace(file: string, content: TokenRecord): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: FOLDER_MODE })
  const temporary = `${file}.${randomBytes(6).toString('hex')}.tmp`
  try {
    // Flushed, so that a power failure leaves the old content or the new one.
    await writeFile(temporary, `${JSON.stringify(content)}\n`, { mode: FILE_MODE, flag: 'wx', flush: true })
    await locked(file, () => renameSync(temporary, file))
  } finally {
    await rm(temporary, { force: true })
  }
}

/** Deletes temporary files of processes that were killed during a write, which contain a token. */
async function removeStale(file: string): Promise<void> {
  const prefix = `${basename(file)}.`
  // Errors are ignored: the write itself reports a folder that cannot be used.
  const names = await readdir(dirname(file)).catch(() => [])
  for (const name of names) {
    if (!name.startsWith(prefix) || !/^[\da-f]{12}\.tmp$/.test(name.slice(prefix.length))) continue
    const path = join(dirname(file), name)
    if (isOlder(await stat(path).catch(() => undefined), STALE_TEMPORARY_MS))
      await rm(path, { force: true }).catch(() => {})
  }
}

/** Deletes a file, if it is still `isCurrent` then. */
async function remove(file: string, isCurrent: () => boolean): Promise<void> {
  // Nothing to remove, perhaps in a folder that is read-only.
  if (!existsSync(file)) return
  await locked(file, () => {
    if (isCurrent()) rmSync(file, { force: true })
  })
}

/**
 * Runs `commit` while no other process does so for the same file. A folder is the lock, because creating one is atomic on
 * every file system. Synchronous, so that it is held only for an instant.
 */
async function locked(file: string, commit: () => void): Promise<void> {
  const lock = `${file}.lock`
  while (!tryLock(lock)) await pause(LOCK_RETRY_MS)
  try {
    commit()
  } finally {
    unlock(lock)
  }
}

function tryLock(lock: string): boolean {
  try {
    mkdirSync(lock, FOLDER_MODE)
    return true
  } catch (error) {
    const { code } = Object(error)
    // There is nothing to lock: no folder, so no file.
    if (code === 'ENOENT') return true
    if (code !== 'EEXIST') throw error
  }
  if (isOlder(statSync(lock, { throwIfNoEntry: false }), STALE_LOCK_MS)) unlock(lock)
  return false
}

/** Whether a file exists and is older than `maxAgeMs`, or from the future: then the clock was set back. */
function isOlder(stats: { readonly mtimeMs: number } | undefined, maxAgeMs: number): boolean {
  return stats !== undefined && Math.abs(Date.now() - stats.mtimeMs) > maxAgeMs
}

function unlock(lock: string): void {
  try {
    rmdirSync(lock)
  } catch (error) {
    ignoreMissing(error)
  }
}

/**
 * Calls `listener` when the content changes and after each write of this process, `onDamage` if it is damaged then. Polls,
 * because not every file system reports changes. `countWrites` returns `undefined` during a write.
 */
function pollFile(
  file: string,
  listener: (content: TokenRecord | undefined) => void,
  onDamage: (message: string) => void,
  countWrites: () => number | undefined,
): () => void {
  /** Last content; `undefined` if there was no file, `null` before the first poll. */
  let last: string | undefined | null = null
  let writes = 0
  let isClosed = false
  let timer: NodeJS.Timeout | undefined
  const schedule = () => {
    timer = setTimeout(poll, POLL_MS).unref()
  }
  const poll = async () => {
    const text = await readFile(file, 'utf8')
      .catch(ignoreMissing)
      .catch(() => last)
    if (isClosed) return
    schedule()
    const count = countWrites()
    if (count === undefined) return
    // After a write, what was read before says nothing: another process may have restored it since.
    if (text !== last || count !== writes) notify()
    writes = count
  }
  const notify = () => {
    let content: TokenRecord | undefined
    try {
      // Again, and synchronously: this process may have written in the meantime.
      last = readNow(file)
      content = parse(file, last)
    } catch (error) {
      // The client keeps its token. Of a file that cannot be read, `get` reports it.
      if (error instanceof RapportError) onDamage(error.message)
      return
    }
    listener(content)
  }
  schedule()
  return () => {
    isClosed = true
    clearTimeout(timer)
  }
}

function readNow(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    return ignoreMissing(error)
  }
}

/** Returns the token in a file; `undefined` if there is none, or if it is damaged or cannot be read. */
function tokenIn(file: string): string | undefined {
  try {
    return parse(file, readNow(file))?.token
  } catch {
    return undefined
  }
}

function ignoreMissing(error: unknown): undefined {
  if (Object(error).code !== 'ENOENT') throw error
}

/** Reads the content of a file; `undefined` if there is no file. Errors do not quote the text, unlike those of `JSON`. */
function parse(file: string, text: string | undefined): TokenRecord | undefined {
  if (text === undefined) return undefined
  let content: { token?: unknown; userId?: unknown } | undefined
  try {
    content = Object(JSON.parse(text))
  } catch {}
  if (typeof content?.token !== 'string')
    throw new RapportError(
      `The token file ${file} is damaged: it is not a JSON object with a \`token\`. Sign in again or delete it.`,
    )
  return { token: content.token, userId: typeof content.userId === 'string' ? content.userId : undefined }
}

/** Refuses devices and pipes, and names the file in the errors of an operation. The messages of Node contain no content. */
async function attempt<T>(file: string, done: string, operation: () => Promise<T>): Promise<T> {
  try {
    const stats = await stat(file).catch(() => undefined)
    // A device, such as /dev/null, would be replaced for all programs; a pipe would be waited for.
    if (stats && !stats.isFile() && !stats.isDirectory()) throw new Error('it is not a file')
    return await operation()
  } catch (cause) {
    const [reason] = isError(cause) ? cause.message.split(',') : []
    throw new RapportError(`The token file ${file} cannot be ${done}: ${reason}.`, { cause })
  }
}
