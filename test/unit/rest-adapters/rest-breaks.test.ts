import { describe, expect, it } from 'vitest'
import { restBreaks } from '../../support/run/rest-breaks.ts'

const text = { type: 'string' }
const thing = { type: 'object', required: ['id'], properties: { id: text, note: text, kind: { enum: ['a', 'b'] } } }
const asked = { type: 'object', required: ['name'], properties: { name: text } }
const id = { name: 'id', in: 'path', required: true, schema: text }
const page = { name: 'page', in: 'query', schema: { type: 'integer' } }

interface Changes {
  readonly thing?: object
  readonly asked?: object
  readonly parameters?: readonly object[]
  readonly responses?: object
  /** in place of all paths */
  readonly paths?: object
  /** beside them */
  readonly more?: object
}

/** A document of one operation, in which something differs. */
function documentWith(changes: Changes = {}): object {
  const content = (name: string) => ({ content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } } })
  const post = {
    parameters: changes.parameters ?? [id, page],
    requestBody: { required: true, ...content('Asked') },
    responses: changes.responses ?? { 200: { description: 'Done', ...content('Thing') }, 404: { description: 'Not there' } },
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Things', version: '1' },
    paths: { ...(changes.paths ?? { '/things/{id}': { post } }), ...changes.more },
    components: { schemas: { Thing: changes.thing ?? thing, Asked: changes.asked ?? asked } },
  }
}

const namesAfter = (changes: Changes) => restBreaks(documentWith(), documentWith(changes)).flatMap(({ names }) => names)

describe('a change of a REST document', () => {
  it.each<[string, Changes]>([
    ['an operation that goes', { paths: {} }],
    ['an answer that goes', { responses: { 404: { description: 'Not there' } } }],
    ['a member of an answer that goes', { thing: { ...thing, properties: { id: text, kind: thing.properties.kind } } }],
    ['a member of an answer that need not be there', { thing: { ...thing, required: [] } }],
    [
      'a member of an answer that may be null',
      { thing: { ...thing, properties: { ...thing.properties, id: { type: ['string', 'null'] } } } },
    ],
    ['a word that an answer had not', { thing: { ...thing, properties: { ...thing.properties, kind: { enum: ['a', 'b', 'c'] } } } }],
    ['a member that a request must have', { asked: { ...asked, required: ['name', 'age'], properties: { name: text, age: text } } }],
    ['a member of a request of another type', { asked: { ...asked, properties: { name: { type: 'integer' } } } }],
  ])('breaks clients by %s', (_, changes) => {
    expect(new Set(namesAfter(changes))).toEqual(new Set(['POST /things/{id}']))
  })

  it.each<[string, Changes]>([
    ['goes', { parameters: [id] }],
    ['must be given', { parameters: [id, { ...page, required: true }] }],
  ])('breaks clients by a parameter that %s', (_, changes) => {
    expect(namesAfter(changes)).toContain('POST /things/{id}')
  })

  it('of a parameter is known by its name, too', () => {
    expect(namesAfter({ parameters: [id] })).toEqual(['POST /things/{id}', 'page'])
  })

  it.each<[string, Changes]>([
    ['more operations', { more: { '/more': { get: { responses: { 200: { description: 'More' } } } } } }],
    ['a parameter that may be given', { parameters: [id, page, { name: 'size', in: 'query', schema: { type: 'integer' } }] }],
    ['a member of an answer', { thing: { ...thing, properties: { ...thing.properties, more: text } } }],
    ['a member that a request may have', { asked: { ...asked, properties: { name: text, age: text } } }],
    ['other words', { thing: { ...thing, description: 'What it is' } }],
  ])('breaks nobody by %s', (_, changes) => {
    expect(namesAfter(changes)).toEqual([])
  })
})
