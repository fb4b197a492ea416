import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { untilIssues } from '../../support/engines/keycloak.ts'
import { ControlledEngine } from './controlled-engine.ts'
import type { Engine, EngineName } from './engine.ts'
import { PostgresEngine } from './postgres.ts'
import { hasRedis, RedisEngine } from './redis.ts'
import { mountSmallDisk, type SmallDisk } from './small-disk.ts'

/** the distributions stay there from run to run; data does not */
const controlledFolder = join(tmpdir(), 'civigraph-fault-engines')
/** below the ports that the system gives to clients, and none of the usual ones */
const ports = { postgres: [17_432, 17_433], redis: [17_379, 17_380], elasticsearch: 18_200, cassandra: 18_042, keycloak: 17_080 } as const

export interface Engines extends AsyncDisposable {
  readonly running: readonly Engine[]
  /** a sentence for each that is left out */
  readonly leftOut: readonly string[]
}

/** Starts every engine that this machine has, each on a port and a small disk of its own. @throws {Error} without redis-server */
export async function openEngines(folder: string, say: (line: string) => void): Promise<Engines> {
  if (!(await hasRedis())) throw new Error('the fault matrix needs redis-server, which is not on this machine')
  await using opened = new AsyncDisposableStack()
  const disk = async (place: string, megabytes: number): Promise<SmallDisk | undefined> => {
    const mounted = await mountSmallDisk(place, megabytes)
    if (mounted !== undefined) opened.use(mounted)
    return mounted
  }
  const running: Engine[] = []
  const leftOut: string[] = []
  const start = async (engine: Engine): Promise<void> => {
    opened.defer(() => engine.stop())
    // one that needs longer than its command waits is asked again
    await engine.start().catch(() => engine.untilReady())
    running.push(engine)
    say(`${engine.name} runs`)
  }
  const [postgresDisk, redisDisk] = [await disk(join(folder, 'postgres'), 384), await disk(join(folder, 'redis'), 96)]
  if (postgresDisk === undefined) leftOut.push('A disk cannot be filled: mounting a file system in memory needs root.')
  await start(await PostgresEngine.make(join(folder, 'postgres'), postgresDisk, ports.postgres))
  await start(new RedisEngine(join(folder, 'redis'), redisDisk, ports.redis))

  const control = process.env.ENGINE_CTL
  if (control === undefined)
    leftOut.push('Elasticsearch, Cassandra and Keycloak are left out: ENGINE_CTL names no command that starts them.')
  else
    for (const { name, data, megabytes, url, more } of controlled) {
      const place = join(controlledFolder, name, data)
      await start(
        new ControlledEngine({
          name,
          control,
          env: { ENGINES_DIR: controlledFolder, [`${name.toUpperCase()}_PORT`]: `${ports[name]}` },
          url: url(ports[name]),
          disk: await disk(place, megabytes),
          derived: false,
          ...more,
        }),
      )
    }
  const keep = opened.move()
  return { running, leftOut, [Symbol.asyncDispose]: () => keep[Symbol.asyncDispose]() }
}

const issuerOf = (port: number): string => `http://127.0.0.1:${port}/realms/civic`

/** Those that the command starts, and where in its folder their data is. */
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
