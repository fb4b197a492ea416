import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { untilIssues } from '../../support/engines/keycloak.ts'
import { hasRedis } from '../../support/engines/redis/server.ts'
import { cassandraCluster } from './clusters/cassandra-cluster.ts'
import { elasticsearchCluster } from './clusters/elasticsearch-cluster.ts'
import { keycloakCluster } from './clusters/keycloak-cluster.ts'
import { ControlledEngine } from './controlled-engine.ts'
import type { Engine, EngineName } from './engine.ts'
import { PostgresEngine } from './postgres.ts'
import { RedisEngine } from './redis.ts'
import { mountSmallDisk, type SmallDisk } from './small-disk.ts'

/** Distributions remain there between runs; data does not. */
const controlledFolder = join(tmpdir(), 'civigraph-fault-engines')
/** Below the ephemeral ports of the system, and no usual ports. */
const ports = { postgres: [17_432, 17_433], redis: [17_379, 17_380], elasticsearch: 18_200, cassandra: 18_042, keycloak: 17_080 } as const

export interface Engines extends AsyncDisposable {
  readonly running: readonly Engine[]
  /** One message per skipped engine. */
  readonly skipped: readonly string[]
}

/**
 * Starts every engine that is installed, each on its own port and small disk.
 * @param clustered - engines with several nodes, on the machine's disk   @throws {Error} without redis-server
 */
export async function openEngines(folder: string, clustered: ReadonlySet<string>, log: (line: string) => void): Promise<Engines> {
  if (!(await hasRedis())) throw new Error('the fault matrix needs redis-server, which is not on this machine')
  await using opened = new AsyncDisposableStack()
  const disk = async (place: string, megabytes: number): Promise<SmallDisk | undefined> => {
    const mounted = await mountSmallDisk(place, megabytes)
    if (mounted !== undefined) opened.use(mounted)
    return mounted
  }
  const running: Engine[] = []
  const skipped: string[] = []
  const start = async (engine: Engine): Promise<void> => {
    opened.defer(() => engine.stop())
    // an engine that needs longer than its command waits is checked again
    await engine.start().catch(() => engine.untilReady())
    running.push(engine)
    log(`${engine.name} runs`)
  }
  const [postgresDisk, redisDisk] = [await disk(join(folder, 'postgres'), 384), await disk(join(folder, 'redis'), 96)]
  if (postgresDisk === undefined) skipped.push('A disk cannot be filled: mounting a file system in memory needs root.')
  const postgres = await PostgresEngine.make(join(folder, 'postgres'), postgresDisk, ports.postgres)
  await start(postgres)
  await start(new RedisEngine(join(folder, 'redis'), redisDisk, ports.redis))

  const control = process.env.ENGINE_CTL
  if (control === undefined)
    skipped.push('Elasticsearch, Cassandra and Keycloak are skipped: ENGINE_CTL names no command that starts them.')
  else
    for (const { name, data, megabytes, url, more } of controlled) {
      const place = join(controlledFolder, name)
      const env = { ENGINES_DIR: controlledFolder, [`${name.toUpperCase()}_PORT`]: `${ports[name]}` }
      const single = { name, control, env, url: url(ports[name]), derived: false, ...more }
      if (!clustered.has(name)) await start(new ControlledEngine({ ...single, disk: await disk(join(place, data), megabytes) }))
      else {
        // the command unpacks an engine when it first starts it
        if (!existsSync(place)) await startedAndStopped(new ControlledEngine({ ...single, disk: undefined }))
        await start(await clusters[name](place, folder, postgres.url))
      }
    }
  const cleanup = opened.move()
  return { running, skipped, [Symbol.asyncDispose]: () => cleanup[Symbol.asyncDispose]() }
}

async function startedAndStopped(engine: Engine): Promise<void> {
  await engine.start()
  await engine.stop()
}

/** Engines from the distributions that the command has unpacked; their data is in `folder`. */
const clusters = {
  elasticsearch: (distribution: string, folder: string) => elasticsearchCluster(distribution, folder, ports.elasticsearch),
  cassandra: (distribution: string, folder: string) => cassandraCluster(distribution, folder, ports.cassandra),
  keycloak: (distribution: string, _folder: string, postgres: string) => keycloakCluster(distribution, ports.keycloak, postgres),
} as const

const issuerOf = (port: number): string => `http://127.0.0.1:${port}/realms/civic`

/** Engines that the command starts, with the data folder of each. */
const controlled: readonly {
  readonly name: Exclude<EngineName, 'postgres' | 'redis'>
  readonly data: string
  readonly megabytes: number
  url(port: number): string
  readonly more?: { readonly derived?: boolean; warmUp?(): Promise<void> }
}[] = [
  { name: 'elasticsearch', data: 'home/data', megabytes: 384, url: (port) => `http://127.0.0.1:${port}`, more: { derived: true } },
  { name: 'cassandra', data: 'run', megabytes: 512, url: (port) => `http://127.0.0.1:${port}` },
  { name: 'keycloak', data: 'run', megabytes: 96, url: issuerOf, more: { warmUp: () => untilIssues(issuerOf(ports.keycloak)) } },
]
