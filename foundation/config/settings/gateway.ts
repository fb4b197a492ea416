import { key32, keyList } from './key-rules.ts'
import { secret, setting } from './setting.ts'
import {
  headerNames,
  integer,
  kibibytes,
  list,
  mebibytes,
  milliseconds,
  oneOf,
  onOrOff,
  subgraphUrls,
  text,
  webUrl,
} from './setting-rules.ts'

export const gatewaySettings = {
  publicUrl: setting('PUBLIC_URL', webUrl, 'public URL of the gateway, as clients see it'),
  restPublicUrls: setting(
    'REST_PUBLIC_URLS',
    subgraphUrls,
    '',
    'public URLs of verification, classification and content, for addresses of files and exports (default: PORT_BASE+1, +3 and +5 on this machine)',
  ),
  corsOrigins: setting('CORS_ORIGINS', list, 'origins that browsers may call from (development: any; production: none)'),
  introspection: setting('GRAPHQL_INTROSPECTION', onOrOff, 'whether clients may introspect the schema (default: on, in production off)'),
  trustedProxies: setting(
    'TRUST_PROXY',
    integer(0, 10),
    '0',
    'number of trusted proxies in front of the listeners (X-Forwarded-For). Too high: clients can forge their address; too low: all clients share the limits of a proxy',
  ),
  clientsPerAddress: setting(
    'CLIENTS_PER_ADDRESS',
    integer(0, 1_000_000)
      .transform((count) => count || Number.POSITIVE_INFINITY)
      .describe('0 to 1000000'),
    '500',
    'maximum number of concurrent connections per client address (IPv6: /64), user and service, each for graphql-ws, HTTP streams, Socket.IO and /ws; 0: no limit',
  ),
  subscriptionClients: setting(
    'SUBSCRIPTION_CLIENTS',
    integer(1, 1_000_000),
    '20000',
    'maximum number of concurrent graphql-ws connections, and of streamed HTTP responses',
  ),
  subgraphUrls: setting(
    'SUBGRAPH_URLS',
    subgraphUrls,
    '',
    'URLs of subgraphs in other processes, with the path /graphql (default: PORT_BASE+11 to +15 on this machine)',
  ),
  supergraphFile: setting(
    'SUPERGRAPH_FILE',
    text.describe('file'),
    'Federation 2 supergraph that the gateway role serves instead of the one of Civigraph',
  ),
  supergraphUrl: secret(
    'SUPERGRAPH_URL',
    webUrl,
    'alternative to SUPERGRAPH_FILE: URL of the supergraph, which may contain user and password',
  ),
  supergraphPollMs: setting(
    'SUPERGRAPH_POLL_MS',
    milliseconds(100, 3_600_000),
    '2000',
    'interval at which the gateway checks for a new supergraph, as it does at SIGHUP',
  ),
  overrideLabels: setting(
    'OVERRIDE_LABELS',
    list,
    '',
    'labels of @override(label:) that are on for all requests; percent(n) needs no entry',
  ),
  overrideModule: setting(
    'OVERRIDE_MODULE',
    text.describe('file'),
    'alternative: JavaScript module, (labels, {principal, requestId, address, signal}) => labels',
  ),
  propagateHeaders: setting(
    'PROPAGATE_HEADERS',
    headerNames,
    '',
    'request headers that are forwarded to the subgraphs of another supergraph, such as authorization',
  ),
  authorization: {
    reject: setting(
      'AUTHORIZATION_REJECT',
      onOrOff,
      'off',
      'whether an operation that contains an unauthorized field is rejected as a whole',
    ),
    refusalsIn: setting(
      'AUTHORIZATION_ERRORS',
      oneOf('errors', 'extensions', 'none'),
      'errors',
      'where a response lists unauthorized fields: errors, extensions.authorizationErrors, or nowhere',
    ),
    policyModule: setting(
      'POLICY_MODULE',
      text.describe('file'),
      'JavaScript module that evaluates @policy: (policies, {principal, signal}) => fulfilled policies',
    ),
    policyField: setting(
      'POLICY_FIELD',
      text.describe('name of a field of Query'),
      'alternative: field that evaluates @policy: name(policies: [String!]!): [String!]!',
    ),
  },
  rate: {
    requests: setting(
      'GRAPHQL_RATE_LIMIT',
      integer(0, 1_000_000_000),
      '0',
      'GraphQL requests of one caller within GRAPHQL_RATE_WINDOW_MS; 0: no limit',
    ),
    windowMs: setting('GRAPHQL_RATE_WINDOW_MS', milliseconds(1000, 86_400_000), '60000', 'length of the window of GRAPHQL_RATE_LIMIT'),
  },
  slowOperationMs: setting(
    'SLOW_OPERATION_MS',
    milliseconds(0, 600_000),
    '0',
    'GraphQL operations that take at least this long are logged; 0: none',
  ),
  exposesPlans: setting(
    'GRAPHQL_PLAN_IN_EXTENSIONS',
    onOrOff,
    'off',
    'whether every caller may request the query plan; a super_admin always may',
  ),
  entityCache: setting(
    'ENTITY_CACHE',
    onOrOff,
    'off',
    'whether entities are cached for the time that @cacheControl states, in the key-value store, or in memory for another supergraph',
  ),
  persistedOperations: {
    manifest: setting('PERSISTED_OPERATIONS', text.describe('file'), 'manifest of operations, as Apollo’s or Relay’s compiler writes it'),
    only: setting('PERSISTED_OPERATIONS_ONLY', onOrOff, 'off', 'whether GraphQL clients may send only operations of the manifest'),
  },
  principalSigningKey: secret('PRINCIPAL_SIGNING_KEY', key32, 'signs the principal that the gateway sends to the subgraphs'),
  previousPrincipalSigningKeys: secret('PRINCIPAL_SIGNING_KEY_PREVIOUS', keyList, 'further values that subgraphs accept during a rotation'),
  limits: {
    bodyBytes: setting('MAX_BODY_MB', mebibytes(1, 1024), '24', 'maximum size of a request body'),
    anonymousBodyBytes: setting(
      'ANONYMOUS_BODY_KB',
      kibibytes(16, 65_536),
      '256',
      'maximum size of a GraphQL request body without a verified key or token, after decompression',
    ),
    batchBodyBytes: setting('MAX_BATCH_BODY_MB', mebibytes(1, 4096), '64', 'maximum size of the request body of a batch'),
    importBytes: setting('MAX_IMPORT_MB', mebibytes(1, 65_536), '2048', 'maximum size of a content import'),
    intakeInflightBytes: setting(
      'INTAKE_INFLIGHT_MB',
      mebibytes(1, 65_536),
      '256',
      'maximum total size of request bodies in memory, else 503',
    ),
    overloadWaitMs: setting(
      'OVERLOAD_WAIT_MS',
      milliseconds(0, 600_000),
      '1000',
      'when work has waited at least this long for half a second, new work is refused with 503; 0: never',
    ),
    requestTimeoutMs: setting('REQUEST_TIMEOUT_MS', milliseconds(100, 600_000), '10000', 'time limit of one request'),
  },
}
