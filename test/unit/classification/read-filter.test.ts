import { expect, it } from 'vitest'
import { DomainTree } from '../../../engines/analytics-store/domain-tree.ts'
import { readFilter, readListFilter } from '../../../subgraphs/classification/graphql/read-filter.ts'

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

it('finds expressions of a moved sub-domain and of retired domains under their stored ids', async () => {
  const domain = (id: string, parentId: string | null) => ({ id, parentId }) as never
  const tree = new DomainTree({
    // moved from energy
    domains: [domain('health', null), domain('energy', null), domain('energy/staff', 'health'), domain('energy/grid', 'energy')],
    successors: new Map([
      ['clinics', 'health'],
      ['clinics/staff', 'energy/staff'],
      ['energy/old', 'energy/grid'],
    ]),
  })
  const of = async (...domainIds: string[]) => {
    const { taxonomy, exceptSubDomains } = await readListFilter({ domainIds }, { tree: async () => tree }, 'UTC')
    return [taxonomy?.toSorted(), exceptSubDomains?.toSorted()]
  }
  expect(await of('health')).toEqual([
    ['clinics', 'clinics/staff', 'energy/staff', 'health'],
    ['energy/grid', 'energy/old'],
  ])
  expect(await of('clinics')).toEqual(await of('health'))
  expect(await of('energy')).toEqual([
    ['energy', 'energy/grid', 'energy/old'],
    ['clinics', 'clinics/staff', 'energy/staff'],
  ])
  expect(await of('energy/staff')).toEqual([
    ['clinics/staff', 'energy/staff'],
    ['clinics', 'energy/grid', 'energy/old'],
  ])
})
