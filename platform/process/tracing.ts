import { DiagLogLevel, diag } from '@opentelemetry/api'
import { withTimeout } from '../../foundation/concurrency/timeout.ts'
import type { Config } from '../../foundation/config/config.ts'
import type { Part } from '../../foundation/lifecycle.ts'
import type { Log } from '../../foundation/log.ts'

type Asked = Config['traces']

/** How long the end of the process waits for spans that are not sent yet. */
const flushMs = 2000
/** What the collector does not take is told so often, at most. */
const tellEveryMs = 60_000

/**
 * Whether the standard variables of OpenTelemetry ask for traces: an exporter or the address of a collector is named, and nothing is switched off.
 * @see https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/
 */
export function asksForTraces({ endpoint, tracesEndpoint, exporter, disabled }: Asked): boolean {
  if (disabled?.toLowerCase() === 'true' || exporter === 'none') return false
  return [exporter, endpoint, tracesEndpoint].some((value) => value !== undefined && value !== '')
}

/**
 * Sends the spans of this process where the OTEL_* variables say; nothing is loaded where they ask for none. A collector that is away or hangs
 * loses spans, and is not waited for.
 * @param roles - of the process
 */
export function tracing(asked: Asked, { version, roles, log }: { version: string; roles: string; log: Log }): Part {
  let stop = async (): Promise<void> => undefined
  return {
    name: 'tracing',
    async start() {
      if (!asksForTraces(asked)) return
      const { NodeSDK, resources } = await import('@opentelemetry/sdk-node')
      const sdk = new NodeSDK({
        resource: resources.resourceFromAttributes({ 'service.name': 'civigraph', 'service.version': version, 'civigraph.roles': roles }),
        // those that ask the network where this machine runs are left out
        resourceDetectors: [resources.envDetector],
        instrumentations: [],
        metricReaders: [],
        logRecordProcessors: [],
      })
      sdk.start()
      tellFailures(log)
      stop = async () => {
        const late = (): Error => new Error('the collector does not answer')
        await withTimeout(sdk.shutdown(), flushMs, undefined, late).catch(() => undefined)
      }
    },
    stop: () => stop(),
  }
}

/** What the SDK complains of; its sentences may hold bodies of answers, and are not repeated. */
function tellFailures(log: Log): void {
  let toldAt = Number.NEGATIVE_INFINITY
  const tell = (): void => {
    if (performance.now() - toldAt < tellEveryMs) return
    toldAt = performance.now()
    log.warn('spans could not be sent: look at the collector and at OTEL_EXPORTER_OTLP_ENDPOINT')
  }
  const nothing = (): void => undefined
  diag.setLogger({ error: tell, warn: nothing, info: nothing, debug: nothing, verbose: nothing }, DiagLogLevel.ERROR)
}
