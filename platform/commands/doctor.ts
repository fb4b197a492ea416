import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { embeddedPostgres } from '../../engines/relational/embedded-postgres.ts'
import type { Config } from '../../foundation/config/config.ts'
import { messageOf } from '../../foundation/fault.ts'
import { isDiskFullError } from '../../foundation/health/stalled.ts'
import { createLog } from '../../foundation/log.ts'
import { projectFolder } from '../../foundation/process/build-info.ts'
import { indexGeneration } from '../../subgraphs/classification/index.ts'
import { examineCassandra } from '../doctor/cassandra.ts'
import { examineCertificate } from '../doctor/certificate.ts'
import { examineElasticsearch } from '../doctor/elasticsearch.ts'
import { doubtful, type Examination, type Finding, wrong } from '../doctor/examination.ts'
import { examineFolder } from '../doctor/folder.ts'
import { examineIssuer } from '../doctor/issuer.ts'
import { examinePostgres } from '../doctor/postgres.ts'
import { examineDatabase, examinePooler, examineReplica, primaryOf } from '../doctor/postgres-servers.ts'
import { examineRedis } from '../doctor/redis.ts'
import { examineSearchIndex } from '../doctor/search-index.ts'
import { examineTables, type TablesOptions } from '../doctor/tables.ts'
import { encoderName } from '../engines/classification-engines.ts'
import { searchFolder, searchIndices } from '../engines/search-indices.ts'
import { heldKeys } from '../process/keys/keys.ts'
import { type Command, CommandProblem, type WriteLine } from './command.ts'

/** A configured engine and its examination. */
interface Patient {
  /** its purpose, and the setting that names it */
  readonly part: string
  readonly setting: string
  readonly examine: () => Promise<Examination>
}

const answerLimitMs = 5000
const startLimitMs = 60_000
const marks = { fine: 'ok      ', doubtful: 'doubtful', wrong: 'WRONG   ' }

/**
 * `doctor`: checks how durably each configured engine stores data and prints next steps. Changes nothing. @returns 1 if something is wrong or does
 * not respond
 */
export const doctor: Command = async (words, config, writeLine) => {
  if (words.length > 0) throw new CommandProblem(`Unknown command: doctor ${words.join(' ')}`)
  const outcomes = await Promise.all(patientsOf(config).map(async (patient) => ({ patient, result: await outcomeOf(patient) })))
  const findings = outcomes.flatMap(({ patient, result }) => report(patient, result, writeLine))
  const count = (verdict: Finding['verdict']): number => findings.filter((each) => each.verdict === verdict).length
  writeLine(`${findings.length} looked at: ${count('wrong')} wrong, ${count('doubtful')} doubtful`)
  return count('wrong') === 0 ? 0 : 1
}

function patientsOf(config: Config): readonly Patient[] {
  const { dataDir, database, redis, elasticsearch, cassandra, vaultFolder, identity, migrate } = config
  const { certificateFiles } = config
  const patients: Patient[] = [
    ...databasePatients(database, dataDir, { schemaFolder: join(projectFolder, 'schema/sql'), migrate, keys: heldKeys(config) }),
    ...searchPatients(config),
    ...(config.unknownSettings.length === 0
      ? []
      : [{ part: 'settings', setting: 'environment', examine: async () => examineSettings(config.unknownSettings) }]),
    // created by the first start
    ...(existsSync(dataDir) ? [{ part: 'data of this machine', setting: 'DATA_DIR', examine: () => examineFolder(dataDir) }] : []),
  ]
  if (certificateFiles !== undefined)
    patients.push({ part: 'certificate', setting: 'TLS_CERT_FILE', examine: async () => examineCertificate(certificateFiles) })
  if (redis !== undefined) patients.push({ part: 'queues', setting: 'REDIS_URL', examine: () => examineRedis(redis, answerLimitMs) })
  if (cassandra !== undefined)
    patients.push({
      part: 'content store',
      setting: 'CASSANDRA_CONTACT_POINTS',
      examine: () => examineCassandra(cassandra, answerLimitMs),
    })
  if (elasticsearch !== undefined)
    patients.push({
      part: 'search index',
      setting: 'ELASTICSEARCH_URL',
      examine: () => examineElasticsearch(elasticsearch, answerLimitMs),
    })
  const { issuerUrl } = identity
  if (issuerUrl !== undefined)
    patients.push({
      part: 'identity service',
      setting: 'OIDC_ISSUER_URL',
      examine: () => examineIssuer(issuerUrl, identity, answerLimitMs),
    })
  if (vaultFolder !== undefined) patients.push({ part: 'image vault', setting: 'VAULT_DIR', examine: () => examineFolder(vaultFolder) })
  return patients
}

function databasePatients(
  { urls, directUrls, replicaUrls = [] }: Config['database'],
  dataDir: string,
  options: TablesOptions,
): readonly Patient[] {
  if (urls === undefined) return [{ part: 'database', setting: 'DATA_DIR', examine: () => examineEmbedded(dataDir) }]
  const setting = directUrls === undefined ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL'
  const servers = directUrls ?? urls
  const tables = async (): Promise<Examination> => examineTables(await primaryOf(servers, answerLimitMs), options, answerLimitMs)
  const poolers = directUrls === undefined ? [] : urls
  return [
    { part: 'database', setting, examine: () => examineDatabase(servers, answerLimitMs) },
    { part: 'tables', setting, examine: tables },
    ...poolers.map((url) => ({ part: 'pooler', setting: 'DATABASE_URL', examine: () => examinePooler(url, answerLimitMs) })),
    ...replicaUrls.map((url) => ({
      part: `replica ${new URL(url).host}`,
      setting: 'DATABASE_REPLICA_URLS',
      examine: () => examineReplica(url, answerLimitMs),
    })),
  ]
}

/** Joins the embedded database if a platform uses it, otherwise starts it for the examination. */
async function examineEmbedded(dataDir: string): Promise<Examination> {
  if (!existsSync(join(dataDir, 'postgres.json'))) return { engine: 'none yet, created by the first start', answeredInMs: 0, findings: [] }
  const server = embeddedPostgres({ dataDir, log: createLog('error') })
  await server.start(AbortSignal.timeout(startLimitMs))
  try {
    return await examinePostgres(server.url(), answerLimitMs)
  } finally {
    await server.stop()
  }
}

/** The search index that searches of this process would read; none on the embedded database, or before a process has created one here. */
function searchPatients(config: Config): readonly Patient[] {
  const { database, elasticsearch, dataDir } = config
  const servers = database.directUrls ?? database.urls
  if (servers === undefined || (elasticsearch === undefined && !existsSync(searchFolder(dataDir)))) return []
  const examine = async (): Promise<Examination> => {
    const index = await searchIndices(config, createLog('error'))(indexGeneration(encoderName(config)))
    return examineSearchIndex(index, await primaryOf(servers, answerLimitMs), answerLimitMs)
  }
  return [{ part: 'searched expressions', setting: elasticsearch === undefined ? 'DATA_DIR' : 'ELASTICSEARCH_URL', examine }]
}

function examineSettings(unknown: Config['unknownSettings']): Examination {
  const findings = unknown.map(({ name, closest }) =>
    doubtful(name, 'unknown and ignored', `Did you mean ${closest}? Rename or remove it.`),
  )
  return { engine: 'variables that resemble a setting', answeredInMs: 0, findings }
}

async function outcomeOf({ examine, setting }: Patient): Promise<Examination> {
  try {
    return await examine()
  } catch (error) {
    // some drivers append a stack to the message
    const [sentence = ''] = messageOf(error).split('\n')
    const next = isDiskFullError(error)
      ? 'Free disk space, or enlarge the disk.'
      : /certificate/i.test(sentence)
        ? `Set ${authorityOf(setting)} to the file of its CA certificate, and check the host in ${setting}.`
        : `Check that it runs and accepts connections from this machine, and check ${setting}.`
    const unreachable = wrong('answer', `none: ${sentence}`, next)
    return { engine: 'not reached', answeredInMs: 0, findings: [unreachable] }
  }
}

/** Returns the setting of the CA file of an engine. */
function authorityOf(setting: string): string {
  if (setting.startsWith('DATABASE')) return `sslrootcert of ${setting}`
  const [, engine] = /^(REDIS|ELASTICSEARCH|CASSANDRA)_/.exec(setting) ?? []
  return engine === undefined ? 'NODE_EXTRA_CA_CERTS' : `${engine}_CA_FILE`
}

function report({ part, setting }: Patient, { engine, answeredInMs, findings }: Examination, writeLine: WriteLine): readonly Finding[] {
  writeLine(`${part} (${setting}): ${engine}${answeredInMs > 0 ? `, answers in ${answeredInMs} ms` : ''}`)
  for (const { about, verdict, observation, next } of findings) {
    writeLine(`  ${marks[verdict]}  ${about}: ${observation}`)
    if (next !== undefined) writeLine(`            next: ${next}`)
  }
  return findings
}
