import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { projectFolder } from '../../foundation/process/build-info.ts'
import type { Engine, EngineName } from './engines/engine.ts'
import type { Network } from './network.ts'
import { SupervisedProcess } from './processes/supervised-process.ts'

export const components = ['verification', 'exploration', 'classification', 'administration', 'content'] as const
export type Component = (typeof components)[number]

/** Subgraphs first: the others depend on them. */
export const roleNames: readonly string[] = [
  ...components.map((name) => `subgraph:${name}`),
  ...['verification', 'exploration', 'classification'].map((name) => `worker:${name}`),
  ...components.map((name) => `rest:${name}`),
  'gateway',
]

const portBase = 17_500
/** Request timeout: sufficient on a busy machine. */
const requestTimeoutMs = 20_000
const startsAtOnce = 3

/** Addresses and credentials of a client. */
export interface Access {
  readonly graphql: string
  readonly rest: Readonly<Record<Component, string>>
  readonly apiKey: string
  /** Through the client's own gate. */
  readonly redis: string
  readonly redisPrefix: string
}

/** The compiled platform, one process per role and two of each worker, so that one can take over. */
export interface Platform extends AsyncDisposable {
  readonly access: Access
  /** The processes of a role. */
  of(role: string): readonly SupervisedProcess[]
}

export async function startPlatform(
  folder: string,
  engines: readonly Engine[],
  network: Network,
  log: (line: string) => void,
  logs: string | undefined,
): Promise<Platform> {
  const apiKey = `faults_${randomBytes(16).toString('hex')}`
  const redisPrefix = 'faults'
  const key = (): string => randomBytes(32).toString('base64')
  const urlOf = (name: EngineName): string | undefined => engines.find((engine) => engine.name === name)?.url
  const issuer = urlOf('keycloak')
  const shared: Record<string, string> = {
    PATH: process.env.PATH ?? '',
    NODE_COMPILE_CACHE: join(folder, 'compiled'),
    NODE_ENV: 'development',
    PORT_BASE: `${portBase}`,
    LOG_LEVEL: 'info',
    DEMO_DATA: 'off',
    REQUEST_TIMEOUT_MS: `${requestTimeoutMs}`,
    REDIS_PREFIX: redisPrefix,
    VAULT_KEY: key(),
    PRINCIPAL_SIGNING_KEY: key(),
    PSEUDONYM_KEY: key(),
    EXPRESSION_KEY: key(),
    ADMIN_AUTH: 'token-or-key',
    VERIFICATION_API_KEYS: `faults:${createHash('sha256').update(apiKey).digest('hex')}:submit+results+votes:write+admin`,
    CALLBACK_SECRETS: `faults:whsec_${key()}`,
    // tokens contain the issuer's address, so all processes must use the same one
    ...(issuer === undefined ? {} : { OIDC_ISSUER_URL: await network.link('all', 'keycloak', issuer) }),
  }
  const settings: Readonly<Record<Exclude<EngineName, 'keycloak'>, (url: string) => Readonly<Record<string, string>>>> = {
    postgres: (url) => ({ DATABASE_URL: url }),
    redis: (url) => ({ REDIS_URL: url }),
    elasticsearch: (url) => ({ ELASTICSEARCH_URL: url }),
    cassandra: (url) => ({ CASSANDRA_CONTACT_POINTS: new URL(url).host }),
  }
  const subgraphUrl = (component: Component): string => `http://127.0.0.1:${portBase + 11 + components.indexOf(component)}/graphql`

  const environmentOf = async (name: string, role: string): Promise<Record<string, string>> => {
    const env = { ...shared, DATA_DIR: join(folder, name.endsWith('#2') ? 'data-2' : 'data') }
    for (const engine of engines) {
      if (engine.contactPoints !== undefined) Object.assign(env, { CASSANDRA_CONTACT_POINTS: engine.contactPoints.join(',') })
      else if (engine.name !== 'keycloak') Object.assign(env, settings[engine.name](await network.link(name, engine.name, engine.url)))
    }
    if (role !== 'gateway' && !role.startsWith('rest:')) return env
    const urls = components.map(async (to) => `${to}=${await network.link(name, `subgraph:${to}`, subgraphUrl(to))}`)
    return { ...env, SUBGRAPH_URLS: (await Promise.all(urls)).join(',') }
  }

  const processes: { readonly role: string; readonly process: SupervisedProcess }[] = []
  for (const role of roleNames)
    for (const name of copiesOf(role, urlOf('elasticsearch') !== undefined)) {
      const env = await environmentOf(name, role)
      await mkdir(env.DATA_DIR ?? '', { recursive: true, mode: 0o711 })
      const main = join(projectFolder, 'dist/bench/platform/main.js')
      const started = new SupervisedProcess({
        name,
        spawn: () => spawn(process.execPath, [main, role], { env, stdio: ['ignore', 'pipe', 'pipe'] }),
        isReady: (output) => /ready in \d+ ms/.test(output),
        logFile: logs && join(logs, `${name.replace(':', '-')}.log`),
      })
      processes.push({ role, process: started })
    }
  const stop = async (): Promise<void> => void (await Promise.all(processes.map(({ process }) => process.stop())))
  try {
    // the first one creates the schema
    const [first, ...others] = processes.map(({ process }) => process)
    await first?.start()
    const waiting = others.values()
    const startNext = async (): Promise<void> => {
      for (const next of waiting) {
        await next.start()
        log(`${next.name} runs`)
      }
    }
    await Promise.all(Array.from({ length: startsAtOnce }, startNext))
  } catch (error) {
    await stop()
    throw error
  }
  const clients = async (to: string, offset: number): Promise<string> =>
    (await network.link('client', to, `http://127.0.0.1:${portBase + offset}`)).replace(/\/$/, '')
  const addresses = await Promise.all(components.map((name, index) => clients(`rest:${name}`, 1 + index)))
  const [verification = '', exploration = '', classification = '', administration = '', content = ''] = addresses
  return {
    access: {
      graphql: `${await clients('gateway', 0)}/graphql`,
      rest: { verification, exploration, classification, administration, content },
      apiKey,
      redis: await network.link('client', 'redis', urlOf('redis') ?? ''),
      redisPrefix,
    },
    of: (role) => processes.filter((each) => each.role === role).map(({ process }) => process),
    [Symbol.asyncDispose]: stop,
  }
}

/** Two of each worker. An embedded search index belongs to one DATA_DIR, which has one process per role. */
const copiesOf = (role: string, sharedIndex: boolean): readonly string[] =>
  role.startsWith('worker:') && (sharedIndex || role !== 'worker:classification') ? [role, `${role}#2`] : [role]
