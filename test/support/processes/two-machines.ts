import { createHash, randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Access } from '../../fault-matrix/platform.ts'
import { freshKeyspace } from '../engines/cassandra.ts'
import { removeDataDir, temporaryDataDir } from '../engines/databases.ts'
import { type EngineAddresses, openPlatformEngines } from '../engines/platform-engines.ts'
import { type Balancer, openBalancer } from './balancer.ts'
import { components } from './platform.ts'
import { cleanEnvironment, type RunningProcess, startProcess, stopProcess, untilReady } from './platform-process.ts'

export interface MachineEngines extends EngineAddresses {
  readonly elasticsearch: string
  readonly cassandra: { readonly contactPoints: readonly string[]; readonly localDataCenter: string }
}

/** Roles that share a process on each machine, in the order of their replacement: subgraphs first. */
export const places = {
  subgraphs: components.map((name) => `subgraph:${name}`),
  workers: ['worker:verification', 'worker:exploration', 'worker:classification'],
  doors: ['gateway', ...components.map((name) => `rest:${name}`)],
} as const
export type Place = keyof typeof places

/** Two machines of docs/operations/deploying.md, simulated by local addresses: every role on both, behind a balancer. */
export interface TwoMachines extends AsyncDisposable {
  /** Addresses for clients, through the balancer. */
  readonly access: Access
  readonly databaseUrl: string
  /** Settings of the machines at the start. */
  readonly settings: Readonly<Record<string, string>>
  /** Changes settings for commands and for processes that are replaced from now on. */
  configure(changes: Readonly<Record<string, string>>): void
  /** `civigraph WORDS` with the settings of the machines. @returns the output; the exit code is 0 */
  command(...words: readonly string[]): Promise<string>
  /** Stops a process as a service manager does, and restarts it. Resolves once the balancer sends requests to it. @returns its exit code */
  replace(machine: 0 | 1, place: Place): Promise<number | string>
}

/** Addresses that no other test process uses. */
const addressOf = (host: number): string => `127.78.${process.pid % 250}.${host}`

export async function startTwoMachines({ cassandra, ...engines }: MachineEngines): Promise<TwoMachines> {
  await using opening = new AsyncDisposableStack()
  const folder = opening.adopt(await temporaryDataDir(), removeDataDir)
  const { env } = opening.use(await openPlatformEngines(engines))
  const { keyspace } = opening.use(await freshKeyspace(cassandra))
  const [balancerAt, machines] = [addressOf(1), [addressOf(2), addressOf(3)]] as const
  const balancer: Balancer = opening.use(await openBalancer(balancerAt, machines, folder))
  const apiKey = `machines_${randomBytes(16).toString('hex')}`
  const shared: Record<string, string> = {
    ...cleanEnvironment(),
    ...env,
    NODE_ENV: 'development',
    DEMO_DATA: 'off',
    MIGRATE: 'off',
    TRUST_PROXY: '1',
    DRAIN_DELAY_MS: '5000',
    // a long interval: a busy machine must not count as an unavailable one
    REQUEST_TIMEOUT_MS: '25000',
    CASSANDRA_CONTACT_POINTS: cassandra.contactPoints.join(','),
    CASSANDRA_LOCAL_DATACENTER: cassandra.localDataCenter,
    CASSANDRA_KEYSPACE: keyspace,
    PUBLIC_URL: `http://${balancerAt}:4000`,
    EMBEDDED_ISSUER_URL: `http://${balancerAt}:4004/oidc`,
    SUBGRAPH_URLS: components.map((name, index) => `${name}=http://${balancerAt}:${4011 + index}/graphql`).join(','),
    ADMIN_AUTH: 'token-or-key',
    VERIFICATION_API_KEYS: `machines:${createHash('sha256').update(apiKey).digest('hex')}:submit+results+votes:write+admin`,
    CALLBACK_SECRETS: `machines:whsec_${randomBytes(32).toString('base64')}`,
  }
  const command = async (...words: readonly string[]): Promise<string> => {
    const started = startProcess(words, { ...shared, DATA_DIR: join(folder, 'commands') })
    if ((await started.exited) !== 0) throw new Error(`${words.join(' ')} failed: ${started.output()}`)
    return started.output()
  }
  await mkdir(join(folder, 'commands'))
  await command('migrate', 'apply')

  const running = new Map<string, RunningProcess>()
  opening.defer(async () => void (await Promise.all([...running.values()].map(stopProcess))))
  const start = async (machine: number, place: Place): Promise<void> => {
    const address = machines[machine] ?? ''
    const dataDir = join(folder, `${address}-${place}`)
    await mkdir(dataDir, { recursive: true })
    const started = startProcess(places[place], { ...shared, DATA_DIR: dataDir, BIND_ADDRESS: address, METRICS_HOST: address })
    running.set(`${machine} ${place}`, started)
    await untilReady(started)
  }
  /** Waits until the balancer uses all of a machine: the other one may be next. */
  const untilSentTo = async (machine: number): Promise<void> => {
    while (!(await balancer.sendsTo(machines[machine] ?? ''))) await sleep(100)
  }
  await Promise.all([0, 1].flatMap((machine) => (Object.keys(places) as Place[]).map((place) => start(machine, place))))
  await Promise.all([0, 1].map(untilSentTo))
  const open = opening.move()
  const rest = (index: number): string => `http://${balancerAt}:${4001 + index}`
  return {
    access: {
      graphql: `http://${balancerAt}:4000/graphql`,
      rest: { verification: rest(0), exploration: rest(1), classification: rest(2), administration: rest(3), content: rest(4) },
      apiKey,
      redis: engines.redis,
      redisPrefix: env.REDIS_PREFIX ?? '',
    },
    databaseUrl: env.DATABASE_URL ?? '',
    settings: { ...env },
    configure: (changes) => void Object.assign(shared, changes),
    command,
    async replace(machine, place) {
      const before = running.get(`${machine} ${place}`)
      if (before === undefined) throw new Error(`there is no such process: ${machine} ${place}`)
      const code = await stopProcess(before)
      await start(machine, place)
      await untilSentTo(machine)
      return code
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
}
