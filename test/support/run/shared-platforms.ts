import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { appendFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { listenerUrl } from '../../../foundation/http/listener-url.ts'
import type { EngineAddresses } from '../engines/platform-engines.ts'
import { type Platform, type SharedLayout, type System, sharedLayouts, startPlatform } from '../processes/platform.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Address at which a file requests the platform of a layout. */
    sharedPlatforms: string
  }
}

/** Description of a shared platform for one file. */
export interface SharedPlatform extends Omit<Platform, 'processes'> {
  /** Key of a service that only this file uses: its results and callbacks are this file's only. */
  readonly apiKey: string
  /** Secret that signs the callbacks of this service. */
  readonly callbackSecret: string
  /** With the file that receives their output. */
  readonly processes: readonly { readonly roles: readonly string[]; readonly log: string }[]
}

interface Service {
  readonly name: string
  readonly apiKey: string
  readonly callbackSecret: string
}

interface Shared {
  readonly system: System
  readonly processes: SharedPlatform['processes']
  readonly services: Service[]
}

/** Settings that the sharing files need and that do not affect the others. Request timeouts suit a busy machine. */
const settings = {
  REQUEST_TIMEOUT_MS: '25000',
  ADMIN_AUTH: 'token-or-key',
  MAX_IMPORT_MB: '40',
  TRUST_PROXY: '1',
  INGEST_RATE: '5',
  REVIEW_RETENTION_DAYS: '1',
}
const maxFiles = 50
const scopes = 'submit+results+votes:write+admin'

/**
 * A platform for each layout, for the journeys that can share one. It is started on the first request of a file, and not in
 * a run without such files, and stopped after the last test. `split` uses real engines if there are any.
 */
export default async function sharedPlatforms(project: TestProject): Promise<() => Promise<void>> {
  const shared = new Map<SharedLayout, Promise<Shared>>()
  const platformOf = (layout: SharedLayout): Promise<Shared> => {
    const started = shared.get(layout) ?? start(layout)
    shared.set(layout, started)
    return started
  }
  const stop = async (): Promise<void> => {
    const started = await Promise.allSettled(shared.values())
    shared.clear()
    await Promise.all(started.map((each) => (each.status === 'fulfilled' ? each.value.system.stop() : undefined)))
  }
  const server = createServer((request, response) => {
    const layout = sharedLayouts.find((each) => request.url === `/${each}`)
    if (layout === undefined) return void response.writeHead(404).end()
    platformOf(layout)
      .then(describe)
      .then(
        (description) => response.end(JSON.stringify(description)),
        (error: unknown) => response.writeHead(500).end(String(error)),
      )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  project.provide('sharedPlatforms', listenerUrl(server, '127.0.0.1'))
  // a repeated run in watch mode starts without the previous platforms
  project.vitest.onTestsRerun(stop)
  return async () => {
    server.closeAllConnections()
    server.close()
    await stop()
  }
}

async function start(layout: SharedLayout): Promise<Shared> {
  const services = Array.from({ length: maxFiles }, (_, n) => ({
    name: `service-${n}`,
    apiKey: randomBytes(24).toString('base64url'),
    callbackSecret: `whsec_${randomBytes(32).toString('base64')}`,
  }))
  const env = {
    ...settings,
    VERIFICATION_API_KEYS: services.map(({ name, apiKey }) => `${name}:${sha256(apiKey)}:${scopes}`).join(),
    CALLBACK_SECRETS: services.map(({ name, callbackSecret }) => `${name}:${callbackSecret}`).join(),
  }
  const system = await startPlatform({ layout, env, engines: layout === 'split' ? realEngines() : undefined })
  // an interrupted run ends without its teardown
  process.once('exit', () => {
    for (const { child } of system.processes) child.kill()
  })
  return { system, services, processes: system.processes.map((_, at) => withLog(system, at)) }
}

/** The addresses that `engines.ts` reads in the processes of tests. */
function realEngines(): EngineAddresses | undefined {
  const { DATABASE_URL: postgres, REDIS_URL: redis, ELASTICSEARCH_URL: elasticsearch } = process.env
  return postgres === undefined || redis === undefined ? undefined : { postgres, redis, elasticsearch }
}

/** Writes the output of a process to a file, for files that did not start it. */
function withLog({ dataDir, processes }: System, at: number): SharedPlatform['processes'][number] {
  const log = join(dataDir, `process-${at}.log`)
  const { roles = [], output = () => '', child } = processes[at] ?? {}
  writeFileSync(log, output())
  for (const stream of [child?.stdout, child?.stderr]) stream?.on('data', (text: string) => appendFileSync(log, text))
  return { roles, log }
}

function describe({ system, processes, services }: Shared): SharedPlatform {
  const { layout, graphqlUrl, rest, dataDir, env } = system
  const service = services.shift()
  if (service === undefined) throw new Error(`more than ${maxFiles} files share a platform`)
  return { layout, graphqlUrl, rest, dataDir, env, processes, apiKey: service.apiKey, callbackSecret: service.callbackSecret }
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
