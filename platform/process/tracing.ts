import { DiagLogLevel, diag } from '@opentelemetry/api'
import { withTimeout } from '../../foundation/concurrency/timeout.ts'
import type { Config } from '../../foundation/config/config.ts'
import type { Part } from '../../foundation/lifecycle.ts'
import type { Log } from '../../foundation/log.ts'

type TraceSettings = Config['traces']

/** How long the exit waits for unsent spans, ms. */
const flushMs = 2000
/** Minimum interval of log lines about failed exports. */
const logEveryMs = 60_000

/**
 * Whether OpenTelemetry variables enable traces: an exporter or a collector is set, and nothing disables them. @see
 * https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/
 */
export function requestsTraces({ endpoint, tracesEndpoint, exporter, disabled }: TraceSettings): boolean {
  if (disabled?.toLowerCase() === 'true' || exporter === 'none') return false
  return [exporter, endpoint, tracesEndpoint].some((value) => value !== undefined && value !== '')
}

/**
 * Exports the spans of this process as configured by OTEL_* variables; loads nothing if they are disabled. Spans are dropped while the collector is
 * unavailable. @param roles - of the process
 */
export function tracing(settings: TraceSettings, { version, roles, log }: { version: string; roles: string; log: Log }): Part {
  let stop = async (): Promise<void> => undefined
  return {
    name: 'tracing',
    async start() {
      if (!requestsTraces(settings)) return
      const { NodeSDK, resources } = await import('@opentelemetry/sdk-node')
      const sdk = new NodeSDK({
        resource: resources.resourceFromAttributes({ 'service.name': 'civigraph', 'service.version': version, 'civigraph.roles': roles }),
        // without detectors that query the network
        resourceDetectors: [resources.envDetector],
        instrumentations: [],
        metricReaders: [],
        logRecordProcessors: [],
      })
      sdk.start()
      logExportFailures(log)
      stop = async () => {
        const timeoutError = (): Error => new Error('the collector does not respond')
        await withTimeout(sdk.shutdown(), flushMs, undefined, timeoutError).catch(() => undefined)
      }
    },
    stop: () => stop(),
  }
}

/** Logs export failures without the SDK's messages, which may contain response bodies. */
function logExportFailures(log: Log): void {
  let loggedAt = Number.NEGATIVE_INFINITY
  const logFailure = (): void => {
    if (performance.now() - loggedAt < logEveryMs) return
    loggedAt = performance.now()
    log.warn('could not export spans: check the collector and OTEL_EXPORTER_OTLP_ENDPOINT')
  }
  const ignore = (): void => undefined
  diag.setLogger({ error: logFailure, warn: ignore, info: ignore, debug: ignore, verbose: ignore }, DiagLogLevel.ERROR)
}
