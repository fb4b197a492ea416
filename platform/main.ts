import 'reflect-metadata'
import '../gateway/no-telemetry.ts'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createAuthentication, type StoredKeys } from '../gateway/http/authentication.ts'
import { inProcessSource } from '../gateway/sources/in-process-source.ts'
import { principalTokens } from '../gateway/sources/principal-token.ts'
import { remoteSource } from '../gateway/sources/remote-source.ts'
import { createSubgraphServer } from '../gateway/sources/subgraph-server.ts'
import { postgresAnalyticsStore } from '../subgraphs/engines/analytics-store/postgres-analytics-store.ts'
import { type BuildInfo, projectFolder, readBuildInfo } from '../subgraphs/foundation/build-info.ts'
import { type Config, ConfigProblems, parseConfig } from '../subgraphs/foundation/config/config.ts'
import { environment } from '../subgraphs/foundation/environment.ts'
import { messageOf } from '../subgraphs/foundation/fault.ts'
import { DateTime } from '../subgraphs/foundation/graphql/date-time.ts'
import { ImageContentScalar } from '../subgraphs/foundation/graphql/image-content.ts'
import { type ComponentName, componentNames, type Subgraph } from '../subgraphs/foundation/graphql/subgraph.ts'
import { compose, type Part, together } from '../subgraphs/foundation/lifecycle.ts'
import { createLog, type Log } from '../subgraphs/foundation/log.ts'
import { MetricRegistries } from '../subgraphs/foundation/metric-registries.ts'
import type { Assembled } from './assembled-process.ts'
import { isCommand } from './commands/commands.ts'
import { administrationUpkeep, contentUpkeep, createSubgraph, createWorker } from './components/components.ts'
import { demonstrationData, wantsDemonstrationData } from './demonstration/expressions.ts'
import { demonstrationTree, wantsDemonstrationTree } from './demonstration/magazine.ts'
import { openSharedEngines } from './engines/shared-engines.ts'
import { type Keys, missingKeys, resolveKeys } from './process/development-secrets.ts'
import { boundHeapGrowth } from './process/heap-growth.ts'
import { helpText } from './process/help.ts'
import { keylessNotice } from './process/keyless-notice.ts'
import { createMetricsServer } from './process/metrics-server.ts'
import { portsOf } from './process/ports.ts'
import { createReadiness } from './process/readiness.ts'
import { claimRoles } from './process/role-claims.ts'
import { namesOf, parseRoles, type Roles } from './process/roles.ts'
import { runUntilSignal } from './process/run-until-signal.ts'
import { sourcesPart } from './process/sources-part.ts'
import { folderProblem, portProblems } from './process/start-checks.ts'

const say = (line: string): boolean => process.stdout.write(`${line}\n`)

/** The one place that knows every part: builds those of the chosen roles. Starting and stopping is the caller's. */
async function assemble(config: Config, roles: Roles, keys: Keys, build: BuildInfo, log: Log, claims: Part): Promise<Assembled> {
  const ports = portsOf(config, roles)
  const host = config.bindAddress
  const engines = await openSharedEngines(config, keys.vault, roles.all, log)
  const background: Part[] = []
  const registries = new MetricRegistries()
  const options = { engines, config, build, log, pseudonymKey: keys.pseudonym, background, registries }
  const secretsOf = async (service: string) =>
    keys.callbackSecrets.find(({ name }) => name === service)?.secrets ?? engines.serviceKeys.callbackSecrets(service)
  const { verifier, embedded: issuer } = engines.identity
  const authentication = createAuthentication({
    apiKeys: keysFor(config, keys),
    storedKeys: storedKeysFor(config, engines.serviceKeys),
    tokenVerifier: verifier,
  })
  const tokens = principalTokens(keys.principalSigning)
  const { requestTimeoutMs, bodyBytes, batchBodyBytes } = config.limits

  const subgraphs = new Map<ComponentName, Subgraph>()
  for (const name of roles.subgraphs) subgraphs.set(name, await createSubgraph(name, options))
  const workers: Part[] = []
  for (const name of roles.workers) workers.push(await createWorker(name, options, secretsOf))
  // an engine that two roles of this process need is named twice
  workers.unshift(...new Set(background))
  const administers = roles.subgraphs.includes('administration')
  const issuers = issuer !== undefined && (administers || roles.rest.includes('administration')) ? [issuer] : []
  if (roles.subgraphs.includes('content')) workers.push(await contentUpkeep(options))
  if (administers) workers.push(await administrationUpkeep(options, keys.developmentAdministrators))
  const subgraphServers = roles.all
    ? []
    : [...subgraphs.values()].map((subgraph) =>
        createSubgraphServer({
          subgraph,
          tokens,
          log,
          host,
          port: ports.subgraph(subgraph.name),
          bodyBytes: 2 * batchBodyBytes,
          requestTimeoutMs,
        }),
      )

  const listeners: Part[] = []
  const sourceParts: Part[] = []
  const afterReady: Part[] = []
  const addresses: (() => readonly [string, string])[] = subgraphServers.map((server) => () => [server.name, server.url])
  if (roles.gateway || roles.rest.length > 0) {
    // loaded by the roles that use it: a worker does without
    const { composeSupergraph } = await import('../gateway/supergraph.ts')
    const { createExecutor } = await import('../gateway/executor.ts')
    const { Intake } = await import('../gateway/http/read-body.ts')
    const { restServer } = await import('../rest-adapters/rest-server.ts')
    const { routesOf } = await import('../rest-adapters/routes.ts')
    const sdlOf = (name: ComponentName): string =>
      subgraphs.get(name)?.sdl ?? readFileSync(join(projectFolder, `schema/${name}.graphql`), 'utf8')
    const sources = Object.fromEntries(
      componentNames.map((name) => {
        const subgraph = subgraphs.get(name)
        const url = config.subgraphUrls[name] ?? `http://${host}:${ports.subgraph(name)}/graphql`
        return [name, subgraph === undefined ? remoteSource({ name, url, tokens }) : inProcessSource(subgraph)]
      }),
    )
    sourceParts.push(sourcesPart(sources))
    const supergraph = composeSupergraph(componentNames.map((name) => ({ name, sdl: sdlOf(name) })))
    const executor = createExecutor({ supergraph, sources, eventTimeoutMs: requestTimeoutMs, scalars: [DateTime, ImageContentScalar] })
    if (wantsDemonstrationData(config, roles.all)) {
      const store = postgresAnalyticsStore(engines)
      afterReady.push(demonstrationData({ executor, store, dataDir: config.dataDir, log: log.child({ component: 'demonstration' }) }))
    }
    if (wantsDemonstrationTree(config, roles.all))
      afterReady.push(demonstrationTree({ executor, dataDir: config.dataDir, log: log.child({ component: 'demonstration' }) }))
    const { createRealtime } = await import('../rest-adapters/exploration/realtime/realtime.ts')
    const { createExpressionStream } = await import('../rest-adapters/classification/stream/stream.ts')
    const intake = new Intake(config.limits.intakeInflightBytes)
    const rest = roles.rest.map((component) =>
      restServer({
        component,
        routes: routesOf(component, config),
        executor,
        authentication,
        config,
        log,
        intake,
        port: ports.rest(component),
        ...(component === 'administration' && issuer !== undefined ? { mount: issuer } : {}),
        ...(component === 'exploration' ? { sockets: createRealtime(executor, config, log) } : {}),
        ...(component === 'classification'
          ? {
              sockets: createExpressionStream({ executor, authentication, log, registry: registries.of(component), limits: config.stream }),
            }
          : {}),
      }),
    )
    listeners.push(...rest)
    if (roles.gateway) {
      const { createGatewayServer } = await import('../gateway/http-server.ts')
      const { mountPages } = await import('../web/landing/mount-pages.ts')
      const gateway = createGatewayServer({
        executor,
        authentication,
        persistedQueries: engines.keyValue,
        log,
        host,
        port: ports.gateway,
        corsOrigins: config.corsOrigins,
        introspection: config.introspection,
        bodyBytes,
        intake,
        requestTimeoutMs,
        trustedProxies: config.trustedProxies,
        maxSubscribers: config.subscriptionClients,
        listLengths: { 'MapView.features': 1000, 'SentimentStatistics.history': 730 },
        version: build.version,
        publicUrl: config.publicUrl,
        mountPages: (server) =>
          mountPages(server, {
            components: componentNames.map((name) => ({ name, port: ports.rest(name) || undefined })),
            version: build.version,
            publicUrl: config.publicUrl,
          }),
      })
      listeners.push(gateway)
      addresses.push(() => ['GraphQL', `${gateway.url}/graphql`])
    }
    addresses.push(...rest.map((server) => (): readonly [string, string] => [server.name, server.address]))
  }

  const readiness = createReadiness()
  const metrics = createMetricsServer({ host: config.metrics.host, port: ports.metrics, ready: () => readiness.isReady, registries })
  const notices = roles.gateway || roles.rest.includes('verification') ? [keylessNotice(keys.apiKeys.length, engines.serviceKeys, log)] : []
  const part = compose('civigraph', [
    claims,
    ...engines.parts,
    ...notices,
    ...issuers,
    ...subgraphServers,
    ...workers,
    ...sourceParts,
    together('listeners', listeners),
    metrics,
    readiness,
    ...afterReady,
  ])
  return { part, addresses: () => [...addresses.map((address) => address()), ['metrics', `${metrics.url}/metrics`]] }
}

/** Without ADMIN_AUTH=token-or-key no service is an administrator, whatever the scopes of its key. */
function keysFor({ adminKeys }: Config, { apiKeys }: Keys): Keys['apiKeys'] {
  return adminKeys ? apiKeys : apiKeys.map((key) => ({ ...key, scopes: key.scopes.filter((scope) => scope !== 'admin') }))
}

function storedKeysFor({ adminKeys }: Config, stored: StoredKeys): StoredKeys {
  if (adminKeys) return stored
  return {
    async find(key) {
      const service = await stored.find(key)
      return service && { ...service, scopes: service.scopes.filter((scope) => scope !== 'admin') }
    },
  }
}

/** Everything that can be known to be wrong before anything is started, a sentence each. */
async function problemsOfStart(config: Config, roles: Roles): Promise<readonly string[]> {
  const folder = folderProblem(config.dataDir)
  return [...(folder === undefined ? [] : [folder]), ...missingKeys(config, roles), ...(await portProblems(portsOf(config, roles).wanted))]
}

function refuse(problems: readonly string[]): never {
  for (const problem of problems) process.stderr.write(`${problem}\n`)
  process.exit(1)
}

function readConfig(): Config | readonly string[] {
  try {
    return parseConfig(environment, process.cwd())
  } catch (error) {
    if (error instanceof ConfigProblems) return error.problems
    throw error
  }
}

async function run(): Promise<void> {
  const words = process.argv.slice(2)
  if (words.includes('help') || words.includes('--help')) {
    say(helpText())
    return
  }
  if (isCommand(words[0])) {
    const { runCommand } = await import('./commands/commands.ts')
    const settings = readConfig()
    process.exit('dataDir' in settings ? await runCommand(words, settings, say) : refuse(settings))
  }
  boundHeapGrowth()
  const roles = parseRoles(words)
  const config = readConfig()
  if ('problems' in roles || !('dataDir' in config)) {
    return refuse([...('problems' in roles ? roles.problems : []), ...('dataDir' in config ? [] : config)])
  }
  if (config.supergraphFile !== undefined) return await serveSupergraph(config.supergraphFile, config, roles)
  const claimed = folderProblem(config.dataDir) === undefined ? claimRoles(config.dataDir, namesOf(roles)) : undefined
  if (claimed !== undefined && claimed.problems.length > 0) refuse(claimed.problems)
  const problems = await problemsOfStart(config, roles)
  if (problems.length > 0 || claimed === undefined) {
    await claimed?.part.stop()
    return refuse(problems)
  }
  const log = createLog(config.logLevel)
  const build = readBuildInfo()
  const keys = resolveKeys(config)
  const platform = await assemble(config, roles, keys, build, log, claimed.part)
  await runUntilSignal(platform.part, log, () => {
    say(
      `Civigraph ${build.version}, ${config.production ? 'production' : 'development'}: ${roles.all ? 'the whole platform' : namesOf(roles).join(' ')}`,
    )
    for (const [what, address] of platform.addresses()) say(`  ${what.padEnd(24)}${address}`)
    if (keys.developmentApiKey !== undefined) {
      say(
        `  ${'X-Service-API-Key'.padEnd(24)}${keys.developmentApiKey}   (development; kept in ${join(config.dataDir, 'credentials.json')})`,
      )
    }
    if (keys.developmentAdministrators !== undefined && roles.subgraphs.includes('administration')) {
      const { superAdmin, groupAdmin } = keys.developmentAdministrators
      say(`  ${'super_admin'.padEnd(24)}${superAdmin.email} ${superAdmin.password}`)
      say(`  ${'group_admin'.padEnd(24)}${groupAdmin.email} ${groupAdmin.password}`)
    }
    say(`ready in ${Math.round(performance.now())} ms`)
  })
}

/** The gateway over a supergraph that need not be ours: no engine, no key, nothing kept on disk. */
async function serveSupergraph(file: string, config: Config, roles: Roles): Promise<void> {
  const { assembleSupergraphGateway, supergraphProblems } = await import('./supergraph-gateway.ts')
  const ports = portsOf(config, roles)
  const problems = [...supergraphProblems(file, roles), ...(await portProblems(ports.wanted))]
  if (problems.length > 0) refuse(problems)
  const log = createLog(config.logLevel)
  const build = readBuildInfo()
  const assembled = await assembleSupergraphGateway(file, config, ports, build, log)
  await runUntilSignal(assembled.part, log, () => {
    say(`Civigraph ${build.version}, ${config.production ? 'production' : 'development'}: gateway over ${file}`)
    for (const [what, address] of assembled.addresses()) say(`  ${what.padEnd(24)}${address}`)
    say(`ready in ${Math.round(performance.now())} ms`)
  })
}

await run().catch((error: unknown) => {
  process.stderr.write(`${messageOf(error)}\n`)
  process.exit(1)
})
