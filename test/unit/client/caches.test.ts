import { readFileSync } from 'node:fs'
import { InMemoryCache } from '@apollo/client'
import { isAbstractType, isIntrospectionType, isObjectType } from 'graphql'
import { describe, expect, it } from 'vitest'
import { typePolicies } from '../../../packages/civigraph-client/src/caches/apollo.ts'
import { possibleTypes } from '../../../packages/civigraph-client/src/caches/possible-types.ts'
import { clientSchema } from '../../support/clients/client-schema.ts'

const types = Object.values(clientSchema.getTypeMap()).filter((type) => !isIntrospectionType(type))
const read = (path: string) => JSON.parse(readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8'))

/** Arguments that select a page of a list, not the list. */
const pageArguments = ['first', 'after', 'last', 'before']
const lists = types.filter(isObjectType).flatMap((type) =>
  Object.values(type.getFields())
    .filter(({ args }) => args.some(({ name }) => name === 'after') && args.some(({ name }) => name === 'first'))
    .map(
      ({ name, args }) => [`${type.name}.${name}`, args.map((each) => each.name).filter((each) => !pageArguments.includes(each))] as const,
    ),
)

describe('the cache configuration of the package', () => {
  it('lists every abstract type with its possible types', () => {
    const abstract = types.filter(isAbstractType).map((type) => [
      type.name,
      clientSchema
        .getPossibleTypes(type)
        .map(({ name }) => name)
        .sort(),
    ])
    expect(possibleTypes).toEqual(Object.fromEntries(abstract))
  })

  it.each(lists)('joins the pages of %s and separates its lists by %j', (place, parts) => {
    const [type = '', field = ''] = place.split('.')
    const policy = typePolicies[type]?.fields?.[field]
    expect(policy).toMatchObject({ keyArgs: parts.length === 0 ? false : expect.any(Array), merge: expect.any(Function) })
    const { keyArgs = [] } = policy as { readonly keyArgs?: readonly string[] | false }
    expect([...(keyArgs || [])].sort()).toEqual([...parts].sort())
  })

  it('names only existing types and fields', () => {
    for (const [name, { fields = {} }] of Object.entries(typePolicies)) {
      const type = clientSchema.getType(name)
      if (!isObjectType(type)) throw new Error(`there is no ${name}`)
      for (const field of Object.keys(fields))
        expect([name, Object.keys(type.getFields())]).toEqual([name, expect.arrayContaining([field])])
    }
    expect(new InMemoryCache({ typePolicies, possibleTypes })).toBeDefined()
  })

  it('gives the Relay compiler the same scalars as the code generators', () => {
    const { customScalarTypes, schemaConfig } = read('docs/clients/relay.config.json')
    expect(Object.keys(customScalarTypes).sort()).toEqual(Object.keys(read('packages/civigraph-client/scalars.json')).sort())
    expect(schemaConfig).toEqual({ nodeInterfaceIdField: 'nodeId' })
  })
})
