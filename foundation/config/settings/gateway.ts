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
    'verification=https://…,classification=https://…,content=https://…: public URLs of REST components, as clients see them, for the addresses of files in the graph and of the export in the explorer (default: PORT_BASE+1, +3 and +5 on this machine)',
  ),
  corsOrigins: setting('CORS_ORIGINS', list, 'origins that browsers may call from, comma separated (development: any; production: none)'),
  introspection: setting('GRAPHQL_INTROSPECTION', onOrOff, 'whether clients may introspect the schema (default: on, in production off)'),
  trustedProxies: setting(
    'TRUST_PROXY',
    integer(0, 10),
    '0',
    'number of trusted proxies in front of the listeners: the client address is the entry of X-Forwarded-For that the outermost trusted proxy added, counted from the right. If the number is too high, clients can forge their address and no limit per address holds; if it is too low, all clients share the address of a proxy and its limits',
  ),
  clientsPerAddress: setting(
    'CLIENTS_PER_ADDRESS',
    integer(0, 1_000_000)
      .transform((count) => count || Number.POSITIVE_INFINITY)
      .describe('whole number, 0 to 1000000'),
    '500',
    'maximum number of concurrent connections per client address (IPv6: /64), per user and per service, counted separately for graphql-ws, HTTP streams, Socket.IO and /ws; a load test from one machine needs more; 0: no limit',
  ),
  subscriptionClients: setting(
    'SUBSCRIPTION_CLIENTS',
    integer(1, 1_000_000),
    '20000',
    'maximum number of concurrent graphql-ws connections to the gateway, and separately of streamed HTTP responses',
  ),
  subgraphUrls: setting(
    'SUBGRAPH_URLS',
    subgraphUrls,
    '',
    'name=http://…,…: URLs of subgraphs in other processes, path included; those of Civigraph answer at /graphql (default: PORT_BASE+11 to +15 on this machine)',
  ),
  supergraphFile: setting(
    'SUPERGRAPH_FILE',
    text.describe('file'),
    'Federation 2 supergraph that the gateway role serves instead of the one of Civigraph; its subgraphs are remote (URLs: in the file or in SUBGRAPH_URLS)',
  ),
  supergraphUrl: secret(
    'SUPERGRAPH_URL',
    webUrl,
    'alternative to SUPERGRAPH_FILE: URL that returns the supergraph to a GET; it may contain a user name and a password, and is polled with If-None-Match',
  ),
  supergraphPollMs: setting(
    'SUPERGRAPH_POLL_MS',
    milliseconds(100, 3_600_000),
    '2000',
    'interval at which the gateway checks SUPERGRAPH_FILE or SUPERGRAPH_URL for a new supergraph; SIGHUP makes it check immediately',
  ),
  overrideLabels: setting(
    'OVERRIDE_LABELS',
    list,
    '',
    'with SUPERGRAPH_FILE or SUPERGRAPH_URL: labels of progressive overrides, @override(label:), that are on for all requests; percent(n) is on for n % of requests without being listed',
  ),
  overrideModule: setting(
    'OVERRIDE_MODULE',
    text.describe('file'),
    'alternative to OVERRIDE_LABELS: JavaScript module whose default export returns the labels that are on: (labels, {principal, requestId, address, signal}) => labels',
  ),
  propagateHeaders: setting(
    'PROPAGATE_HEADERS',
    headerNames,
    '',
    'with SUPERGRAPH_FILE or SUPERGRAPH_URL: request headers that are forwarded unchanged to the subgraphs, such as authorization, comma separated',
  ),
  authorization: {
    reject: setting(
      'AUTHORIZATION_REJECT',
      onOrOff,
      'off',
      'with SUPERGRAPH_FILE: whether an operation that contains an unauthorized field is rejected as a whole',
    ),
    refusalsIn: setting(
      'AUTHORIZATION_ERRORS',
      oneOf('errors', 'extensions', 'none'),
      'errors',
      'with SUPERGRAPH_FILE: where a response lists the fields that its caller may not see: in errors, in extensions.authorizationErrors, or nowhere',
    ),
    policyModule: setting(
      'POLICY_MODULE',
      text.describe('file'),
      'with SUPERGRAPH_FILE: JavaScript module whose default export evaluates @policy: (policies, {principal, signal}) => fulfilled policies',
    ),
    policyField: setting(
      'POLICY_FIELD',
      text.describe('name of a field of Query'),
      'with SUPERGRAPH_FILE: alternative to POLICY_MODULE: field that evaluates @policy: name(policies: [String!]!): [String!]!',
    ),
  },
  rate: {
    requests: setting(
      'GRAPHQL_RATE_LIMIT',
      integer(0, 1_000_000_000),
      '0',
      'GraphQL requests per caller (user, service, else client address) and GRAPHQL_RATE_WINDOW_MS; 0: no limit',
    ),
    windowMs: setting('GRAPHQL_RATE_WINDOW_MS', milliseconds(1000, 86_400_000), '60000', 'length of the window of GRAPHQL_RATE_LIMIT'),
  },
  slowOperationMs: setting(
    'SLOW_OPERATION_MS',
    milliseconds(0, 600_000),
    '0',
    'GraphQL operations that take at least this long are logged with their cost and the time of each subgraph; 0: none',
  ),
  exposesPlans: setting(
    'GRAPHQL_PLAN_IN_EXTENSIONS',
    onOrOff,
    'off',
    'whether every caller may request the query plan with "extensions": {"queryPlan": true}; a super_admin always may',
  ),
  entityCache: setting(
    'ENTITY_CACHE',
    onOrOff,
    'off',
    'whether entities that queries fetch are cached for the time that @cacheControl states: in Redis for all replicas if REDIS_URL is set, else in the memory of each process; with SUPERGRAPH_FILE or SUPERGRAPH_URL always in the memory of each process',
  ),
  persistedOperations: {
    manifest: setting(
      'PERSISTED_OPERATIONS',
      text.describe('file'),
      'manifest of operations, as Apollo’s or Relay’s compiler writes it; clients may send the id of an operation instead of its text',
    ),
    only: setting('PERSISTED_OPERATIONS_ONLY', onOrOff, 'off', 'whether GraphQL clients may send only operations of the manifest'),
  },
  principalSigningKey: secret(
    'PRINCIPAL_SIGNING_KEY',
    key32,
    'signs the principal that the gateway sends to the subgraphs; 32 bytes in base64',
  ),
  previousPrincipalSigningKeys: secret(
    'PRINCIPAL_SIGNING_KEY_PREVIOUS',
    keyList,
    'further values of PRINCIPAL_SIGNING_KEY that subgraphs accept during a rotation, comma separated',
  ),
  limits: {
    bodyBytes: setting('MAX_BODY_MB', mebibytes(1, 1024), '24', 'maximum size of a request body'),
    anonymousBodyBytes: setting(
      'ANONYMOUS_BODY_KB',
      kibibytes(16, 65_536),
      '256',
      'maximum size of a GraphQL request body without a verified key or token, after decompression; forwarded headers are not verified',
    ),
    batchBodyBytes: setting('MAX_BATCH_BODY_MB', mebibytes(1, 4096), '64', 'maximum size of the request body of a batch'),
    importBytes: setting(
      'MAX_IMPORT_MB',
      mebibytes(1, 65_536),
      '2048',
      'maximum size of a content import; it is streamed and never held in memory as a whole',
    ),
    intakeInflightBytes: setting(
      'INTAKE_INFLIGHT_MB',
      mebibytes(1, 65_536),
      '256',
      'maximum total size of request bodies in memory; above it callers get 503',
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
