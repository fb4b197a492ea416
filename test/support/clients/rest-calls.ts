import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Component, Platform } from '../processes/platform.ts'
import { jobOf } from '../samples/people.ts'
import { tokenOf } from './content-client.ts'

type Values = Readonly<Record<string, string | number | boolean>>

/** A call of a documented operation. */
export interface RestCall {
  readonly component: Component
  /** operationId */
  readonly operation: string
  readonly path?: Values
  readonly query?: Values
  readonly body?: unknown
  readonly as?: 'service' | 'administrator'
  /** Expected status (default: 200). */
  readonly status?: number
}

const Credentials = z.object({ super_admin: z.object({ email: z.string(), password: z.string() }) })

/** Credentials of the calls. */
export interface Caller {
  readonly service: string
  readonly administrator: string
}

export async function callerOf(system: Platform): Promise<Caller & { readonly account: object }> {
  const { super_admin: account } = Credentials.parse(JSON.parse(await readFile(join(system.dataDir, 'credentials.json'), 'utf8')))
  return { service: system.apiKey, administrator: await tokenOf(system), account }
}

/** Calls of every operation of every component, ordered by their dependencies. @param name - different for each client */
export async function restCalls(name: string, account: object): Promise<readonly RestCall[]> {
  const of =
    (component: Component) =>
    (operation: string, more: Omit<RestCall, 'component' | 'operation'> = {}): RestCall => ({ component, operation, ...more })
  const [a, b, c, d, e] = (['verification', 'exploration', 'classification', 'administration', 'content'] as const).map(of)
  if (!a || !b || !c || !d || !e) throw new Error('there are five components')
  const described = ['getHealth', 'getLiveness', 'getReadiness', 'getOpenApi', 'showDocumentation']
  const job = await jobOf(5, { citizen_code: `${name}-1` })
  const service = { as: 'service' } as const
  const administrator = { as: 'administrator' } as const
  const root = { path: { node_id: name } }
  return [
    ...[a, b, c, d, e].flatMap((call) => described.map((operation) => call(operation))),
    ...[a, b, d, e].map((call) => call('showPage')),
    b('getAsyncApi'),
    a('getVersion'),
    a('getQueueMetrics'),
    a('submitJob', { body: job, status: 202, ...service }),
    a('submitBatch', { body: { jobs: [{ ...job, citizen_code: `${name}-2` }] }, status: 202, ...service }),
    a('listResults', { query: { limit: 5 }, ...service }),
    a('acknowledgeResults', { body: { job_ids: ['00000000-0000-4000-8000-000000000000'] }, ...service }),
    a('getJob', { path: { job_id: '00000000-0000-4000-8000-000000000000' }, status: 404, ...service }),
    a('getErasureCertificate', { path: { erasure_id: '00000000-0000-4000-8000-000000000000' }, status: 404, ...administrator }),
    a('getReviewImage', { path: { token: 'none' }, status: 403, ...administrator }),
    b('getMap', { query: { zoom: 3, sentiment: 'positive' } }),
    b('listDomains', { query: { lang: 'fr' } }),
    b('getStatistics', { query: { domain: 'health' } }),
    c('getAsyncApi'),
    c('ingestExpression', { body: { text: `Le bus de ${name} est en retard`, external_id: name, source: 'clients' }, status: 201 }),
    c('exportExpressions', { query: { lang: 'en' } }),
    c('streamExpressions', { query: { token: 'none' }, status: 426 }),
    c('synchroniseTaxonomies', administrator),
    d('login', { body: account }),
    d('getProfile', administrator),
    d('listDelegations', { query: { size: 5, sort: 'created_at' }, ...administrator }),
    e('importNodes', { query: { mode: 'replace', dry_run: false }, body: { nodes: [{ id: name, title: 'Root' }] }, ...administrator }),
    e('createNode', {
      body: { parent_id: name, title: 'Below', media: [{ url: 'https://example.org/a.png' }] },
      status: 201,
      ...administrator,
    }),
    e('getRoot', { query: { first: 10 } }),
    e('getNode', { ...root, query: { first: 10 } }),
    e('getSubtree', root),
    e('getSubtreeByShortPath', root),
    e('exportNodes'),
    e('getPdf'),
    e('getSubtreePdf', root),
  ]
}
