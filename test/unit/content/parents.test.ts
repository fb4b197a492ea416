import { expect, it } from 'vitest'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import { ContentResolver } from '../../../subgraphs/content/graphql/content.resolver.ts'
import type { ContentNode } from '../../../subgraphs/content/graphql/node.type.ts'

it('parents are read once for all nodes of a request, in the version of each node', async () => {
  const readings: (readonly string[])[] = []
  const view = (number: number) => ({
    version: { tenant: 'default', number, at: new Date(0) },
    async nodes(ids: readonly string[]) {
      readings.push(ids)
      return ids.filter((id) => id !== 'gone').map((id) => ({ id, title: `${id} in version ${number}`, media: [], metadata: {} }))
    },
  })
  const node = (parentId: string | null, number = 1) => ({ parentId, tenantId: 'default', view: view(number) }) as unknown as ContentNode
  // the resolver reads only the views of the nodes
  const resolver = new ContentResolver(undefined as never, undefined as never, undefined as never)
  const context = { loaders: new Map() } as unknown as RequestContext
  const above = await Promise.all(
    [node('a'), node('b'), node('a'), node('gone'), node(null), node('a', 2)].map((each) => resolver.parent(each, context)),
  )
  expect(above.map((each) => each?.title)).toEqual([
    'a in version 1',
    'b in version 1',
    'a in version 1',
    undefined,
    undefined,
    'a in version 2',
  ])
  expect(readings).toEqual([['a', 'b', 'gone'], ['a']])
})
