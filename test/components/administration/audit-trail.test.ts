import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AuditTrail } from '../../../engines/audit/audit-trail.ts'
import { type Administration, groupAdmin, startAdministration, superAdmin } from '../../support/clients/administration.ts'
import { people } from '../../support/engines/embedded-identity.ts'
import { relationalEngines } from '../../support/engines/engines.ts'

const reading = `query ($filter: AuditFilterInput, $first: Int, $after: String, $last: Int, $before: String) {
  auditTrail(filter: $filter, first: $first, after: $after, last: $last, before: $before) {
    totalCount
    pageInfo { endCursor startCursor hasNextPage hasPreviousPage }
    nodes { action outcome target subject service address requestId details { key value } administrator { email } }
  }
}`

interface Page {
  readonly totalCount: number
  readonly pageInfo: Readonly<Record<'endCursor' | 'startCursor', string | null> & Record<'hasNextPage' | 'hasPreviousPage', boolean>>
  readonly nodes: readonly Readonly<Record<string, unknown>>[]
}

for (const engine of relationalEngines())
  describe(`the audit trail on ${engine.name}`, () => {
    let administration: Administration
    let subject: string
    let decided: () => Promise<void>
    beforeAll(async () => {
      administration = await startAdministration({ engine })
      const accounts = await administration.engines.accounts?.list()
      subject = accounts?.find(({ email }) => email === people.superAdmin.email)?.id ?? ''
      const trail = new AuditTrail(administration.engines.database)
      const by = (user: string) => ({
        principal: { user: { issuer: 'i', subject: user, roles: ['super_admin'], groups: [], expiresAt: 4e9 } },
        requestId: 'r-1',
        address: '192.0.2.7',
      })
      await trail.record(by(subject), [
        { action: 'citizen.erase', outcome: 'done', target: 'digest', details: { jobs: 2, why: ['a', 'b'] } },
        { action: 'login', outcome: 'refused', target: 'account:x' },
      ])
      await trail.record({ principal: { service: { name: 'bank', scopes: [] } }, requestId: 'r-2' }, [
        { action: 'verification.acknowledge', outcome: 'done', target: 'job-1' },
      ])
      const byReviewer = {
        principal: { user: { issuer: 'i', subject: 'r', roles: ['reviewer'], groups: [], expiresAt: 4e9 } },
        requestId: 'r-3',
      }
      decided = () =>
        trail.record(byReviewer, [
          { action: 'verification.review.decide', outcome: 'done', target: 'job-2', details: { decision: 'rejected', reason: 'other' } },
        ])
    })
    afterAll(() => administration?.[Symbol.asyncDispose]())

    const read = async (variables: Readonly<Record<string, unknown>> = {}): Promise<Page> => {
      const { data, errors } = await administration.execute(reading, variables, superAdmin)
      expect(errors).toBeUndefined()
      return data?.auditTrail as Page
    }

    it('lists each action with its subject and target, newest first; the next read includes the record of this read', async () => {
      const { nodes } = await read()
      expect(nodes).toEqual([
        {
          action: 'verification.acknowledge',
          outcome: 'DONE',
          target: 'job-1',
          subject: null,
          service: 'bank',
          address: null,
          requestId: 'r-2',
          details: [],
          administrator: null,
        },
        {
          action: 'login',
          outcome: 'REFUSED',
          target: 'account:x',
          subject,
          service: null,
          address: '192.0.2.7',
          requestId: 'r-1',
          details: [],
          administrator: { email: people.superAdmin.email },
        },
        {
          action: 'citizen.erase',
          outcome: 'DONE',
          target: 'digest',
          subject,
          service: null,
          address: '192.0.2.7',
          requestId: 'r-1',
          details: [
            { key: 'jobs', value: '2' },
            { key: 'why', value: '["a","b"]' },
          ],
          administrator: { email: people.superAdmin.email },
        },
      ])
      const after = await read({ filter: { action: 'audit.read' } })
      expect(after.nodes).toMatchObject([{ action: 'audit.read', subject: 's', address: '192.0.2.1' }])
    })

    it('is filtered, and read page by page in both directions', async () => {
      const variables = { filter: { until: new Date(Date.now() + 60_000).toISOString(), subject } }
      const first = await read({ ...variables, first: 1 })
      expect([first.nodes.map(({ action }) => action), first.pageInfo.hasNextPage, first.totalCount]).toEqual([['login'], true, 2])
      const second = await read({ ...variables, first: 5, after: first.pageInfo.endCursor })
      expect([second.nodes.map(({ action }) => action), second.pageInfo.hasNextPage]).toEqual([['citizen.erase'], false])
      const back = await read({ ...variables, last: 5, before: second.pageInfo.startCursor })
      expect(back.nodes.map(({ action }) => action)).toEqual(['login'])
      await decided()
      const filters = [
        { service: 'bank' },
        { target: 'job-1' },
        { outcome: 'REFUSED' },
        { actions: ['login', 'citizen.erase'] },
        { person: people.superAdmin.email.toUpperCase(), action: 'login' },
        { person: subject, action: 'login' },
        { person: 'no-such@person.example' },
        { decision: 'REJECTED' },
        { since: new Date(Date.now() + 60_000).toISOString() },
      ]
      const pages = await Promise.all(filters.map((filter) => read({ filter })))
      expect(pages.map(({ nodes }) => nodes.map(({ action }) => action))).toEqual([
        ['verification.acknowledge'],
        ['verification.acknowledge'],
        ['login'],
        ['login', 'citizen.erase'],
        ['login'],
        ['login'],
        [],
        ['verification.review.decide'],
        [],
      ])
    })

    it('shortens texts of callers, so that no record makes the trail unreadable', async () => {
      const trail = new AuditTrail(administration.engines.database)
      const long = `a\u0000${'x'.repeat(1_000_000)}`
      await trail.record({ principal: {}, requestId: 'r-long' }, [
        { action: 'delegations.simulate', outcome: 'done', target: long, details: { scope: long, list: [long], count: 3 } },
      ])
      const record = (await read({ first: 5 })).nodes.find(({ requestId }) => requestId === 'r-long')
      const shortened = `a\ufffd${'x'.repeat(497)}…`
      expect(record?.target).toBe(shortened)
      const details = record?.details as readonly { readonly key: string; readonly value: string }[]
      expect(details.find(({ key }) => key === 'scope')?.value).toBe(JSON.stringify(shortened))
      expect(JSON.stringify(details).length).toBeLessThan(2000)
    })

    it('is visible to super_admins only, and rejects filter values that no record can have', async () => {
      const refusal = async (variables: object, principal = superAdmin) => {
        const { data, errors } = await administration.execute(reading, { ...variables }, principal)
        return [data?.auditTrail, errors?.[0]?.extensions.code, errors?.[0]?.extensions.entries]
      }
      expect(await refusal({}, groupAdmin('south'))).toEqual([null, 'FORBIDDEN', undefined])
      expect(await refusal({ filter: { target: 'a\0b' } })).toMatchObject([
        null,
        'BAD_USER_INPUT',
        [{ path: ['target'], code: 'unstorable_text' }],
      ])
      expect(await refusal({ filter: { action: 'a'.repeat(501), since: '0000-01-01T00:00:00Z' } })).toMatchObject([
        null,
        'BAD_USER_INPUT',
        [
          { path: ['action'], code: 'too_long', constraint: { max: 500 } },
          { path: ['since'], code: 'out_of_range' },
        ],
      ])
      const [since, until] = ['2026-02-01T00:00:00Z', '2026-01-01T00:00:00Z']
      expect(await refusal({ filter: { since, until } })).toMatchObject([
        null,
        'BAD_USER_INPUT',
        [{ path: ['since'], code: 'wrong_order' }],
      ])
      expect(await refusal({ first: 1001 })).toMatchObject([null, 'BAD_USER_INPUT', [{ path: ['first'] }]])
      expect(await refusal({ after: 'WyJ4Il0' })).toMatchObject([null, 'MALFORMED', [{ path: ['after'] }]])
    })
  })
