import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createClient, createSentinel } from 'redis'

const template = createClient()

/** Creates a client, as `createClient` does, which makes a class with all commands for each: 20 ms of CPU time. */
export function connectionTo(port: number, reconnectStrategy: number) {
  return template.duplicate({ socket: { port, host: '127.0.0.1', reconnectStrategy } })
}

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
  #hasFile = false

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
    // A Sentinel rewrites it in a failover.
    if (!this.#hasFile) await writeFile(file, lines.join('\n'))
    this.#hasFile = true
    const flags = [file, ...(isSentinel ? ['--sentinel'] : [])]
    const child = spawn(process.env.REDIS_SERVER ?? 'redis-server', flags, { stdio: 'ignore' })
    this.#child = child
    const probe = connectionTo(this.port, 10)
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

/** Creates a client of a server, or of what a Sentinel named `main` watches. It reconnects quickly. */
export function createClientOf(port: number, isSentinel: boolean) {
  const redis = isSentinel
    ? createSentinel({ name: 'main', sentinelRootNodes: [{ host: '127.0.0.1', port }] })
    : connectionTo(port, 50)
  redis.on('error', () => {})
  return redis
}

/** A primary, a replica, and a Sentinel that promotes the replica a second after the primary is lost. */
export class FailoverSet {
  primary: RedisServer
  replica: RedisServer
  readonly sentinel: RedisServer

  private constructor(primary: RedisServer, replica: RedisServer, sentinel: RedisServer) {
    this.primary = primary
    this.replica = replica
    this.sentinel = sentinel
  }

  /** Creates the servers, which are not started. */
  static async create(fsync: Fsync): Promise<FailoverSet> {
    const primary = await RedisServer.create(fsync, ['repl-diskless-sync-delay 0'])
    const replica = await RedisServer.create(fsync, [
      'repl-diskless-sync-delay 0',
      `replicaof 127.0.0.1 ${primary.port}`,
    ])
    const sentinel = await RedisServer.create('never', [
      `sentinel monitor main 127.0.0.1 ${primary.port} 1`,
      'sentinel down-after-milliseconds main 1000',
      'sentinel failover-timeout main 5000',
    ])
    return new FailoverSet(primary, replica, sentinel)
  }

  /** Starts the servers, and resolves when a failover would succeed. */
  async start(): Promise<void> {
    for (const server of [this.primary, this.replica, this.sentinel]) await server.start()
    await this.#untilSynchronized()
  }

  /** Kills the primary, and resolves once the replica has replaced it and it follows the replica. */
  async failOver(): Promise<void> {
    await this.primary.kill()
    await until(async () => {
      const [, port] = await ask(this.sentinel, ['SENTINEL', 'GET-MASTER-ADDR-BY-NAME', 'main'])
      return Number(port) === this.replica.port
    })
    const promoted = this.replica
    this.replica = this.primary
    this.primary = promoted
    await this.replica.start()
    await ask(this.replica, ['REPLICAOF', '127.0.0.1', String(promoted.port)])
    await this.#untilSynchronized()
  }

  /** Resolves when the replica has everything that was written so far. */
  async replicated(): Promise<void> {
    const read = async (server: RedisServer, field: string) =>
      Number(new RegExp(`${field}:(\\d+)`).exec(String(await ask(server, ['INFO', 'replication'])))?.[1])
    const written = await read(this.primary, 'master_repl_offset')
    await until(async () => (await read(this.replica, 'slave_repl_offset')) >= written)
  }

  async remove(): Promise<void> {
    for (const server of [this.sentinel, this.replica, this.primary]) await server.remove()
  }

  async #untilSynchronized(): Promise<void> {
    await until(async () => String(await ask(this.replica, ['INFO', 'replication'])).includes('master_link_status:up'))
    await until(async () =>
      JSON.stringify(await ask(this.sentinel, ['SENTINEL', 'REPLICAS', 'main'])).includes(String(this.replica.port)),
    )
  }
}

async function ask({ port }: RedisServer, command: string[]): Promise<readonly unknown[]> {
  const redis = connectionTo(port, 50)
  redis.on('error', () => {})
  await redis.connect()
  try {
    return [await redis.sendCommand(command)].flat()
  } finally {
    redis.destroy()
  }
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await pause(50)
}
