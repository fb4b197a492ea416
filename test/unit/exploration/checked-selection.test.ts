import { expect, it } from 'vitest'
import { outOfRange } from '../../../foundation/validation/violation.ts'
import { checkedSelection } from '../../../subgraphs/exploration/queries/selection.ts'
import { TaxonomyTree } from '../../../subgraphs/exploration/queries/taxonomy-tree.ts'

const rollUps = {
  read: <Result>(work: (snapshot: { readonly taxonomy: TaxonomyTree }) => Promise<Result>) => work({ taxonomy: new TaxonomyTree([]) }),
}

it('a filter is refused with every invalid member, an unknown domain and other arguments included', async () => {
  const filter = { domainId: 'weather', lang: 'long', box: { west: 0, south: 2, east: 1, north: 1 }, from: '2026-02-01', to: '2026-01-01' }
  await expect(checkedSelection(filter, rollUps, [outOfRange(['zoom'], 0, 22)])).rejects.toMatchObject({
    code: 'BAD_USER_INPUT',
    details: { entries: ['zoom', 'lang', 'from', 'box', 'domainId'].map((name) => ({ path: [name] })) },
  })
})

it('an unknown domain is named as the client sent it', async () => {
  await expect(checkedSelection({ domain: 'weather', lang: 'long' }, rollUps)).rejects.toMatchObject({
    details: { entries: [{ path: ['lang'] }, { code: 'unknown', path: ['domain'] }] },
  })
})
