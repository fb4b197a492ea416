import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chown, cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Agent, request } from 'undici'
import { parse } from 'yaml'
import { z } from 'zod'
import { isCommand } from '../../../platform/commands/commands.ts'
import { freshKeyspace } from '../engines/cassandra.ts'
import { removeDataDir, temporaryDataDir } from '../engines/databases.ts'
import { type EngineAddresses, openPlatformEngines } from '../engines/platform-engines.ts'
import { image, startContainer } from './container.ts'
import { openGate } from './gate.ts'
import { type RunningProcess, stopProcess } from './platform-process.ts'

const run = promisify(execFile)
const project = new URL('../../../', import.meta.url).pathname
const compose = join(project, 'deploy/compose/')
/** Name under which clients call it. */
const host = 'civigraph.example'
/** Command of the image. */
const user = 10_001

const Service = z.looseObject({
  command: z.array(z.string()).default([]),
  entrypoint: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()).default({}),
  read_only: z.boolean().default(false),
  volumes: z.array(z.string()).default([]),
  secrets: z.array(z.unknown()).default([]),
})
const Compose = z.looseObject({ services: z.record(z.string(), Service), secrets: z.record(z.string(), z.object({ file: z.string() })) })

export interface ComposedEngines extends EngineAddresses {
  readonly elasticsearch: string
  readonly cassandra: { readonly contactPoints: readonly string[]; readonly localDataCenter: string }
}

/** The services of the compose file, one process each, on existing engines. */
export interface ComposedPlatform extends AsyncDisposable {
  /**
   * `docker compose run --rm migrate WORDS`; without words the default command, and the rights that the service `grants` gives afterwards.
   * @returns the output; the exit code is 0
   */
  command(...words: readonly string[]): Promise<string>
  /** Starts the long-running services of the image. @returns them by name */
  up(): Promise<ReadonlyMap<string, ComposedService>>
  /** Starts the balancer. @returns a client that trusts its certificate; a request with a body is a POST */
  balancer(): Promise<SendRequest>
}

export type SendRequest = (
  port: number,
  path: string,
  body?: object,
  headers?: Readonly<Record<string, string>>,
  signal?: AbortSignal,
) => Promise<{ readonly status: number; readonly text: string }>

export interface ComposedService extends RunningProcess {
  /** Address of its metrics for Prometheus: host:port. */
  readonly metrics: string
  /** Runs Docker's health check. @throws {Error} when it has ended */
  isHealthy(): Promise<boolean>
}

/** Gives each name of the compose file its own local address, like a container's. */
const addresses = new Map(
  ['balancer', 'gateway', 'rest', 'subgraphs', 'worker-verification', 'workers', 'migrate', 'elasticsearch', 'cassandra'].map(
    (name, index) => [name, `127.77.${process.pid % 250}.${index + 1}`],
  ),
)
function addressOf(name: string): string {
  const address = addresses.get(name)
  if (address === undefined) throw new Error(`the compose file has a service more, which has no address here: ${name}`)
  return address
}

/** Generates its secrets; starts nothing. */
export async function openComposed(engines: ComposedEngines): Promise<ComposedPlatform> {
  await using opening = new AsyncDisposableStack()
  const folder = opening.adopt(await temporaryDataDir(), removeDataDir)
  await cp(compose, folder, { recursive: true, filter: (path) => !path.endsWith('/secrets') })
  await run(join(folder, 'make-secrets.sh'), [host])
  const text = (await readFile(join(folder, 'compose.yaml'), 'utf8')).replace(/\$\{CIVIGRAPH_HOST(:[^}]*)?\}/g, host)
  const { services, secrets } = Compose.parse(parse(text, { merge: true }))
  const secretFile = (name: unknown): string => join(folder, secrets[String(name)]?.file ?? '')

  const users = opening.use(new DatabaseUsers(engines.postgres))
  const { env } = opening.use(await openPlatformEngines(engines))
  const database = new URL(env.DATABASE_URL ?? '')
  await users.create(database, folder)
  for (const name of ['database_url', 'owner_database_url', 'front_database_url'] as const) {
    const { username, password } = new URL(await readFile(secretFile(name), 'utf8'))
    await writeFile(secretFile(name), Object.assign(new URL(database), { username: users.nameOf(username), password }).href)
  }
  const { keyspace } = opening.use(await freshKeyspace(engines.cassandra))
  // unique names on shared engines
  const names = { REDIS_PREFIX: env.REDIS_PREFIX, ELASTICSEARCH_PREFIX: env.ELASTICSEARCH_PREFIX, CASSANDRA_KEYSPACE: keyspace }
  await writeFile(secretFile('redis_url'), env.REDIS_URL ?? '')
  // local servers under their names and ports in the compose file
  opening.use(await openGate(engines.elasticsearch, 'open', { host: addressOf('elasticsearch'), port: 9200 }))
  opening.use(await openGate(`http://${engines.cassandra.contactPoints[0]}`, 'open', { host: addressOf('cassandra'), port: 9042 }))
  const hosts = join(folder, 'hosts')
  await writeFile(hosts, ['127.0.0.1 localhost', ...[...addresses].map(([name, address]) => `${address} ${name}`), ''].join('\n'))
  const open = opening.move()

  const volume = async (name: string): Promise<string> => {
    const folderOfVolume = join(folder, 'volumes', name)
    await mkdir(folderOfVolume, { recursive: true })
    await chown(folderOfVolume, user, user)
    return folderOfVolume
  }
  let roots = 0
  const start = async (name: string, words?: readonly string[]): Promise<RunningProcess> => {
    const { command, environment, volumes, secrets: read } = Service.parse(services[name])
    const root = join(folder, `root-${roots++}`)
    await mkdir(root)
    const mounts = new Map([['/etc/hosts', hosts]])
    for (const secret of read) mounts.set(`/run/secrets/${secret}`, secretFile(secret))
    for (const [from = '', inside = ''] of volumes.map((each) => each.split(':'))) mounts.set(inside, await volume(from))
    const own = { BIND_ADDRESS: addressOf(name), METRICS_HOST: addressOf(name), ...names }
    const started = startContainer({ command: words ?? command, environment: { ...environment, ...own }, root, mounts })
    open.defer(async () => void (await stopProcess(started)))
    return started
  }
  return {
    async command(...words) {
      const started = await start('migrate', words.length === 0 ? undefined : words)
      if ((await started.exited) !== 0) throw new Error(`migrate ${words.join(' ')} failed: ${started.output()}`)
      if (words.length === 0) await users.grant(new URL(await readFile(secretFile('owner_database_url'), 'utf8')))
      return started.output()
    },
    async up() {
      const running = new Map<string, ComposedService>()
      for (const [name, { read_only: isOurs, command, entrypoint }] of Object.entries(services)) {
        // the nightly backup runs a shell
        if (!isOurs || isCommand(command[0]) || entrypoint !== undefined) continue
        const started = await start(name)
        running.set(name, {
          ...started,
          metrics: `${addressOf(name)}:${image.environment.METRICS_PORT}`,
          isHealthy: () => isHealthy(name, started),
        })
      }
      return running
    },
    async balancer() {
      const file = join(folder, 'haproxy.cfg')
      await writeFile(file, ofThisMachine(await readFile(file, 'utf8')).replaceAll('/run/secrets', join(folder, 'secrets')))
      const haproxy = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' })
      open.defer(() => void haproxy.kill())
      const dispatcher = new Agent({ connect: { ca: await readFile(secretFile('tls')), servername: host } })
      open.defer(() => dispatcher.close())
      return async (port, path, body, headers = {}, signal = AbortSignal.timeout(60_000)) => {
        const { statusCode: status, body: answer } = await request(`https://${addressOf('balancer')}:${port}${path}`, {
          dispatcher,
          signal,
          headers: { host, 'content-type': 'application/json', ...headers },
          ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
        })
        return { status, text: await answer.text() }
      }
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
}

/** The database users of the compose file, under names of their own: users of a server are common to its databases. */
class DatabaseUsers implements AsyncDisposable {
  readonly #server: string
  readonly #suffix = `_${randomBytes(4).toString('hex')}`
  readonly #created: string[] = []

  /** @param server - URL of a superuser */
  constructor(server: string) {
    this.#server = server
  }

  nameOf = (user: string): string => user + this.#suffix

  /** Runs the SQL of users.sh. @param folder - with the secrets */
  async create(database: URL, folder: string): Promise<void> {
    const [, sql = ''] = /<<'SQL'\n(.*)^SQL$/ms.exec(await readFile(join(folder, 'users.sh'), 'utf8')) ?? []
    this.#created.push(...[...sql.matchAll(/create role (\w+)/g)].map(([, user = '']) => this.nameOf(user)))
    const passwords = ['owner', 'process', 'front'].map(async (user) => [
      '-v',
      `${user}=${await readFile(join(folder, 'secrets', `${user}_password`), 'utf8').then((text) => text.trim())}`,
    ])
    const named = sql.replace('database civigraph ', `database ${database.pathname.slice(1)} `)
    await psql(database.href, this.#renamed(named), (await Promise.all(passwords)).flat())
  }

  /** Runs grants.sql as the owner of the tables. */
  async grant(owner: URL): Promise<void> {
    await psql(owner.href, this.#renamed(await readFile(join(project, 'deploy/grants.sql'), 'utf8')))
  }

  #renamed = (sql: string): string => sql.replace(/\bcivigraph(?:_owner|_front)?\b/g, (user) => this.nameOf(user))

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#created.length > 0) await psql(this.#server, `drop role if exists ${this.#created.join(', ')};`)
  }
}

async function psql(url: string, sql: string, variables: readonly string[] = []): Promise<void> {
  const running = run('psql', ['-q', '-v', 'ON_ERROR_STOP=1', ...variables, '-f', '-', url], { timeout: 60_000 })
  running.child.stdin?.end(sql)
  await running
}

async function isHealthy(name: string, { child, output }: RunningProcess): Promise<boolean> {
  if (child.exitCode !== null) throw new Error(`${name} has ended: ${output()}`)
  const [program = '', ...words] = image.healthCheck.map((word) => word.replace(/^\/app\//, project))
  const env = { ...process.env, ...image.environment, METRICS_HOST: addressOf(name) }
  return run(program, words, { env, timeout: 10_000 }).then(
    () => true,
    () => false,
  )
}

/** One process per service, found by its address; open files are limited on test machines. */
const ofThisMachine = (configuration: string): string =>
  configuration
    .replace(' resolvers names init-addr libc,none', '')
    .replace(/server-template (\w+) 2 (\w+):/g, (_, label: string, name: string) => `server ${label} ${addressOf(name)}:`)
    .replaceAll('bind :', `bind ${addressOf('balancer')}:`)
    .replace('maxconn 20000', 'maxconn 200')
