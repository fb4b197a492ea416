import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from 'graphql-ws'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { ContentClient, tokenOf } from '../support/clients/content-client.ts'
import { untilTaxonomyLoaded } from '../support/clients/post-expression.ts'
import { VerificationClient } from '../support/clients/verification-client.ts'
import { type Component, components, type System } from '../support/processes/platform.ts'
import { startSystem } from '../support/processes/start-system.ts'
import { documentedInterface } from '../support/rest/documented.ts'

interface Request {
  /** Defaults to the path of the operation. */
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: object
  /** Defaults to 200. */
  readonly status?: number
  /** Status while the platform does the same by itself; the request is then repeated. */
  readonly busy?: number
}

/** Not an image: the job is accepted and ends with an error, without loading the models. */
const job = {
  citizen_code: 'CIT-SMOKE',
  document_type: 'PASSPORT',
  country_code: 'SN',
  selfie_b64: '?',
  cni_recto_b64: '?',
  declared_identity: { first_name: 'Awa', last_name: 'Diop' },
}

let system: System
let accessToken: string
let jobId: string
let nodeId: string
beforeAll(async () => {
  system = await startSystem({ env: { ADMIN_AUTH: 'token-or-key' } })
  accessToken = await tokenOf(system)
  jobId = (await new VerificationClient(system).submit(job)).body.job_id
  const content = new ContentClient(system.rest.content, administrator())
  nodeId = (await content.create({ title: 'Le magazine', external_id: 'home' })).body.id
  await untilTaxonomyLoaded(system)
})
afterAll(() => system?.stop())

const administrator = () => ({ authorization: `Bearer ${accessToken}` })
const service = () => ({ 'x-service-api-key': system.apiKey })

/** A valid request for every documented operation; an operation without an entry needs no input. */
const requests: Readonly<Record<string, () => Request | Promise<Request>>> = {
  'POST /jobs/submit': () => ({ headers: service(), body: job, status: 202 }),
  'POST /jobs/submit-batch': () => ({ headers: service(), body: { jobs: [job, job] }, status: 202 }),
  'GET /jobs/results': () => ({ headers: service() }),
  'POST /jobs/ack': () => ({ headers: service(), body: { job_ids: ['unknown'] } }),
  'GET /jobs/{job_id}': () => ({ path: `/jobs/${jobId}`, headers: service() }),
  'GET /citizens/erasures/{erasure_id}/certificate': () => ({
    path: `/citizens/erasures/${randomUUID()}/certificate`,
    headers: administrator(),
    status: 404,
  }),
  'GET /review/images/{token}': () => ({ path: '/review/images/made-up', headers: administrator(), status: 403 }),
  'GET /api/v1/map': () => ({ path: '/api/v1/map?bbox=-18,12,-11,17&zoom=6' }),
  'POST /api/v1/expressions': () => ({ body: { text: 'Le bus est toujours en retard', author_ref: 'smoke' }, status: 201 }),
  'POST /api/v1/admin/sync-taxonomies': () => ({ headers: administrator(), body: {}, busy: 409 }),
  'POST /auth/login': async () => {
    const stored = await readFile(join(system.dataDir, 'credentials.json'), 'utf8')
    return { body: (JSON.parse(stored) as { super_admin: object }).super_admin }
  },
  'GET /auth/me': () => ({ headers: administrator() }),
  'GET /delegations': () => ({ headers: administrator() }),
  'GET /api/v1/nodes/{node_id}': () => ({ path: `/api/v1/nodes/${nodeId}` }),
  'POST /api/v1/admin/nodes': () => ({ headers: administrator(), body: { title: 'Numéro 1', parent_id: nodeId }, status: 201 }),
  'POST /api/v1/admin/import': () => ({
    path: '/api/v1/admin/import?dry_run=true',
    headers: { ...administrator(), 'x-tenant-id': 'another' },
    body: { nodes: [{ id: 'other', title: 'Le journal', position: 0 }] },
  }),
  'GET /api/v1/nodes/{node_id}/full': () => ({ path: `/api/v1/nodes/${nodeId}/full` }),
  'GET /nodes/{node_id}/full': () => ({ path: `/nodes/${nodeId}/full` }),
  'GET /api/v1/nodes/{node_id}/pdf': () => ({ path: `/api/v1/nodes/${nodeId}/pdf` }),
}

async function send(component: Component, operation: string): Promise<{ expected: number; response: Response }> {
  const [method = '', template = ''] = operation.split(' ')
  const { path = template, headers = {}, body, status = 200, busy } = (await requests[operation]?.()) ?? {}
  for (const until = AbortSignal.timeout(60_000); ; await sleep(200)) {
    const response = await fetch(system.rest[component] + path, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      signal: until,
    })
    if (response.status !== busy) return { expected: status, response }
  }
}

describe.each(components)('the interface of %s', (component) => {
  const documented = documentedInterface(component)

  it.for(documented.operations.filter((operation) => operation !== 'GET /ws'))('responds to %s as documented', async (operation) => {
    const { expected, response } = await send(component, operation)
    const body = await response.text()
    expect(response.status, body).toBe(expected)
    expect(documented.complaint(operation, expected, response.headers.get('content-type') ?? undefined, body)).toBeUndefined()
  })

  if (!documented.operations.includes('GET /ws')) return
  it('opens GET /ws', async () => {
    const socket = new WebSocket(`${system.rest[component].replace('http', 'ws')}/ws?token=${accessToken}`)
    try {
      const status = await new Promise((resolve, reject) => {
        socket.once('upgrade', ({ statusCode }) => resolve(statusCode)).once('error', reject)
      })
      expect(status).toBe(101)
    } finally {
      socket.close()
    }
  })
})

it('has requests for documented operations only', () => {
  const documented = new Set<string>(components.flatMap((component) => documentedInterface(component).operations))
  expect(Object.keys(requests).filter((operation) => !documented.has(operation))).toEqual([])
})

it('joins the fields of four components in one query', async () => {
  const posted = await send('classification', 'POST /api/v1/expressions')
  const { id } = (await posted.response.json()) as { id: string }
  const query = `query ($job: ID!, $expression: ID!) {
    verificationJob(id: $job) { id citizen { code delegationsGiven { totalCount } } }
    expression(id: $expression) { text votes { total } }
  }`
  const response = await fetch(system.graphqlUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...administrator() },
    body: JSON.stringify({ query, variables: { job: jobId, expression: id } }),
    signal: AbortSignal.timeout(60_000),
  })
  expect(await response.json()).toEqual({
    data: {
      verificationJob: { id: jobId, citizen: { code: 'CIT-SMOKE', delegationsGiven: { totalCount: 0 } } },
      expression: { text: 'Le bus est toujours en retard', votes: { total: 0 } },
    },
  })
})

it('notifies a subscriber over graphql-ws of a finished job', async () => {
  const client = createClient({ url: system.graphqlUrl.replace('http', 'ws'), webSocketImpl: WebSocket, connectionParams: service() })
  try {
    const query = 'subscription { verificationFinished(after: 0) { job { id status citizen { code } } } }'
    const events: unknown[] = []
    // other jobs may have ended before
    for await (const { data } of client.iterate<{ verificationFinished: { job: { id: string } } }>({ query })) {
      events.push(data)
      if (data?.verificationFinished.job.id === jobId) break
    }
    expect(events.at(-1)).toEqual({ verificationFinished: { job: { id: jobId, status: 'ERROR', citizen: { code: 'CIT-SMOKE' } } } })
  } finally {
    await client.dispose()
  }
})
