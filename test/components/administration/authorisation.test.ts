import { readFileSync } from 'node:fs'
import { type GraphQLField, GraphQLObjectType, type GraphQLResolveInfo, type GraphQLSchema, isNonNullType } from 'graphql'
import { beforeAll, describe, expect, it } from 'vitest'
import { parseConfig } from '../../../foundation/config/config.ts'
import { Fault } from '../../../foundation/fault.ts'
import { requestContext } from '../../../foundation/http/request-context.ts'
import { silentLog } from '../../../foundation/log.ts'
import type { Principal } from '../../../foundation/principal.ts'
import { componentNames } from '../../../foundation/process/build-info.ts'
import { principalTokens } from '../../../gateway/sources/principal-token.ts'
import { createSubgraph } from '../../../platform/components/components.ts'
import { openSharedEngines } from '../../../platform/engines/shared-engines.ts'
import { createNodes } from '../../../subgraphs/nodes/index.ts'

const person = (roles: readonly string[], groups: readonly string[]): Principal => ({
  user: { issuer: 'https://issuer.test', subject: 'person', roles, groups, expiresAt: 4e9 },
})
const key = (...scopes: readonly string[]): Principal => ({ service: { name: scopes.join(), scopes } })

/** Every kind of caller, with its terms in the table. */
const callers: Readonly<Record<string, { readonly principal: Principal; readonly words: readonly string[] }>> = {
  'an anonymous caller': { principal: {}, words: [] },
  'a service that submits and polls': { principal: key('submit', 'results'), words: ['submit', 'results'] },
  'a service that polls for all services': { principal: key('results:all'), words: ['results:all'] },
  'a foreign service': { principal: key('votes:write'), words: ['votes:write'] },
  'a service without any scope': { principal: key(), words: [] },
  'an importing service': { principal: key('admin'), words: ['admin'] },
  'a user without a role': { principal: person([], []), words: ['user'] },
  'a user with a role of another application': {
    principal: person(['offline_access', 'admin', 'SUPER_ADMIN'], ['default']),
    words: ['user'],
  },
  'a group_admin': { principal: person(['group_admin'], ['default']), words: ['user', 'group_admin', 'group_admin of the tenant'] },
  'a group_admin of another group': { principal: person(['group_admin'], ['elsewhere']), words: ['user', 'group_admin'] },
  'a group_admin of no group': { principal: person(['group_admin'], []), words: ['user', 'group_admin'] },
  'a reviewer': { principal: person(['reviewer'], []), words: ['user', 'reviewer'] },
  'a super_admin': { principal: person(['super_admin'], []), words: ['user', 'super_admin'] },
  'a super_admin with a service key': {
    principal: { ...person(['super_admin'], []), ...key('submit', 'results') },
    words: ['user', 'super_admin', 'submit', 'results'],
  },
}
const everyWord = new Set(['everyone', ...Object.values(callers).flatMap(({ words }) => words)])

/** The rows of docs/security/authorisation.md: permitted callers by field. */
const table = new Map<string, readonly string[]>()
for (const line of readFileSync(new URL('../../../docs/security/authorisation.md', import.meta.url), 'utf8').split('\n')) {
  const [, fields, principals] = /^\|\s*(`.*`)\s*\|([^|]*)\|/.exec(line) ?? []
  for (const [, field = ''] of fields?.matchAll(/`([^`]+)`/g) ?? []) {
    if (table.has(field)) throw new Error(`${field} is twice in the table`)
    table.set(
      field,
      (principals ?? '').split(',').map((word) => word.trim().replaceAll('`', '')),
    )
  }
}
const rowOf = (type: string, field: string): readonly string[] | undefined => table.get(`${type}.${field}`) ?? table.get(`${type}.*`)

interface FieldOfComponent {
  readonly component: string
  readonly type: string
  readonly field: GraphQLField<unknown, unknown>
  readonly schema: GraphQLSchema
}
const walk: FieldOfComponent[] = []
beforeAll(async () => {
  const config = parseConfig({ NODE_ENV: 'test' }, '/')
  // the engines are never started: a field is refused before it calls one
  const engines = await openSharedEngines(config, new Uint8Array(32), true, silentLog)
  for (const component of componentNames) {
    const { schema } = await createSubgraph(component, {
      engines,
      config,
      build: { version: '1.0.0', commit: 'test', schemaLevel: 1 },
      log: silentLog,
    } as Parameters<typeof createSubgraph>[1])
    for (const type of Object.values(schema.getTypeMap()))
      if (type instanceof GraphQLObjectType && !type.name.startsWith('_'))
        for (const field of Object.values(type.getFields()))
          if (!field.name.startsWith('_')) walk.push({ component, type: type.name, field, schema })
  }
  const { name: component, schema } = createNodes(() => ({ data: { _entities: [] } }))
  for (const type of Object.values(schema.getTypeMap()))
    if (type instanceof GraphQLObjectType)
      // the other arguments are keys: the entity of this id
      for (const field of Object.values(type.getFields()))
        if (['node', 'nodes', 'nodeId'].includes(field.name)) walk.push({ component, type: type.name, field, schema })
})

/** Refused or not: an error of a missing engine counts as permitted. */
async function isRefused({ type, field, schema }: FieldOfComponent, principal: Principal): Promise<boolean> {
  const disconnected = new AbortController()
  using context = requestContext({ principal, requestId: 'walk', log: silentLog, timeoutMs: 5000, disconnected: disconnected.signal })
  const args = Object.fromEntries(
    field.args.map(({ name, type, defaultValue }) => [name, defaultValue ?? (isNonNullType(type) ? {} : null)]),
  )
  const info = {
    fieldName: field.name,
    parentType: schema.getType(type),
    schema,
    path: { key: field.name },
    variableValues: {},
  } as unknown as GraphQLResolveInfo
  const source = { id: 'x', code: 'x', filter: { groups: [] } }
  const attempt = async (): Promise<unknown> => {
    if (type !== 'Subscription') return field.resolve?.(source, args, context, info)
    const events = (await field.subscribe?.(source, args, context, info)) as AsyncIterator<unknown>
    return events.next()
  }
  const outcome = attempt().then(
    () => undefined,
    (error: unknown) => error,
  )
  const error = await Promise.race([outcome, new Promise((resolve) => setTimeout(resolve, 20))])
  disconnected.abort()
  if (!(error instanceof Fault) || !['UNAUTHENTICATED', 'FORBIDDEN'].includes(error.code)) return false
  expect(error.code).toBe(principal.service === undefined && principal.user === undefined ? 'UNAUTHENTICATED' : 'FORBIDDEN')
  return true
}

describe('the table of permissions', () => {
  it('has a row for every field of every component, and no row without a field', () => {
    expect(walk.length).toBeGreaterThan(100)
    const without = walk
      .filter(({ type, field }) => rowOf(type, field.name) === undefined)
      .map(({ type, field }) => `${type}.${field.name}`)
    expect(without).toEqual([])
    const unknown = [...table.keys()].filter(
      (row) => !walk.some(({ type, field }) => row === `${type}.${field.name}` || row === `${type}.*`),
    )
    expect(unknown).toEqual([])
  })

  it('names callers by defined terms only', () => {
    expect([...table].filter(([, words]) => words.some((word) => !everyWord.has(word)))).toEqual([])
  })

  it.each(Object.entries(callers))('permits %s exactly the fields of the table', async (_, { principal, words }) => {
    const wrong = await Promise.all(
      walk.map(async (walked) => {
        const row = rowOf(walked.type, walked.field.name) ?? []
        const may = row.includes('everyone') || row.some((word) => words.includes(word))
        return (await isRefused(walked, principal)) === may
          ? [`${walked.component}: ${walked.type}.${walked.field.name} should be ${may ? 'open' : 'refused'}`]
          : []
      }),
    )
    expect(wrong.flat()).toEqual([])
  })

  it('applies equally to the signed principal between processes', () => {
    const tokens = principalTokens(new Uint8Array(32).fill(1))
    for (const { principal } of Object.values(callers)) {
      const introduced = tokens.verify(tokens.sign({ principal, requestId: 'walk', address: '192.0.2.1' }, 'content'), 'content')
      expect(introduced).toEqual({ principal, requestId: 'walk', address: '192.0.2.1' })
    }
  })
})
