import { key32 } from '../key-rules.ts'
import { secret, setting } from '../setting.ts'
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
} from '../setting-rules.ts'

export const gatewaySettings = {
  publicUrl: setting('PUBLIC_URL', webUrl, 'address of the gateway as clients see it'),
  corsOrigins: setting('CORS_ORIGINS', list, 'origins that browsers may call from, comma separated (development: any; production: none)'),
  introspection: setting('GRAPHQL_INTROSPECTION', onOrOff, 'whether clients may read the schema (default: on, in production off)'),
  trustedProxies: setting(
    'TRUST_PROXY',
    integer(0, 10),
    '0',
    'trusted proxies before the listeners: the client is the entry of X-Forwarded-For that the outermost one wrote, counted from the right. With too high a number, clients choose their address themselves, and no limit by address holds; with too low a number, all clients have the address of a proxy, and share its limits',
  ),
  clientsPerAddress: setting(
    'CLIENTS_PER_ADDRESS',
    integer(0, 1_000_000)
      .transform((count) => count || Number.POSITIVE_INFINITY)
      .describe('whole number, 0 to 1000000'),
    '500',
    'sockets or streams that one address (of IPv6: a /64), one person or one service may hold at once: so many of graphql-ws, of HTTP streams, of Socket.IO and of /ws; a load test from one machine needs more; 0: any number',
  ),
  subscriptionClients: setting(
    'SUBSCRIPTION_CLIENTS',
    integer(1, 1_000_000),
    '20000',
    'connections of graphql-ws that the gateway takes at once, and as many streams in HTTP responses',
  ),
  subgraphUrls: setting(
    'SUBGRAPH_URLS',
    subgraphUrls,
    '',
    'name=http://…,…: where subgraphs of other processes answer, path included; ours at /graphql (default: PORT_BASE+11 to +15 on this machine)',
  ),
  supergraphFile: setting(
    'SUPERGRAPH_FILE',
    text.describe('file'),
    'a federation v2 supergraph that the gateway role serves instead of ours, over remote subgraphs (their addresses: in it or in SUBGRAPH_URLS)',
  ),
  supergraphUrl: secret(
    'SUPERGRAPH_URL',
    webUrl,
    'in place of SUPERGRAPH_FILE: an address that answers GET with the supergraph; it may hold a name and a password, and is asked by ETag',
  ),
  supergraphPollMs: setting(
    'SUPERGRAPH_POLL_MS',
    milliseconds(100, 3_600_000),
    '2000',
    'how often the gateway looks whether SUPERGRAPH_FILE or SUPERGRAPH_URL offers another supergraph; SIGHUP makes it look at once',
  ),
  overrideLabels: setting(
    'OVERRIDE_LABELS',
    list,
    '',
    'with SUPERGRAPH_FILE or SUPERGRAPH_URL: labels of progressive overrides, @override(label:), that are on for all requests; percent(n) is on for n of 100 without being listed',
  ),
  overrideModule: setting(
    'OVERRIDE_MODULE',
    text.describe('file'),
    'in place of OVERRIDE_LABELS: a JavaScript module whose default export decides on labels: (labels, {principal, requestId, address, signal}) => those that are on',
  ),
  propagateHeaders: setting(
    'PROPAGATE_HEADERS',
    headerNames,
    '',
    'with SUPERGRAPH_FILE or SUPERGRAPH_URL: names of request headers that reach its subgraphs as they came, such as authorization, comma separated',
  ),
  authorization: {
    reject: setting(
      'AUTHORIZATION_REJECT',
      onOrOff,
      'off',
      'with SUPERGRAPH_FILE: whether an operation is refused as a whole when its caller may not see all of it',
    ),
    refusalsIn: setting(
      'AUTHORIZATION_ERRORS',
      oneOf('errors', 'extensions', 'none'),
      'errors',
      'with SUPERGRAPH_FILE: where answers say what their caller may not see: among the errors, in extensions.authorizationErrors, or nowhere',
    ),
    policyModule: setting(
      'POLICY_MODULE',
      text.describe('file'),
      'with SUPERGRAPH_FILE: a JavaScript module whose default export decides on @policy: (policies, {principal, signal}) => those that are fulfilled',
    ),
    policyField: setting(
      'POLICY_FIELD',
      text.describe('name of a field of Query'),
      'with SUPERGRAPH_FILE: a field that decides on @policy instead: name(policies: [String!]!): [String!]!',
    ),
  },
  rate: {
    requests: setting(
      'GRAPHQL_RATE_LIMIT',
      integer(0, 1_000_000_000),
      '0',
      'GraphQL requests of one caller (a person, a service, else an address) in GRAPHQL_RATE_WINDOW_MS; 0: any number',
    ),
    windowMs: setting('GRAPHQL_RATE_WINDOW_MS', milliseconds(1000, 86_400_000), '60000', 'how long they are counted before it begins anew'),
  },
  slowOperationMs: setting(
    'SLOW_OPERATION_MS',
    milliseconds(0, 600_000),
    '0',
    'GraphQL operations that take at least so long are told in the log, with their cost and the time of each subgraph; 0: none',
  ),
  tellsPlans: setting(
    'GRAPHQL_PLAN_IN_EXTENSIONS',
    onOrOff,
    'off',
    'whether every caller gets the query plan who asks for it by "extensions": {"queryPlan": true}; a super_admin does anyhow',
  ),
  entityCache: setting(
    'ENTITY_CACHE',
    onOrOff,
    'off',
    'whether what queries fetch of entities is kept for as long as @cacheControl says, for all replicas in Redis where REDIS_URL names one; with SUPERGRAPH_FILE or SUPERGRAPH_URL in the memory of each process',
  ),
  persistedOperations: {
    manifest: setting(
      'PERSISTED_OPERATIONS',
      text.describe('file'),
      'a manifest of operations, as Apollo’s or Relay’s compiler writes it, which clients may name by their ids',
    ),
    only: setting('PERSISTED_OPERATIONS_ONLY', onOrOff, 'off', 'whether GraphQL clients may send the operations of the manifest alone'),
  },
  principalSigningKey: secret('PRINCIPAL_SIGNING_KEY', key32, 'signs who asks between the gateway and the subgraphs; 32 bytes in base64'),
  limits: {
    bodyBytes: setting('MAX_BODY_MB', mebibytes(1, 1024), '24', 'largest request body'),
    anonymousBodyBytes: setting(
      'ANONYMOUS_BODY_KB',
      kibibytes(16, 65_536),
      '256',
      'largest GraphQL body of a caller without a verified key or token, after decompression; forwarded headers are not verified',
    ),
    batchBodyBytes: setting('MAX_BATCH_BODY_MB', mebibytes(1, 4096), '64', 'largest body of a batch'),
    importBytes: setting(
      'MAX_IMPORT_MB',
      mebibytes(1, 65_536),
      '2048',
      'largest body of a content import, which is never in memory as a whole',
    ),
    intakeInflightBytes: setting(
      'INTAKE_INFLIGHT_MB',
      mebibytes(1, 65_536),
      '256',
      'most bytes of request bodies held in memory at once; beyond it callers get 503',
    ),
    overloadWaitMs: setting(
      'OVERLOAD_WAIT_MS',
      milliseconds(0, 600_000),
      '1000',
      'how long work may wait for its turn, half a second on end, before new work is refused with 503; 0: nothing is refused',
    ),
    requestTimeoutMs: setting('REQUEST_TIMEOUT_MS', milliseconds(100, 600_000), '10000', 'longest time that one request may take'),
  },
}
