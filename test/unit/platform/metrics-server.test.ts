import { expect, it } from 'vitest'
import { silentLog } from '../../../foundation/log.ts'
import { createMetricsServer } from '../../../platform/process/metrics-server.ts'

it('reports the metrics of the process and its release', async () => {
  const server = createMetricsServer({
    host: '127.0.0.1',
    port: 0,
    log: silentLog,
    roles: 'rest:*',
    build: { version: '1.2.3', commit: 'abc', schemaLevel: 7 },
    ready: () => true,
  })
  await server.start(new AbortController().signal)
  try {
    const text = await (await fetch(`${server.url}/metrics`)).text()
    expect(text).toContain('civigraph_process_info{roles="rest:*",version="1.2.3",commit="abc",schema_level="7"} 1\n')
  } finally {
    await server.stop()
  }
})
