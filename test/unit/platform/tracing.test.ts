import { describe, expect, it } from 'vitest'
import { parseConfig } from '../../../foundation/config/config.ts'
import { requestsTraces } from '../../../platform/process/tracing.ts'

describe('traces', () => {
  it.each<[boolean, Record<string, string>]>([
    [false, {}],
    [false, { OTEL_SERVICE_NAME: 'ours' }],
    [false, { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318', OTEL_SDK_DISABLED: 'TRUE' }],
    [false, { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318', OTEL_TRACES_EXPORTER: 'none' }],
    [true, { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318' }],
    [true, { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://c:4318/v1/traces' }],
    [true, { OTEL_TRACES_EXPORTER: 'console' }],
  ])('are %s with %o', (isExported, environment) => {
    expect(requestsTraces(parseConfig(environment, '/').traces)).toBe(isExported)
  })
})
