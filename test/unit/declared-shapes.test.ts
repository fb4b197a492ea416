import { existsSync, readFileSync } from 'node:fs'
import { buildASTSchema, getNamedType, getNullableType, isEnumType, isInputObjectType, isNonNullType, isObjectType, parse } from 'graphql'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ExpressionDocument } from '../../subgraphs/classification/expression/expression-document.ts'
import { ExpressionInput, StepInput } from '../../subgraphs/classification/expression/expression-input.ts'
import { NodeInput } from '../../subgraphs/content/tree/node-rules.ts'
import { DeclaredIdentity } from '../../subgraphs/verification/submission/submission.ts'
import { decodeSubmission, encodeSubmission } from '../../subgraphs/verification/submission/submission-record.ts'

type Shape = Readonly<Record<string, string>>

/** Returns the fields of a type in the printed schema of a component: `required`, `nullable`, or both with the values of an enum. */
function fieldsOf(component: string, name: string): Shape {
  const text = readFileSync(new URL(`../../schema/${component}.graphql`, import.meta.url), 'utf8')
  const type = buildASTSchema(parse(text), { assumeValidSDL: true }).getType(name)
  if (!isObjectType(type) && !isInputObjectType(type)) throw new Error(`${component}.graphql has no object ${name}`)
  const fields = Object.values(type.getFields()).map(({ name, type }) => {
    const named = getNamedType(getNullableType(type))
    const values = isEnumType(named) ? named.getValues().map((value) => value.name) : undefined
    return [name, described(!isNonNullType(type), values)] as const
  })
  return Object.fromEntries(fields)
}

/** Returns the members of a zod object in the same words. */
function membersOf(schema: z.ZodObject): Shape {
  return Object.fromEntries(
    Object.entries(schema.shape).map(([name, member]) => [name, described(member.safeParse(null).success, wordsOf(member))]),
  )
}

function wordsOf(member: z.core.$ZodType): readonly string[] | undefined {
  if (member instanceof z.ZodDefault || member instanceof z.ZodNullable || member instanceof z.ZodOptional) return wordsOf(member.unwrap())
  if (member instanceof z.ZodArray) return wordsOf(member.element)
  return member instanceof z.ZodEnum ? member.options.map((word) => String(word).toUpperCase()) : undefined
}

const described = (isNullable: boolean, words?: readonly string[]): string =>
  [isNullable ? 'nullable' : 'required', ...(words ?? []).toSorted()].join(' ')

const without = (shape: Shape, ...names: readonly string[]): Shape =>
  Object.fromEntries(Object.entries(shape).filter(([name]) => !names.includes(name)))

function objectOf(member: z.core.$ZodType): z.ZodObject {
  if (member instanceof z.ZodNullable || member instanceof z.ZodOptional) return objectOf(member.unwrap())
  if (member instanceof z.ZodObject) return member
  throw new TypeError('the member is not an object')
}

/** Returns one sentence for each member in which two declarations of a shape differ. */
function differences(schema: string, members: Shape, type: string, fields: Shape): readonly string[] {
  return [...new Set([...Object.keys(members), ...Object.keys(fields)])].toSorted().flatMap((name) => {
    const [declared, printed] = [members[name], fields[name]]
    if (declared === printed) return []
    if (declared === undefined) return [`${type}.${name} is printed, but ${schema} does not declare it: add it there.`]
    if (printed === undefined) return [`${schema} declares ${name}, but ${type} has no such field: add it to the GraphQL type.`]
    return [`${schema}.${name} is declared as "${declared}", but ${type}.${name} is printed as "${printed}": change the GraphQL type.`]
  })
}

/** Compares a zod object with a printed type. */
const differencesFrom = (schema: string, members: Shape, component: string, type: string, ...extra: readonly string[]): readonly string[] =>
  differences(schema, members, type, without(fieldsOf(component, type), ...extra))

describe('a shape that is declared twice', () => {
  it('fails with one sentence for each member that differs', () => {
    const declared = { id: 'required', lang: 'nullable', mood: 'required BAD GOOD' }
    const printed = { id: 'required', lang: 'required', mood: 'required BAD', place: 'nullable' }
    expect(differences('ExpressionInput', declared, 'IngestExpressionInput', printed)).toEqual([
      'ExpressionInput.lang is declared as "nullable", but IngestExpressionInput.lang is printed as "required": change the GraphQL type.',
      'ExpressionInput.mood is declared as "required BAD GOOD", but IngestExpressionInput.mood is printed as "required BAD": change the GraphQL type.',
      'IngestExpressionInput.place is printed, but ExpressionInput does not declare it: add it there.',
    ])
    expect(differences('NodeInput', { title: 'required' }, 'CreateContentNodeInput', {})).toEqual([
      'NodeInput declares title, but CreateContentNodeInput has no such field: add it to the GraphQL type.',
    ])
  })
})

describe('a shape that is declared once', () => {
  it('is that of the declared identity in GraphQL, for callers and for reviewers', () => {
    for (const type of ['DeclaredIdentityInput', 'ReviewedIdentity'])
      expect(differencesFrom('DeclaredIdentity', membersOf(DeclaredIdentity), 'verification', type, 'declaredGender')).toEqual([])
  })

  it('is that of the declared identity in the sealed record, where omitted members are null', () => {
    const declaredIdentity = DeclaredIdentity.parse({ firstName: 'Amina', lastName: 'Diallo' })
    const image = { problem: 'empty_image' } as const
    const record = Buffer.concat([...encodeSubmission({ declaredIdentity, selfie: image, documentFront: image })])
    expect(decodeSubmission(record).declaredIdentity).toEqual({
      firstName: 'Amina',
      lastName: 'Diallo',
      dateOfBirth: null,
      gender: null,
      nationality: null,
    })
  })

  it('is that of the content of a node; its place belongs to GraphQL alone', () => {
    const own = ['tenantId', 'parentId', 'position']
    expect(differencesFrom('NodeInput', membersOf(NodeInput), 'content', 'CreateContentNodeInput', ...own)).toEqual([])
  })

  it('is that of an expression that a sender states, and of its location', () => {
    const location = membersOf(objectOf(ExpressionInput.shape.location))
    expect(differencesFrom('ExpressionInput', membersOf(ExpressionInput), 'classification', 'IngestExpressionInput')).toEqual([])
    expect(differencesFrom('ExpressionInput.location', location, 'classification', 'ExpressionLocationInput')).toEqual([])
  })

  it('is that of an expression; its revision belongs to the record alone', () => {
    const record = without(membersOf(ExpressionDocument), 'revision')
    // the status follows from the time of indexing; the others are fields with arguments or resolvers of their own
    const own = Object.keys(without(fieldsOf('classification', 'Expression'), ...Object.keys(record)))
    expect(differencesFrom('ExpressionDocument', record, 'classification', 'Expression', ...own)).toEqual([])
    expect(own).toContain('status')
  })

  it.each([
    ['lang', 'ExpressionLanguage'],
    ['location', 'ExpressionLocation'],
    ['sentiment', 'ExpressionSentiment'],
    ['toxicity', 'ExpressionToxicity'],
    ['personalData', 'PersonalData'],
    ['embedding', 'ExpressionEmbedding'],
    ['pipeline', 'ExpressionPipeline'],
  ] as const)('is that of %s of an expression', (member, type) => {
    const members = membersOf(objectOf(ExpressionDocument.shape[member]))
    expect(differencesFrom(`ExpressionDocument.${member}`, members, 'classification', type)).toEqual([])
  })

  it('is that of the address that the steps need', () => {
    const address = Object.keys(objectOf(StepInput.shape.address).shape)
    expect(address.toSorted()).toEqual(Object.keys(without(fieldsOf('classification', 'ExpressionLocationInput'), 'lat', 'lon')).toSorted())
  })
})

describe('docs/walks.md', () => {
  const page = readFileSync(new URL('../../docs/walks.md', import.meta.url), 'utf8')
  const files = [...page.matchAll(/`((?:engines|gateway|rest-adapters|subgraphs)\/[\w/.-]+\.ts)`/g)].map(([, file = '']) => file)

  it('names files that exist', () => {
    expect(files.length).toBeGreaterThan(50)
    expect(files.filter((file) => !existsSync(new URL(`../../${file}`, import.meta.url)))).toEqual([])
  })
})
