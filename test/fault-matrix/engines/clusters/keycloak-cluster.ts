import { execFile, spawn } from 'node:child_process'
import { access, cp, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { untilIssues } from '../../../support/engines/keycloak.ts'
import { SupervisedProcess } from '../../processes/supervised-process.ts'
import { query } from '../postgres.ts'
import { Cluster, type ClusterNode } from './cluster.ts'
import { javaHome } from './java.ts'

const run = promisify(execFile)
const buildLimitMs = 300_000
const database = 'keycloak'
/** Port of the shared cache; the failure detection port is 50,000 above. */
const cachePort = 7960

/**
 * Two clustered instances on one database.
 * @param distribution - as unpacked by the command   @param port - the first of two; the management ports are 900 above
 * @param postgres - server of their database
 */
export async function keycloakCluster(distribution: string, port: number, postgres: string): Promise<Cluster> {
  const env = { PATH: process.env.PATH, JAVA_HOME: await javaHome(25), JAVA_OPTS_KC_HEAP: '-Xms64m -Xmx512m' }
  const home = await built(distribution, env)
  await query(postgres, `create database ${database}`)
  const { username, password, host } = new URL(postgres)
  const options = {
    'http-enabled': true,
    'hostname-strict': false,
    'http-host': '127.0.0.1',
    'db-url': `jdbc:postgresql://${host}/${database}`,
    'db-username': decodeURIComponent(username),
    'db-pool-max-size': 10,
    'cache-embedded-network-bind-address': '127.0.0.1',
  }
  const node = (number: number): ClusterNode => {
    const url = `http://127.0.0.1:${port + number}/realms/civic`
    const ports = {
      'http-port': port + number,
      'http-management-port': port + 900 + number,
      'cache-embedded-network-bind-port': cachePort + number,
    }
    const words = Object.entries({ ...options, ...ports }).map(([name, value]) => `--${name}=${value}`)
    const launched = new SupervisedProcess({
      name: 'keycloak',
      spawn: () =>
        spawn(join(home, 'bin/kc.sh'), ['start', '--optimized', '--import-realm', ...words], {
          // not an argument: all users of this machine can read arguments
          env: { ...env, KC_DB_PASSWORD: decodeURIComponent(password) },
          stdio: ['ignore', 'pipe', 'pipe'],
        }),
      isReady: () =>
        fetch(`${url}/.well-known/openid-configuration`).then(
          ({ ok }) => ok,
          () => false,
        ),
    })
    return { url, process: launched }
  }
  const nodes = [node(0), node(1)] as const
  const untilInStep = async (): Promise<void> => {
    for (const { url, process: each } of nodes) {
      await each.untilReady()
      await untilIssues(url)
    }
  }
  return new Cluster({ name: 'keycloak', nodes, afterStart: untilInStep, untilInStep, leader: async (led) => led })
}

/** A copy that is built for PostgreSQL, created once: the distribution itself stays built for its own database. */
async function built(distribution: string, env: NodeJS.ProcessEnv): Promise<string> {
  const home = join(distribution, 'keycloak-on-postgres')
  if (await exists(home)) return home
  const unfinished = `${home}.unfinished`
  await rm(unfinished, { recursive: true, force: true })
  await cp(join(distribution, 'keycloak'), unfinished, { recursive: true })
  const realms = join(distribution, 'realm')
  await mkdir(join(unfinished, 'data/import'), { recursive: true })
  for (const name of await readdir(realms)) await cp(join(realms, name), join(unfinished, 'data/import', name))
  await run(join(unfinished, 'bin/kc.sh'), ['build', '--db=postgres', '--cache=ispn', '--health-enabled=true'], {
    env,
    timeout: buildLimitMs,
  })
  await rename(unfinished, home)
  return home
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
