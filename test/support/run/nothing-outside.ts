import childProcess from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'
import workerThreads from 'node:worker_threads'

/**
 * Before unit tests: starting a process or a thread throws; `engines.ts` offers no database in this project. A test that needs one
 * belongs to contracts/ (of an engine) or components/ (of a use case), which may take seconds where a unit test takes milliseconds.
 */
const refuse = (what: string) => (): never => {
  throw new Error(`A unit test starts no ${what}: move it to test/contracts or test/components`)
}

class RefusedThread {
  constructor() {
    refuse('thread')()
  }
}

const starters = ['spawn', 'spawnSync', 'fork', 'exec', 'execSync', 'execFile', 'execFileSync']
Object.assign(childProcess, Object.fromEntries(starters.map((name) => [name, refuse('process')])))
Object.assign(workerThreads, { Worker: RefusedThread })
syncBuiltinESMExports()

// the variables of running servers are removed, too
for (const name of ['DATABASE_URL', 'REDIS_URL', 'ELASTICSEARCH_URL', 'CASSANDRA_CONTACT_POINTS', 'OIDC_ISSUER_URL'])
  delete process.env[name]
