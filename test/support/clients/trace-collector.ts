import { once } from 'node:events'
import { createServer } from 'node:http'
import { z } from 'zod'
import { listenerUrl } from '../../../foundation/http/listener-url.ts'

const Attribute = z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) })
const Span = z.object({ traceId: z.string(), spanId: z.string(), parentSpanId: z.string().optional(), name: z.string() })
const Body = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: z.array(Attribute) }),
      scopeSpans: z.array(z.object({ spans: z.array(Span) })),
    }),
  ),
})

/** A span, and the roles of its process. */
export type CollectedSpan = z.infer<typeof Span> & { readonly roles: string }

export interface TraceCollector extends AsyncDisposable {
  readonly url: string
  readonly spans: readonly CollectedSpan[]
  /** Everything that was received, unchanged. */
  readonly text: () => string
  /** Accepts connections from now on without responding. */
  hang(): void
}

/** An OpenTelemetry collector that accepts OTLP over HTTP as JSON. */
export async function openTraceCollector(): Promise<TraceCollector> {
  const spans: CollectedSpan[] = []
  const bodies: string[] = []
  let hangs = false
  const server = createServer(async (request, response) => {
    if (hangs) return
    let body = ''
    for await (const part of request.setEncoding('utf8')) body += part
    bodies.push(body)
    for (const { resource, scopeSpans } of Body.parse(JSON.parse(body)).resourceSpans) {
      const roles = String(resource.attributes.find(({ key }) => key === 'civigraph.roles')?.value.stringValue)
      spans.push(...scopeSpans.flatMap((scope) => scope.spans.map((span) => ({ ...span, roles }))))
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: listenerUrl(server, '127.0.0.1'),
    spans,
    text: () => bodies.join('\n'),
    hang() {
      hangs = true
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}
