import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createClient } from 'redis'

/**
 * Returns a port that nothing listens on. Port 0 would make Redis listen on none. It is below those of outgoing connections:
 * while Redis is down, one of them could take its port, or connect to itself.
 */
async function findPort(): Promise<number> {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 20_000)
    const server = createServer()
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true))
    })
    if (!isFree) continue
    await new Promise((resolve) => server.close(resolve))
    return port
  }
}

/** When writes are persisted. A crash loses up to two seconds of them with `everysec`, the default of Redis. */
type Fsync = 'never' | 'everysec' | 'always'

/** A real Redis server in a temporary folder, on loopback: `redis-server`, or the program at `REDIS_SERVER`. */
export class RedisServer {
  readonly port: number
  readonly #folder: string
  readonly #fsync: Fsync
  readonly #settings: readonly string[]
  #child: ChildProcess | undefined

  constructor(port: number, folder: string, fsync: Fsync, settings: readonly string[]) {
    this.port = port
    this.#folder = folder
    this.#fsync = fsync
    this.#settings = settings
  }

  /** Creates a server with a folder of its own, which is not started. `settings` are lines of its configuration; those of a Sentinel begin with `sentinel`. */
  static async create(fsync: Fsync, settings: readonly string[] = []): Promise<RedisServer> {
    return new RedisServer(await findPort(), await mkdtemp(join(tmpdir(), 'rapport-redis-')), fsync, settings)
  }

  /** Starts the server, and resolves when it accepts commands. */
  async start(): Promise<void> {
    const persistence = this.#fsync === 'never' ? [] : ['appendonly yes', `appendfsync ${this.#fsync}`]
    const isSentinel = this.#settings.some((line) => line.startsWith('sentinel '))
    const data = isSentinel ? [] : ['save ""', ...persistence]
    const lines = [`port ${this.port}`, 'bind 127.0.0.1', `dir ${this.#folder}`, ...data, ...this.#settings]
    const file = join(this.#folder, 'redis.conf')
    await writeFile(file, lines.join('\n'))
    const flags = [file, ...(isSentinel ? ['--sentinel'] : [])]
    const child = spawn(process.env.REDIS_SERVER ?? 'redis-server', flags, { stdio: 'ignore' })
    this.#child = child
    const probe = createClient({ socket: { port: this.port, host: '127.0.0.1', reconnectStrategy: 10 } })
    probe.on('error', () => {})
    try {
      await probe.connect()
      // It loads its data first.
      while ((await probe.ping().catch(() => '')) !== 'PONG') await pause(5)
    } finally {
      probe.destroy()
    }
  }

  /** Ends the process at once, as a crash does. */
  async kill(): Promise<void> {
    const child = this.#child
    this.#child = undefined
    if (child === undefined || child.exitCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await ended
  }

  /** Ends the process and deletes its data. */
  async remove(): Promise<void> {
    await this.kill()
    await rm(this.#folder, { recursive: true, force: true })
  }

  /** Stops the process, which keeps its connections but replies to nothing. */
  freeze(): void {
    this.#child?.kill('SIGSTOP')
  }

  /** Ends {@link freeze}. */
  thaw(): void {
    this.#child?.kill('SIGCONT')
  }
}
