import type { ApiKey, CallbackSecrets } from './settings/key-rules.ts'
import { type Setting, settingsIn } from './settings/setting.ts'
import { settings } from './settings.ts'
import { callbackPurposes, weakApiKeys, weakKeys } from './weak-keys.ts'

const languageModelShare = 0.6

/**
 * Returns problems between settings that are valid by themselves: a missing companion or a contradiction.
 * @param read - returns the value of a setting, undefined if it is unset
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
  const usesScheme = (setting: Setting<unknown>, scheme: string): boolean => String(read(setting) ?? scheme).startsWith(scheme)
  const sentinels = sentinel.members.nodes
  const near = String(read(localDataCenter))
  const replicas = new Map((read(replication) ?? []) as readonly (readonly [dataCenter: string, replicas: number])[])
  const rules: readonly (readonly [isBroken: boolean, sentence: string])[] = [
    [isSet(llmUrl) && !isSet(model), 'LLM_MODEL is missing: LLM_URL needs it'],
    [
      // the expression is stored by then, or its client gets an error and retries
      isSet(llmUrl) && Number(read(limitMs)) > languageModelShare * Number(read(settings.limits.requestTimeoutMs)),
      `LLM_TIMEOUT_MS must be at most ${languageModelShare * 100} % of REQUEST_TIMEOUT_MS (it is ${read(limitMs)})`,
    ],
    [isSet(policyModule) && isSet(policyField), 'both POLICY_MODULE and POLICY_FIELD are set: unset one of them'],
    [
      isSet(settings.overrideModule) && read(settings.overrideLabels)?.toString() !== '',
      'both OVERRIDE_MODULE and OVERRIDE_LABELS are set: unset one of them',
    ],
    [
      isSet(certificate) !== isSet(key),
      `${isSet(key) ? 'TLS_CERT_FILE' : 'TLS_KEY_FILE'} is missing: a certificate needs its key and a key its certificate`,
    ],
    [read(only) === true && !isSet(manifest), 'PERSISTED_OPERATIONS is missing: PERSISTED_OPERATIONS_ONLY needs it'],
    ...[sentinels, clusterNodes].map(
      (nodes) => [isSet(nodes) && !isSet(redisUrl), `REDIS_URL is missing: ${nodes.name} needs it`] as const,
    ),
    [isSet(sentinels) && isSet(clusterNodes), 'both REDIS_SENTINELS and REDIS_CLUSTER_NODES are set: unset one of them'],
    [
      isSet(clusterNodes) && /[1-9]/.test(new URL(String(read(redisUrl) ?? 'redis:')).pathname),
      'REDIS_URL names a database, but a Redis Cluster has only database 0',
    ],
    ...[directUrls, replicaUrls].map(
      (urls) => [isSet(urls) && !isSet(databaseUrls), `DATABASE_URL is missing: ${urls.name} needs it`] as const,
    ),
    [isSet(redisCa) && !usesScheme(redisUrl, 'rediss://'), 'REDIS_CA_FILE is set, but REDIS_URL does not use TLS (rediss://)'],
    [
      isSet(searchCa) && !usesScheme(searchUrl, 'https://'),
      'ELASTICSEARCH_CA_FILE is set, but ELASTICSEARCH_URL does not use TLS (https://)',
    ],
    [isSet(cassandraCa) && isSet(contactPoints) && read(tls) !== true, 'CASSANDRA_CA_FILE is set, but CASSANDRA_TLS is off'],
    [
      isSet(contactPoints) && isSet(replication) && read(consistency) === 'local_quorum' && !replicas.has(near),
      `CASSANDRA_REPLICATION places no replica in ${near} (CASSANDRA_LOCAL_DATACENTER), but CASSANDRA_CONSISTENCY=local_quorum needs a quorum there`,
    ],
  ]
  return [
    ...rules.flatMap(([isBroken, sentence]) => (isBroken ? [sentence] : [])),
    ...(read(settings.production) === true ? weakSecrets(read) : []),
  ]
}

/** Returns problems of weak secrets, which are allowed in development only. */
function weakSecrets(read: (setting: Setting<unknown>) => unknown): readonly string[] {
  const { apiKeys, callbackSecrets } = settings.verification
  // previous keys are lists and stay allowed: they decrypt records until these are encrypted again
  const purposes = settingsIn(settings).flatMap((setting) => {
    const key = read(setting)
    return key instanceof Uint8Array ? [{ variable: setting.name, keys: [key] }] : []
  })
  const secrets = callbackPurposes((read(callbackSecrets) ?? []) as readonly CallbackSecrets[])
  return [...weakKeys([...purposes, ...secrets]), ...weakApiKeys((read(apiKeys) ?? []) as readonly ApiKey[])]
}
