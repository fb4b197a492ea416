import { setting } from '../setting.ts'
import { folder, integer, oneOf, onOrOff, text } from '../setting-rules.ts'

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
      'certificate of the public listeners with its chain (PEM), which then speak HTTPS; it is read again when it changes. Without it: HTTP, for behind a balancer',
    ),
    key: setting('TLS_KEY_FILE', text, 'its private key (PEM)'),
  },
  portBase: setting(
    'PORT_BASE',
    integer(0, 65_000),
    '4000',
    'GraphQL here, the five REST components on the next five ports, subgraphs on +11 to +15; 0: any free ports',
  ),
  dataDir: setting('DATA_DIR', folder, '.data', 'folder of the embedded engines, of credentials.json and of the development secrets'),
  logLevel: setting('LOG_LEVEL', oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'), 'info', 'least level that is logged'),
  accessLog: setting(
    'ACCESS_LOG',
    onOrOff,
    'off',
    'whether each answer of a listener has a line in the log: its route, status and time, nothing of its address',
  ),
  metrics: {
    host: setting('METRICS_HOST', text, '127.0.0.1', 'address of the Prometheus listener'),
    port: setting(
      'METRICS_PORT',
      integer(0, 65_535),
      'its port (all: PORT_BASE+9; others by their first role: gateway PORT_BASE+20, subgraphs +21 to +25, workers +26 to +28, REST +29 to +33)',
    ),
  },
  traces: {
    endpoint: setting(
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      text,
      'collector that gets the traces of this process (OTLP); the other variables of OpenTelemetry count, too. Without it, the next and OTEL_TRACES_EXPORTER there are no traces',
    ),
    tracesEndpoint: setting('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', text, 'the same, as the whole address'),
    exporter: setting('OTEL_TRACES_EXPORTER', text, 'otlp, console or others of OpenTelemetry; none: no traces'),
    disabled: setting('OTEL_SDK_DISABLED', text, 'true: no traces, whatever else is set'),
  },
  demonstrationData: setting(
    'DEMO_DATA',
    onOrOff,
    'on',
    'off: no demonstration data; on: it is loaded in development, by a single process on embedded engines',
  ),
}
