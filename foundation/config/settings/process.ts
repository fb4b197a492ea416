import { setting } from './setting.ts'
import { folder, integer, milliseconds, oneOf, onOrOff, processCounts, text } from './setting-rules.ts'

const mode = oneOf('development', 'production', 'test')

export const processSettings = {
  production: setting(
    'NODE_ENV',
    mode.transform((chosen) => chosen === 'production').describe(mode.description ?? ''),
    'development',
    'production: no generated keys, no permissive defaults',
  ),
  bindAddress: setting('BIND_ADDRESS', text, '127.0.0.1', 'address that the public listeners bind to'),
  tls: {
    certificate: setting(
      'TLS_CERT_FILE',
      text,
      'certificate chain of the public listeners (PEM), which then use HTTPS; read again when it changes',
    ),
    key: setting('TLS_KEY_FILE', text, 'private key of TLS_CERT_FILE (PEM)'),
  },
  portBase: setting(
    'PORT_BASE',
    integer(0, 65_000),
    '4000',
    'port of GraphQL; REST uses the next five ports, subgraphs +11 to +15; 0: any free ports',
  ),
  dataDir: setting('DATA_DIR', folder, '.data', 'folder of the embedded engines, of credentials.json and of the development secrets'),
  drainDelayMs: setting(
    'DRAIN_DELAY_MS',
    milliseconds(0, 60_000),
    'time in which a process still serves after SIGTERM while `/health/ready` is 503; longer than balancers take to detect it (default: 5000 in production, else 0)',
  ),
  logLevel: setting('LOG_LEVEL', oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'), 'info', 'minimum level of log lines'),
  accessLog: setting('ACCESS_LOG', onOrOff, 'off', 'whether each response is logged with its route, status and duration'),
  metrics: {
    host: setting('METRICS_HOST', text, '127.0.0.1', 'address of the Prometheus listener'),
    port: setting(
      'METRICS_PORT',
      integer(0, 65_535),
      'port of the Prometheus listener (default: PORT_BASE+9; of a process with some roles PORT_BASE+20 to +33)',
    ),
  },
  expectedProcesses: setting(
    'EXPECTED_PROCESSES',
    processCounts,
    '',
    'processes of each role that should run; an alert fires when fewer do',
  ),
  traces: {
    endpoint: setting(
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      text,
      'base URL of the collector of traces (OTLP); the other OpenTelemetry variables are supported, too',
    ),
    tracesEndpoint: setting('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', text, 'full URL of the collector for traces'),
    exporter: setting('OTEL_TRACES_EXPORTER', text, 'otlp, console or another OpenTelemetry exporter; none: no traces'),
    disabled: setting('OTEL_SDK_DISABLED', text, 'true: no traces, whatever else is set'),
  },
  demonstrationData: setting(
    'DEMO_DATA',
    onOrOff,
    'on',
    'whether a single development process on embedded engines loads demonstration data',
  ),
}
