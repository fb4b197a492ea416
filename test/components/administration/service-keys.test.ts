import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AuditTrail } from '../../../engines/audit/audit-trail.ts'
import { ServiceKeys } from '../../../engines/identity/service-keys/service-keys.ts'
import type { Database } from '../../../engines/relational/database.ts'
import { sql } from '../../../engines/relational/drizzle.ts'
import { requestContext } from '../../../foundation/http/request-context.ts'
import { silentLog } from '../../../foundation/log.ts'
import type { Principal } from '../../../foundation/principal.ts'
import { serviceKeyList } from '../../../platform/components/administration.ts'
import { ServiceKeysResolver } from '../../../subgraphs/administration/graphql/service-keys.resolver.ts'
import type { ServiceKeyList } from '../../../subgraphs/administration/index.ts'
import { type Administration, groupAdmin, startAdministration, superAdmin } from '../../support/clients/administration.ts'

const listing = `query ($first: Int, $after: String, $last: Int) { serviceKeys(first: $first, after: $after, last: $last) {
  totalCount pageInfo { endCursor hasNextPage } nodes { id name scopes source createdAt endsAt } } }`

interface Page {
  readonly totalCount: number
  readonly pageInfo: { readonly endCursor: string | null; readonly hasNextPage: boolean }
  readonly nodes: readonly { readonly id: string; readonly name: string }[]
}

describe('service keys', () => {
  let administration: Administration
  let stored: ServiceKeys
  // scopes that this release does not define, such as those of a newer release, are not listed
  let configuredKeys = [{ name: 'of-settings', sha256: '0'.repeat(64), scopes: ['results:all', 'of-tomorrow'] }]
  beforeAll(async () => {
    const current = () => serviceKeyList(stored, configuredKeys)
    const serviceKeys: ServiceKeyList = {
      list: () => current().list(),
      isConfigured: (name) => current().isConfigured(name),
      create: (...words) => current().create(...words),
      rotate: (...words) => current().rotate(...words),
      revoke: (...words) => current().revoke(...words),
    }
    administration = await startAdministration({ with: { serviceKeys } })
    stored = new ServiceKeys(database(), new Uint8Array(32), [])
    await stored.create('first', ['submit'])
    await stored.create('second', ['submit', 'results'])
    await stored.revoke('first')
  })
  afterAll(() => administration?.[Symbol.asyncDispose]())
  const database = (): Database => administration.engines.database
  const listKeys = (variables: Readonly<Record<string, unknown>> = {}, principal = superAdmin) =>
    administration.execute(listing, variables, principal)
  const page = async (variables: Readonly<Record<string, unknown>>) => (await listKeys(variables)).data?.serviceKeys as Page

  it('are listed with scopes and source, expired keys included, and never with the secret', async () => {
    const { data } = await listKeys()
    const moment = expect.any(String)
    expect(data?.serviceKeys).toMatchObject({
      totalCount: 3,
      nodes: [
        { name: 'second', scopes: ['SUBMIT', 'RESULTS'], source: 'DATABASE', createdAt: moment, endsAt: null },
        { name: 'first', scopes: ['SUBMIT'], source: 'DATABASE', createdAt: moment, endsAt: moment },
        { name: 'of-settings', scopes: ['RESULTS_ALL'], source: 'SETTINGS', createdAt: null, endsAt: null },
      ],
    })
    const digests = await database().orm.execute<{ sha256: string }>(sql`select sha256 from service_key`)
    for (const { sha256 } of [...configuredKeys, ...digests.rows]) expect(JSON.stringify(data)).not.toContain(sha256)
    const { rows } = await database().orm.execute(sql`select action, outcome from audit_record order by id desc limit 1`)
    expect(rows).toEqual([{ action: 'service-keys.read', outcome: 'done' }])
  })

  it('are found by their ids, and the audit trail records the reads', async () => {
    const ids = (await page({})).nodes.map(({ id }) => id)
    const resolver = new ServiceKeysResolver(
      administration.engines.serviceKeys,
      new AuditTrail(database(), administration.engines.auditNote),
    )
    const find = async (id: string, principal: Principal) => {
      const disconnected = new AbortController().signal
      using context = requestContext({
        principal,
        requestId: 'test',
        address: '192.0.2.1',
        log: silentLog,
        timeoutMs: 60_000,
        disconnected,
      })
      return (await resolver.find(id, context))?.name ?? null
    }
    const owners: (string | null)[] = []
    for (const id of [...ids, 'none']) owners.push(await find(id, superAdmin))
    expect(owners).toEqual(['second', 'first', 'of-settings', null])
    const { rows } = await database().orm.execute(sql`select target from audit_record where target is not null order by id`)
    expect(rows.map(({ target }) => target)).toEqual(ids)
    expect(await find(ids[0] ?? '', groupAdmin('north'))).toBeNull()
  })

  it('are paged from both ends; a cursor of a deleted key is refused', async () => {
    const first = await page({ first: 1 })
    const second = await page({ first: 1, after: first.pageInfo.endCursor })
    const last = await page({ last: 1 })
    expect([first, second, last].map(({ nodes }) => nodes[0]?.name)).toEqual(['second', 'first', 'of-settings'])
    expect([first, second, last].map(({ pageInfo }) => pageInfo.hasNextPage)).toEqual([true, true, false])
    configuredKeys = []
    const { errors } = await listKeys({ first: 1, after: last.pageInfo.endCursor })
    expect(errors?.[0]?.extensions.code).toBe('MALFORMED')
  })

  const change = async (mutation: string, input: object, principal = superAdmin) => {
    const type = mutation.charAt(0).toUpperCase() + mutation.slice(1)
    const text = `mutation ($input: ${type}Input!) { ${mutation}(input: $input) { ${mutation === 'revokeServiceKey' ? 'name' : 'secrets { name key callbackSecret scopes }'} } }`
    const { data, errors } = await administration.execute(text, { input }, principal)
    const payload = data?.[mutation] as { readonly secrets?: { readonly key: string; readonly callbackSecret: string } } | null
    return { payload, code: errors?.[0]?.extensions.code, entries: errors?.[0]?.extensions.entries }
  }

  it('are created, replaced and revoked by a super_admin; the secrets are returned once and audited without them', async () => {
    const made = (await change('createServiceKey', { name: 'bank', scopes: ['SUBMIT', 'RESULTS_ALL', 'SUBMIT'] })).payload?.secrets
    expect(made).toMatchObject({ name: 'bank', scopes: ['SUBMIT', 'RESULTS_ALL'], key: expect.stringMatching(/^civ_/) })
    expect(await stored.find(made?.key ?? '')).toEqual({ name: 'bank', scopes: ['submit', 'results:all'] })
    await expect.poll(async () => (await stored.list()).find(({ name }) => name === 'bank')?.lastUsedAt).toEqual(expect.any(Date))
    expect((await stored.callbackSecrets('bank')).map((secret) => `whsec_${Buffer.from(secret).toString('base64')}`)).toEqual([
      made?.callbackSecret,
    ])
    expect((await change('createServiceKey', { name: 'bank', scopes: ['SUBMIT'] })).code).toBe('CONFLICT')

    const next = (await change('rotateServiceKey', { name: 'bank', overlapHours: 0 })).payload?.secrets
    expect(next?.key).not.toBe(made?.key)
    expect((await change('revokeServiceKey', { name: 'bank' })).payload).toEqual({ name: 'bank' })
    expect((await change('revokeServiceKey', { name: 'bank' })).code).toBe('NOT_FOUND')
    const { rows } = await database().orm.execute(
      sql`select action, details::text as details from audit_record where target = 'bank' order by id`,
    )
    expect(rows.map(({ action }) => action)).toEqual(['service-key.create', 'service-key.rotate', 'service-key.revoke'])
    expect(JSON.stringify(rows)).not.toMatch(/civ_|whsec_/)
  })

  it('are not changed by others, and those of the settings not at all', async () => {
    configuredKeys = [{ name: 'of-settings', sha256: '0'.repeat(64), scopes: ['results'] }]
    for (const mutation of ['createServiceKey', 'rotateServiceKey', 'revokeServiceKey']) {
      const scopes = mutation === 'createServiceKey' ? { scopes: ['SUBMIT'] } : {}
      expect((await change(mutation, { name: 'x', ...scopes }, groupAdmin('north'))).code).toBe('FORBIDDEN')
      expect((await change(mutation, { name: 'of-settings', ...scopes })).code).toBe('CONFLICT')
    }
    expect(await change('createServiceKey', { name: 'a b', scopes: [] })).toMatchObject({
      code: 'BAD_USER_INPUT',
      entries: [{ path: ['name'] }, { path: ['scopes'], code: 'required' }],
    })
    expect(await change('rotateServiceKey', { name: 'x', overlapHours: 9000 })).toMatchObject({ entries: [{ path: ['overlapHours'] }] })
  })

  it('are visible to a super_admin only', async () => {
    expect((await listKeys({}, groupAdmin('north'))).errors?.[0]?.extensions.code).toBe('FORBIDDEN')
  })
})
