import { z } from 'zod'
import { parseConfig } from '../../../foundation/config/config.ts'
import { createAuthentication } from '../../../foundation/http/authentication.ts'
import { silentLog } from '../../../foundation/log.ts'
import { restServer } from '../../../rest-adapters/rest-server.ts'
import { operationRoute } from '../../../rest-adapters/route/operation-route.ts'
import type { Benchmark } from '../support/harness.ts'
import { servedVariant } from '../support/served-variant.ts'
import { serve } from '../support/server-process.ts'
import { body, documentExecutor, query, startGateway } from '../verification/documents.ts'

const servers: Readonly<Record<string, () => Promise<string>>> = {
  'POST /graphql': () => startGateway(documentExecutor()),
  'GET /documents': rest,
}

export const restOperation: Benchmark = {
  name: 'rest-operation',
  about: `the operation ${query}, as GraphQL and as REST, 32 connections, 3 s a run`,
  target: 'requests/s x 0.85 or more',
  rounds: 5,
  async start() {
    const load = { connections: 32, seconds: 3 }
    const module = new URL(import.meta.url)
    return Promise.all([servedVariant('POST /graphql', module, { ...load, body }), servedVariant('GET /documents', module, load)])
  },
}

async function rest(): Promise<string> {
  const Documents = z.object({
    documents: z.array(z.object({ id: z.string(), title: z.string(), pages: z.int(), label: z.string(), score: z.number() })),
  })
  const server = restServer({
    component: 'content',
    routes: [
      operationRoute({ method: 'GET', path: '/documents', summary: 'Documents', operation: query, answer: Documents, from: Documents }),
    ],
    executor: documentExecutor(),
    authentication: createAuthentication({ apiKeys: [] }),
    config: parseConfig({}, '/'),
    log: silentLog,
    port: 0,
  })
  await server.start(new AbortController().signal)
  return `${server.address}/documents`
}

const [, module = '', command, name = ''] = process.argv
const start = servers[name]
if (command === 'serve' && module === new URL(import.meta.url).pathname && start !== undefined) serve(await start())
