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
const nobody: Principal = {}

interface Told {
  readonly data?: unknown
  readonly errors?: readonly { message: string; path?: unknown; extensions: Record<string, unknown> }[]
  readonly extensions?: unknown
}

/** What a client sees, and what the subgraphs were asked. */
async function ask(query: string, principal: Principal, variables = {}, authorization?: AuthorizationOptions) {
  const { executor, fetched } = openArchive(authorization === undefined ? {} : { authorization })
  using context = contextFor(log, { principal })
  const result = await executor.execute(executor.prepare(query), variables, context)
  const told: Told = JSON.parse(JSON.stringify(result))
  return { ...told, refused: told.errors?.map(({ path }) => path), fetched: fetched.join('\n') }
}

/** a protected field that a query asks for in its way, what a stranger gets, where it is refused */
const refusals: Readonly<Record<string, readonly [query: string, data: unknown, paths: readonly unknown[]]>> = {
  'a field of the query': ['{ own { name } file(id: "1") { title } }', { own: null, file: { title: 'File 1' } }, [['own']]],
  'a field of an entity': ['{ file(id: "1") { title judged } }', { file: { title: 'File 1', judged: null } }, [['file', 'judged']]],
  'a field that is not null': ['{ file(id: "1") { title sealed } }', { file: null }, [['file', 'sealed']]],
  'a field in a list that is not null': ['{ files { title sealed } }', { files: null }, [['files', '@', 'sealed']]],
  'a field under an alias': ['{ a: file(id: "1") { title b: judged } }', { a: { title: 'File 1', b: null } }, [['a', 'b']]],
  'a field under the alias of one that may be seen': [
    '{ file(id: "1") { title: judged } }',
    { file: { title: null } },
    [['file', 'title']],
  ],
  'a field in a fragment': [
    'query { file(id: "1") { ...F } } fragment F on File { title ...G } fragment G on File { judged }',
    { file: { title: 'File 1', judged: null } },
    [['file', 'judged']],
  ],
  'a key that another field needs': ['{ file(id: "1") { reader x: title } }', { file: { reader: 'reader of code-1', x: 'File 1' } }, []],
  'a key that another field needs, asked for as well': [
    '{ file(id: "1") { reader again: title weight } files { code } }',
    { file: { reader: 'reader of code-1', again: 'File 1', weight: 2 }, files: null },
    [['files', '@', 'code']],
  ],
  'a scalar': ['{ file(id: "1") { stamp title } }', { file: { stamp: null, title: 'File 1' } }, [['file', 'stamp']]],
  'an enum': ['{ file(id: "1") { mood title } }', { file: { mood: null, title: 'File 1' } }, [['file', 'mood']]],
  'a type': ['{ secretFile { id } }', { secretFile: null }, [['secretFile']]],
  'the name of a type': ['{ secretFile { __typename } }', { secretFile: null }, [['secretFile']]],
  'all that is asked of an object': ['{ file(id: "1") { judged } }', { file: { judged: null } }, [['file', 'judged']]],
  'null that goes up': [
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
  'a field of an interface, and of a type of it that may be seen': [
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
  'what a mutation gives': ['mutation { open { judged } }', { open: { judged: null } }, [['open', 'judged']]],
  'a field beside introspection': [
    '{ __type(name: "Secret") { name } file(id: "1") { judged title } }',
    { __type: { name: 'Secret' }, file: { judged: null, title: 'File 1' } },
    [['file', 'judged']],
  ],
}

const secrets = /SEALED|STAMP|JUDGED|SECRET|CLOSED|LABEL|TAPE|PHONE|CALM/

describe('what a stranger may not see', () => {
  it.each(Object.entries(refusals))('is null, and never fetched: %s', async (_, [query, data, paths]) => {
    const { data: seen, errors = [], refused = [], fetched } = await ask(query, nobody)
    expect(seen).toEqual(data)
    expect(refused).toEqual(paths)
    for (const { message, extensions } of errors) {
      expect(message).toBe('Unauthorized field or type')
      expect(extensions).toMatchObject({ code: 'UNAUTHORIZED_FIELD_OR_TYPE' })
    }
    expect(JSON.stringify(seen)).not.toMatch(secrets)
    expect(fetched).not.toMatch(/judged|sealed|stamp|mood|label|burn|secretFile|on Secret|text/)
  })

  it('is told only where @skip and @include leave it in', async () => {
    const query = 'query ($with: Boolean = false) { file(id: "1") { title judged @include(if: $with) } }'
    expect(await ask(query, nobody)).toMatchObject({ data: { file: { title: 'File 1' } } })
    expect((await ask(query, nobody)).errors).toBeUndefined()
    expect((await ask(query, nobody, { with: true })).refused).toEqual([['file', 'judged']])
    expect((await ask('{ file(id: "1") { title ... @skip(if: true) { judged } } }', nobody)).errors).toBeUndefined()
  })
})

describe('a random query', () => {
  const values = { ID: ['"1"'], String: ['"x"'], Boolean: ['true', 'false', '$yes', '$no'] }

  it('tells a stranger nothing that is not for everybody, and a member who may see all of it as much as without directives', async () => {
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
      const [stranger, member, anybody] = await Promise.all([answer(guarded, nobody), answer(guarded, all), answer(open, nobody)])
      expect(JSON.stringify(stranger.data), query).not.toMatch(secrets)
      expect(JSON.stringify(member), query).toBe(JSON.stringify(anybody))
      if (stranger.errors !== undefined) refusals += 1
    }
    expect(refusals).toBeGreaterThan(50)
    expect(guarded.fetched.length).toBeGreaterThan(100)
  })
})

describe('who may see what', () => {
  const judged = '{ file(id: "1") { judged } }'
  it('is decided by being somebody', async () => {
    expect(await ask('{ own { name } secretFile { text } found { __typename } notes { id } }', person())).toMatchObject({
      data: {
        own: { name: 'Me' },
        secretFile: { text: 'SECRET' },
        found: [{ __typename: 'Paper' }, { __typename: 'Secret' }],
        notes: [{ id: 'o1' }, { id: 'CLOSED' }],
      },
    })
    expect(await ask('{ own { name } }', { service: { name: 'robot', scopes: [] } })).toMatchObject({ data: { own: { name: 'Me' } } })
    // headers for the subgraphs prove nothing here
    expect((await ask('{ own { name } }', { forwarded: { authorization: 'Bearer x' } })).refused).toEqual([['own']])
  })

  it('is decided by scopes, all of one group', async () => {
    const burn = async (...scopes: string[]) => (await ask('mutation { burn }', person(scopes))).data
    expect(await burn('file:burn')).toEqual({ burn: null })
    expect(await burn('file:write', 'file:burn')).toEqual({ burn: true })
    expect(await burn('admin')).toEqual({ burn: true })
    expect(await ask('mutation { burn }', { service: { name: 'robot', scopes: ['admin'] } })).toMatchObject({ data: { burn: true } })
    expect(await ask('{ own { name phone } }', person())).toMatchObject({ data: { own: { name: 'Me', phone: null } } })
    expect(await ask('{ own { name phone } }', person(['phone']))).toMatchObject({ data: { own: { phone: 'PHONE' } } })
  })

  it('is decided by policies, all of one group', async () => {
    expect((await ask(judged, person([], ['clerk']))).refused).toEqual([['file', 'judged']])
    expect(await ask(judged, person([], ['clerk', 'day']))).toMatchObject({ data: { file: { judged: 'JUDGED' } } })
    expect(await ask(judged, person([], ['judge']))).toMatchObject({ data: { file: { judged: 'JUDGED' } } })
  })

  it('is asked of a field of Query where the policies are decided on by a subgraph', async () => {
    const { data, fetched } = await ask(judged, nobody, {}, { policyField: 'granted' })
    expect(data).toEqual({ file: { judged: 'JUDGED' } })
    expect(fetched).toMatch(/granted\(policies: ?\$policies\)/)
  })

  it('is nothing while the policies cannot be decided on', async () => {
    const away = {
      policies: () => {
        throw new Error('the judge is away')
      },
    }
    const { data, errors } = await ask(judged, person(), {}, away)
    expect([data, errors?.[0]?.extensions.code]).toEqual([undefined, 'ENGINE_UNAVAILABLE'])
    expect(JSON.stringify(errors)).not.toContain('judge')
    expect(await ask('{ file(id: "1") { title } }', person(), {}, away)).toMatchObject({ data: { file: { title: 'File 1' } } })
  })

  it('differs between callers of one operation, again and again', async () => {
    const { executor } = openArchive()
    const operation = executor.prepare('{ file(id: "1") { title judged stamp } }')
    const seen = async (principal: Principal) => (await executor.execute(operation, {}, contextFor(log, { principal }))).data?.file
    for (let round = 0; round < 3; round += 1) {
      expect(await seen(nobody)).toEqual({ title: 'File 1', judged: null, stamp: null })
      expect(await seen(person())).toEqual({ title: 'File 1', judged: null, stamp: 'STAMP' })
      expect(await seen(person([], ['judge']))).toEqual({ title: 'File 1', judged: 'JUDGED', stamp: 'STAMP' })
    }
  })
})

describe('a refusal', () => {
  const query = '{ file(id: "1") { title judged } }'
  it('can be of the whole operation', async () => {
    const { data, refused, fetched } = await ask(query, nobody, {}, { policies: () => [], reject: true })
    expect([data, refused, fetched]).toEqual([null, [['file', 'judged']], ''])
    expect((await ask('{ file(id: "1") { title } }', nobody, {}, { policies: () => [], reject: true })).errors).toBeUndefined()
  })

  it('can be told apart from the errors, or not at all', async () => {
    const { errors, extensions } = await ask(query, nobody, {}, { policies: () => [], refusalsIn: 'extensions' })
    expect(errors).toBeUndefined()
    expect(extensions).toMatchObject({
      authorizationErrors: [{ path: ['file', 'judged'], extensions: { code: 'UNAUTHORIZED_FIELD_OR_TYPE' } }],
    })
    const silent = await ask(query, nobody, {}, { policies: () => [], refusalsIn: 'none' })
    expect([silent.data, silent.errors, silent.extensions]).toEqual([{ file: { title: 'File 1', judged: null } }, undefined, undefined])
  })
})

describe('a subscription', () => {
  const follow = async (query: string, principal: Principal) => {
    const { executor, fetched } = openArchive()
    const events = await executor.subscribe(executor.prepare(query), {}, contextFor(log, { principal }))
    const got: unknown[] = []
    if (Symbol.asyncIterator in events) for await (const event of events) got.push(JSON.parse(JSON.stringify(event)))
    else got.push(JSON.parse(JSON.stringify(events)))
    return { got, fetched: fetched.join('\n') }
  }

  it('is not begun for who may not see its field', async () => {
    const { got, fetched } = await follow('subscription { leaked { title } }', nobody)
    expect(got).toMatchObject([{ errors: [{ path: ['leaked'], extensions: { code: 'UNAUTHORIZED_FIELD_OR_TYPE' } }] }])
    expect(got).toHaveLength(1)
    expect(fetched).toBe('')
    expect((await follow('subscription { leaked { title } }', person())).got).toHaveLength(2)
  })

  it('tells of each event what may be seen', async () => {
    const query = 'subscription { filed { title judged reader } }'
    const { got, fetched } = await follow(query, nobody)
    expect(got).toMatchObject([
      { data: { filed: { title: 'File 1', judged: null, reader: 'reader of code-1' } }, errors: [{ path: ['filed', 'judged'] }] },
      { data: { filed: { title: 'File 2', judged: null } }, errors: [{ path: ['filed', 'judged'] }] },
    ])
    expect(fetched).not.toContain('judged')
    expect((await follow(query, person([], ['judge']))).got).toMatchObject([{ data: { filed: { judged: 'JUDGED' } } }, {}])
  })
})

describe('a supergraph that protects fields', () => {
  const supergraph = archiveSupergraph()
  it('is refused where nobody knows who asks, whatever it says that its directives are for', () => {
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

  it('is enforced whatever it calls its directives', async () => {
    const renamed = withoutPurpose(supergraph)
      .replace('url: "https://specs.apollo.dev/policy/v0.1"', '$&, as: "judge"')
      .replaceAll(/@policy\b/g, '@judge')
    const { executor } = openArchive({ supergraph: renamed })
    const result = await executor.execute(executor.prepare('{ file(id: "1") { judged } }'), {}, contextFor(log))
    expect(result).toMatchObject({ data: { file: { judged: null } } })
  })

  it('is refused with a sentence when a directive is not as it should be', () => {
    const broken = supergraph.replace('@policy(policies: [["judge"], ["clerk", "day"]])', '@policy(policies: ["judge", 7])')
    expect(() => openArchive({ supergraph: broken })).toThrow(/policies/)
  })
})
