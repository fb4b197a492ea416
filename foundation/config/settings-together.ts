import type { ApiKey, CallbackSecrets } from './key-rules.ts'
import { type Setting, settingsIn } from './setting.ts'
import { settings } from './settings.ts'
import { callbackPurposes, weakApiKeys, weakKeys } from './weak-keys.ts'

const languageModelShare = 0.6

/**
 * What is wrong with settings that are right by themselves: one needs another, or two of them contradict each other.
 * @param read - the value of a setting, undefined when it has none   @returns a sentence each, by variable name
 */
export function problemsBetween(read: (setting: Setting<unknown>) => unknown): readonly string[] {
  const isSet = (setting: Setting<unknown>): boolean => read(setting) !== undefined
  const { url: llmUrl, model, limitMs } = settings.languageModel.members
  const { policyModule, policyField } = settings.authorization
  const { certificate, key } = settings.tls
  const { manifest, only } = settings.persistedOperations
  const { url: redisUrl, sentinel, clusterNodes, ca: redisCa } = settings.redis.members
  const { url: searchUrl, ca: searchCa } = settings.elasticsearch.members
  const { contactPoints, tls, ca: cassandraCa, localDataCenter, replication, consistency } = settings.cassandra.members
  const { urls: databaseUrls, directUrls, replicaUrls } = settings.database
  const speaks = (setting: Setting<unknown>, scheme: string): boolean => String(read(setting) ?? scheme).startsWith(scheme)
  const sentinels = sentinel.members.nodes
  const near = String(read(localDataCenter))
  const replicas = new Map((read(replication) ?? []) as readonly (readonly [dataCenter: string, replicas: number])[])
  const rules: readonly (readonly [isBroken: boolean, sentence: string])[] = [
    [isSet(llmUrl) && !isSet(model), 'LLM_MODEL is missing: LLM_URL needs it'],
    [
      // an expression is taken in by then, or its caller is told to come again
      isSet(llmUrl) && Number(read(limitMs)) > languageModelShare * Number(read(settings.limits.requestTimeoutMs)),
      `LLM_TIMEOUT_MS must be at most ${languageModelShare * 100} % of REQUEST_TIMEOUT_MS (it is ${read(limitMs)})`,
    ],
    [isSet(policyModule) && isSet(policyField), 'both POLICY_MODULE and POLICY_FIELD are set; one decides on policies'],
    [
      isSet(settings.overrideModule) && read(settings.overrideLabels)?.toString() !== '',
      'both OVERRIDE_MODULE and OVERRIDE_LABELS are set; one says which labels are on',
    ],
    [
      isSet(certificate) !== isSet(key),
      `${isSet(key) ? 'TLS_CERT_FILE' : 'TLS_KEY_FILE'} is missing: a certificate and its key go together`,
    ],
    [read(only) === true && !isSet(manifest), 'PERSISTED_OPERATIONS is missing: PERSISTED_OPERATIONS_ONLY needs it'],
    ...[sentinels, clusterNodes].map(
      (nodes) => [isSet(nodes) && !isSet(redisUrl), `REDIS_URL is missing: ${nodes.name} needs it`] as const,
    ),
    [isSet(sentinels) && isSet(clusterNodes), 'both REDIS_SENTINELS and REDIS_CLUSTER_NODES are set; Redis is one or the other'],
    [
      isSet(clusterNodes) && /[1-9]/.test(new URL(String(read(redisUrl) ?? 'redis:')).pathname),
      'REDIS_URL names a database, and a Redis Cluster has only 0',
    ],
    ...[directUrls, replicaUrls].map(
      (urls) => [isSet(urls) && !isSet(databaseUrls), `DATABASE_URL is missing: ${urls.name} needs it`] as const,
    ),
    [isSet(redisCa) && !speaks(redisUrl, 'rediss://'), 'REDIS_CA_FILE is set, and REDIS_URL is without TLS (rediss://)'],
    [isSet(searchCa) && !speaks(searchUrl, 'https://'), 'ELASTICSEARCH_CA_FILE is set, and ELASTICSEARCH_URL is without TLS (https://)'],
    [isSet(cassandraCa) && isSet(contactPoints) && read(tls) !== true, 'CASSANDRA_CA_FILE is set, and CASSANDRA_TLS is off'],
    [
      isSet(contactPoints) && isSet(replication) && read(consistency) === 'local_quorum' && !replicas.has(near),
      `CASSANDRA_REPLICATION gives no replica to ${near} (CASSANDRA_LOCAL_DATACENTER), of which CASSANDRA_CONSISTENCY=local_quorum waits for a quorum`,
    ],
  ]
  return [
    ...rules.flatMap(([isBroken, sentence]) => (isBroken ? [sentence] : [])),
    ...(read(settings.production) === true ? weakSecrets(read) : []),
  ]
}

/** Keys that nobody but a developer may work with. */
function weakSecrets(read: (setting: Setting<unknown>) => unknown): readonly string[] {
  const { apiKeys, callbackSecrets } = settings.verification
  // previous keys are lists and stay allowed: they open what they sealed until it is sealed again
  const purposes = settingsIn(settings).flatMap((setting) => {
    const key = read(setting)
    return key instanceof Uint8Array ? [{ variable: setting.name, keys: [key] }] : []
  })
  const secrets = callbackPurposes((read(callbackSecrets) ?? []) as readonly CallbackSecrets[])
  return [...weakKeys([...purposes, ...secrets]), ...weakApiKeys((read(apiKeys) ?? []) as readonly ApiKey[])]
}
