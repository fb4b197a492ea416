import { parse, validate } from 'graphql'
import { describe, expect, it } from 'vitest'
import type { Principal } from '../../../../foundation/principal.ts'
import type { AuthorizationOptions } from '../../../../gateway/executor/caller-authorization.ts'
import { archiveSupergraph, openArchive, unprotected, withoutPurpose } from '../../../support/gateway/archive.ts'
import { randomBelow, randomQuery } from '../../../support/gateway/random-query.ts'
import { contextFor, recordedLog } from '../../../support/gateway/town.ts'

const { log } = recordedLog()

const person = (scopes: readonly string[] = [], roles: readonly string[] = []): Principal => ({
  user: { issuer: 'i', subject: 's', roles, groups: [], scopes, expiresAt: 4e9 },
})
const anonymous: Principal = {}

interface Response {
  readonly data?: unknown
  readonly errors?: readonly { message: string; path?: unknown; extensions: Record<string, unknown> }[]
  readonly extensions?: unknown
}

/** Returns the response to a client, and the queries that the subgraphs received. */
async function ask(query: string, principal: Principal, variables = {}, authorization?: AuthorizationOptions) {
  const { executor, fetched } = openArchive(authorization === undefined ? {} : { authorization })
  using context = contextFor(log, { principal })
  const result = await executor.execute(executor.prepare(query), variables, context)
  const response: Response = JSON.parse(JSON.stringify(result))
  return { ...response, refused: response.errors?.map(({ path }) => path), fetched: fetched.join('\n') }
}

/** Queries for protected fields, with the data and the refused paths of an anonymous caller. */
const refusals: Readonly<Record<string, readonly [query: string, data: unknown, paths: readonly unknown[]]>> = {
  'a field of the query': ['{ own { name } file(id: "1") { title } }', { own: null, file: { title: 'File 1' } }, [['own']]],
  'a field of an entity': ['{ file(id: "1") { title judged } }', { file: { title: 'File 1', judged: null } }, [['file', 'judged']]],
  'a field that is not null': ['{ file(id: "1") { title sealed } }', { file: null }, [['file', 'sealed']]],
  'a field in a list that is not null': ['{ files { title sealed } }', { files: null }, [['files', '@', 'sealed']]],
  'a field under an alias': ['{ a: file(id: "1") { title b: judged } }', { a: { title: 'File 1', b: null } }, [['a', 'b']]],
  'a field under the alias of an unprotected one': ['{ file(id: "1") { title: judged } }', { file: { title: null } }, [['file', 'title']]],
  'a field in a fragment': [
    'query { file(id: "1") { ...F } } fragment F on File { title ...G } fragment G on File { judged }',
    { file: { title: 'File 1', judged: null } },
    [['file', 'judged']],
  ],
  'a key that another field needs': ['{ file(id: "1") { reader x: title } }', { file: { reader: 'reader of code-1', x: 'File 1' } }, []],
  'a key that another field needs and the query selects': [
    '{ file(id: "1") { reader again: title weight } files { code } }',
    { file: { reader: 'reader of code-1', again: 'File 1', weight: 2 }, files: null },
    [['files', '@', 'code']],
  ],
  'a scalar': ['{ file(id: "1") { stamp title } }', { file: { stamp: null, title: 'File 1' } }, [['file', 'stamp']]],
  'an enum': ['{ file(id: "1") { mood title } }', { file: { mood: null, title: 'File 1' } }, [['file', 'mood']]],
  'a type': ['{ secretFile { id } }', { secretFile: null }, [['secretFile']]],
  'the name of a type': ['{ secretFile { __typename } }', { secretFile: null }, [['secretFile']]],
  'the only selected field of an object': ['{ file(id: "1") { judged } }', { file: { judged: null } }, [['file', 'judged']]],
  'a null that propagates': [
    '{ file(id: "1") { title shelf { number inner { label free } } } }',
    { file: { title: 'File 1', shelf: null } },
    [['file', 'shelf', 'inner', 'label']],
  ],
  'a field of an interface that one of its types protects': [
    '{ records { id name } }',
    {
      records: [
        { id: 'p1', name: null },
        { id: 't1', name: null },
      ],
    },
    [['records', '@', 'name']],
  ],
  'the same with fragments for the types': [
    '{ records { id ... on Paper { name } ... on Tape { name minutes } } }',
    {
      records: [
        { id: 'p1', name: 'Paper' },
        { id: 't1', name: null, minutes: 9 },
      ],
    },
    [['records', '@', 'name']],
  ],
  'a field of an interface, and of its unprotected type': [
    '{ records { name ... on Paper { name } } }',
    { records: [{ name: 'Paper' }, { name: null }] },
    [['records', '@', 'name']],
  ],
  'an interface one of whose types is protected': ['{ notes { id } file(id: "1") { title } }', null, [['notes']]],
  'a member of a union': [
    '{ found { ... on Paper { pages } ... on Secret { id text } } }',
    { found: [{ pages: 3 }, null] },
    [
      ['found', '@', 'id'],
      ['found', '@', 'text'],
    ],
  ],
  'the name of a member of a union': [
    '{ found { __typename } }',
    { found: [{ __typename: 'Paper' }, null] },
    [['found', '@', '__typename']],
  ],
  'the name of a member of a union, under an alias and not null': [
    '{ mustFind { kind: __typename } file(id: "1") { title } }',
    null,
    [['mustFind', '@', 'kind']],
  ],
  'the name of a protected member itself': [
    '{ found { ... on Secret { __typename } ... on Paper { id } } }',
    { found: [{ id: 'p1' }, null] },
    [['found', '@', '__typename']],
  ],
  'a mutation': ['mutation { burn open { title } }', { burn: null, open: { title: 'File 9' } }, [['burn']]],
  'a field of a mutation payload': ['mutation { open { judged } }', { open: { judged: null } }, [['open', 'judged']]],
  'a field beside introspection': [
    '{ __type(name: "Secret") { name } file(id: "1") { judged title } }',
    { __type: { name: 'Secret' }, file: { judged: null, title: 'File 1' } },
    [['file', 'judged']],
  ],
}

const secrets = /SEALED|STAMP|JUDGED|SECRET|CLOSED|LABEL|TAPE|PHONE|CALM/

describe('a protected field for an anonymous caller', () => {
  it.each(Object.entries(refusals))('is null, and never fetched: %s', async (_, [query, data, paths]) => {
    const { data: returned, errors = [], refused = [], fetched } = await ask(query, anonymous)
    expect(returned).toEqual(data)
    expect(refused).toEqual(paths)
    for (const { message, extensions } of errors) {
      expect(message).toBe('Unauthorized field or type')
      expect(extensions).toMatchObject({ code: 'UNAUTHORIZED_FIELD_OR_TYPE' })
    }
    expect(JSON.stringify(returned)).not.toMatch(secrets)
    expect(fetched).not.toMatch(/judged|sealed|stamp|mood|label|burn|secretFile|on Secret|text/)
  })

  it('is reported only if @skip and @include leave it in', async () => {
    const query = 'query ($with: Boolean = false) { file(id: "1") { title judged @include(if: $with) } }'
    expect(await ask(query, anonymous)).toMatchObject({ data: { file: { title: 'File 1' } } })
    expect((await ask(query, anonymous)).errors).toBeUndefined()
    expect((await ask(query, anonymous, { with: true })).refused).toEqual([['file', 'judged']])
    expect((await ask('{ file(id: "1") { title ... @skip(if: true) { judged } } }', anonymous)).errors).toBeUndefined()
  })
})

describe('a random query', () => {
  const values = { ID: ['"1"'], String: ['"x"'], Boolean: ['true', 'false', '$yes', '$no'] }

  it('returns only public fields to an anonymous caller, and to a fully authorised caller the same as without directives', async () => {
    const open = openArchive({ supergraph: unprotected(archiveSupergraph()) })
    const guarded = openArchive()
    const all = person(['file:read', 'file:burn', 'file:write', 'phone'], ['judge'])
    const random = randomBelow(2026)
    let refusals = 0
    for (let compared = 0; compared < 150; ) {
      const query = randomQuery(guarded.executor.schema, random, values)
      if (validate(guarded.executor.schema, parse(query)).length > 0) continue
      compared += 1
      const variables = { yes: random(2) === 0, no: random(2) === 0 }
      const answer = async ({ executor }: typeof open, principal: Principal) =>
        executor.execute(executor.prepare(query), variables, contextFor(log, { principal }))
      const [anonymousResult, memberResult, unprotectedResult] = await Promise.all([
        answer(guarded, anonymous),
        answer(guarded, all),
        answer(open, anonymous),
      ])
      expect(JSON.stringify(anonymousResult.data), query).not.toMatch(secrets)
      expect(JSON.stringify(memberResult), query).toBe(JSON.stringify(unprotectedResult))
      if (anonymousResult.errors !== undefined) refusals += 1
    }
    expect(refusals).toBeGreaterThan(50)
    expect(guarded.fetched.length).toBeGreaterThan(100)
  })
})

describe('access to a field', () => {
  const judged = '{ file(id: "1") { judged } }'
  it('depends on authentication', async () => {
    expect(await ask('{ own { name } secretFile { text } found { __typename } notes { id } }', person())).toMatchObject({
      data: {
        own: { name: 'Me' },
        secretFile: { text: 'SECRET' },
        found: [{ __typename: 'Paper' }, { __typename: 'Secret' }],
        notes: [{ id: 'o1' }, { id: 'CLOSED' }],
      },
    })
    expect(await ask('{ own { name } }', { service: { name: 'robot', scopes: [] } })).toMatchObject({ data: { own: { name: 'Me' } } })
    // forwarded headers authenticate no caller
    expect((await ask('{ own { name } }', { forwarded: { authorization: 'Bearer x' } })).refused).toEqual([['own']])
  })

  it('depends on scopes, all of one group', async () => {
    const burn = async (...scopes: string[]) => (await ask('mutation { burn }', person(scopes))).data
    expect(await burn('file:burn')).toEqual({ burn: null })
    expect(await burn('file:write', 'file:burn')).toEqual({ burn: true })
    expect(await burn('admin')).toEqual({ burn: true })
    expect(await ask('mutation { burn }', { service: { name: 'robot', scopes: ['admin'] } })).toMatchObject({ data: { burn: true } })
    expect(await ask('{ own { name phone } }', person())).toMatchObject({ data: { own: { name: 'Me', phone: null } } })
    expect(await ask('{ own { name phone } }', person(['phone']))).toMatchObject({ data: { own: { phone: 'PHONE' } } })
  })

  it('depends on policies, all of one group', async () => {
    expect((await ask(judged, person([], ['clerk']))).refused).toEqual([['file', 'judged']])
    expect(await ask(judged, person([], ['clerk', 'day']))).toMatchObject({ data: { file: { judged: 'JUDGED' } } })
    expect(await ask(judged, person([], ['judge']))).toMatchObject({ data: { file: { judged: 'JUDGED' } } })
  })

  it('depends on a field of Query where a subgraph decides the policies', async () => {
    const { data, fetched } = await ask(judged, anonymous, {}, { policyField: 'granted' })
    expect(data).toEqual({ file: { judged: 'JUDGED' } })
    expect(fetched).toMatch(/granted\(policies: ?\$policies\)/)
  })

  it('is refused while the policies cannot be decided', async () => {
    const undecided = {
      policies: () => {
        throw new Error('the judge is unavailable')
      },
    }
    const { data, errors } = await ask(judged, person(), {}, undecided)
    expect([data, errors?.[0]?.extensions.code]).toEqual([undefined, 'ENGINE_UNAVAILABLE'])
    expect(JSON.stringify(errors)).not.toContain('judge')
    expect(await ask('{ file(id: "1") { title } }', person(), {}, undecided)).toMatchObject({ data: { file: { title: 'File 1' } } })
  })

  it('differs between callers of one prepared operation, in every order', async () => {
    const { executor } = openArchive()
    const operation = executor.prepare('{ file(id: "1") { title judged stamp } }')
    const fileOf = async (principal: Principal) => (await executor.execute(operation, {}, contextFor(log, { principal }))).data?.file
    for (let round = 0; round < 3; round += 1) {
      expect(await fileOf(anonymous)).toEqual({ title: 'File 1', judged: null, stamp: null })
      expect(await fileOf(person())).toEqual({ title: 'File 1', judged: null, stamp: 'STAMP' })
      expect(await fileOf(person([], ['judge']))).toEqual({ title: 'File 1', judged: 'JUDGED', stamp: 'STAMP' })
    }
  })
})

describe('a refusal', () => {
  const query = '{ file(id: "1") { title judged } }'
  it('can reject the whole operation', async () => {
    const { data, refused, fetched } = await ask(query, anonymous, {}, { policies: () => [], reject: true })
    expect([data, refused, fetched]).toEqual([null, [['file', 'judged']], ''])
    expect((await ask('{ file(id: "1") { title } }', anonymous, {}, { policies: () => [], reject: true })).errors).toBeUndefined()
  })

  it('can be reported in extensions instead of errors, or not at all', async () => {
    const { errors, extensions } = await ask(query, anonymous, {}, { policies: () => [], refusalsIn: 'extensions' })
    expect(errors).toBeUndefined()
    expect(extensions).toMatchObject({
      authorizationErrors: [{ path: ['file', 'judged'], extensions: { code: 'UNAUTHORIZED_FIELD_OR_TYPE' } }],
    })
    const silent = await ask(query, anonymous, {}, { policies: () => [], refusalsIn: 'none' })
    expect([silent.data, silent.errors, silent.extensions]).toEqual([{ file: { title: 'File 1', judged: null } }, undefined, undefined])
  })
})

describe('a subscription', () => {
  const follow = async (query: string, principal: Principal) => {
    const { executor, fetched } = openArchive()
    const events = await executor.subscribe(executor.prepare(query), {}, contextFor(log, { principal }))
    const results: unknown[] = []
    if (Symbol.asyncIterator in events) for await (const event of events) results.push(JSON.parse(JSON.stringify(event)))
    else results.push(JSON.parse(JSON.stringify(events)))
    return { results, fetched: fetched.join('\n') }
  }

  it('does not start for a caller that may not read its field', async () => {
    const { results, fetched } = await follow('subscription { leaked { title } }', anonymous)
    expect(results).toMatchObject([{ errors: [{ path: ['leaked'], extensions: { code: 'UNAUTHORIZED_FIELD_OR_TYPE' } }] }])
    expect(results).toHaveLength(1)
    expect(fetched).toBe('')
    expect((await follow('subscription { leaked { title } }', person())).results).toHaveLength(2)
  })

  it('hides the protected fields of each event', async () => {
    const query = 'subscription { filed { title judged reader } }'
    const { results, fetched } = await follow(query, anonymous)
    expect(results).toMatchObject([
      { data: { filed: { title: 'File 1', judged: null, reader: 'reader of code-1' } }, errors: [{ path: ['filed', 'judged'] }] },
      { data: { filed: { title: 'File 2', judged: null } }, errors: [{ path: ['filed', 'judged'] }] },
    ])
    expect(fetched).not.toContain('judged')
    expect((await follow(query, person([], ['judge']))).results).toMatchObject([{ data: { filed: { judged: 'JUDGED' } } }, {}])
  })
})

describe('a supergraph that protects fields', () => {
  const supergraph = archiveSupergraph()
  it('is refused without authentication, whatever purpose it declares for its directives', () => {
    for (const file of [
      supergraph,
      withoutPurpose(supergraph),
      supergraph.replaceAll(/@link\(url: ".*(authenticated|Scopes|policy).*\)/g, ''),
    ])
      expect(() => openArchive({ supergraph: file, authorization: undefined as never })).toThrow(
        /@authenticated, @policy, @requiresScopes.*callers are not authenticated/,
      )
    expect(() => openArchive({ supergraph, authorization: {} })).toThrow(/policies.*nothing decides them/)
    expect(() => openArchive({ supergraph, authorization: { policyField: 'own' } })).toThrow(/granted|own\(policies: \[String!\]!\)/)
  })

  it('is enforced under renamed directives', async () => {
    const renamed = withoutPurpose(supergraph)
      .replace('url: "https://specs.apollo.dev/policy/v0.1"', '$&, as: "judge"')
      .replaceAll(/@policy\b/g, '@judge')
    const { executor } = openArchive({ supergraph: renamed })
    const result = await executor.execute(executor.prepare('{ file(id: "1") { judged } }'), {}, contextFor(log))
    expect(result).toMatchObject({ data: { file: { judged: null } } })
  })

  it('is refused with a message when a directive is malformed', () => {
    const broken = supergraph.replace('@policy(policies: [["judge"], ["clerk", "day"]])', '@policy(policies: ["judge", 7])')
    expect(() => openArchive({ supergraph: broken })).toThrow(/policies/)
  })
})
