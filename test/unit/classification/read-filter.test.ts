import { expect, it } from 'vitest'
import { DomainTree } from '../../../engines/analytics-store/domain-tree.ts'
import { readFilter } from '../../../subgraphs/classification/graphql/read-filter.ts'

const topics = { tree: async () => new DomainTree({ domains: [{ id: 'health' } as never], successors: new Map() }) }
const here = { lat: 5, lon: 5, radiusKm: 5 }

it.each([
  [{ circle: { ...here, radiusKm: 0 } }, ['circle', 'radiusKm']],
  [{ circle: { ...here, lat: 91 } }, ['circle', 'lat']],
  [{ circle: { ...here, lon: -181 } }, ['circle', 'lon']],
  [{ box: { west: 0, east: 1, south: 2, north: 1 } }, ['box']],
  [{ domainIds: [] }, ['domainIds']],
  [{ domainIds: ['health', 'weather'] }, ['domainIds', 1]],
  // the former name
  [{ domainIds: ['health'], domains: ['health'] }, ['domains']],
  [{ domains: [] }, ['domains']],
  [{ domains: ['health', 'weather'] }, ['domains', 1]],
])('an invalid filter is refused with the path of its member: %o', async (filter, path) => {
  await expect(readFilter(filter, topics)).rejects.toMatchObject({ code: 'BAD_USER_INPUT', details: { entries: [{ path }] } })
})
