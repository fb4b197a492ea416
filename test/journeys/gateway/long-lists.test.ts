import { type GraphQLField, getNamedType, isNonNullType, isObjectType, isScalarType } from 'graphql'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { clientSchema } from '../../support/clients/client-schema.ts'
import { ContentClient, tokenOf } from '../../support/clients/content-client.ts'
import { VerificationClient } from '../../support/clients/verification-client.ts'
import type { System } from '../../support/processes/platform.ts'
import { startSystem } from '../../support/processes/start-system.ts'

type List = GraphQLField<unknown, unknown>

/** what a list needs besides a length */
const needed: Readonly<Record<string, string>> = { input: '{ text: "water" }', id: '"00000000-0000-4000-8000-000000000000"' }

const lists = Object.values(clientSchema.getTypeMap())
  .filter(isObjectType)
  .flatMap((type) =>
    Object.values(type.getFields()).flatMap((list) =>
      list.args
        .filter(({ name }) => ['first', 'last', 'limit'].includes(name))
        .map((argument) => [`${type.name}.${list.name}`, argument.name, type.name, list] as const),
    ),
  )

let system: System
let token: string
/** where a type is reached that has lists of its own */
let ways: Readonly<Record<string, string>>
beforeAll(async () => {
  system = await startSystem()
  token = await tokenOf(system, 'super_admin')
  await new ContentClient(system.rest.content)
    .with({ authorization: `Bearer ${token}` })
    .import({ nodes: [{ external_id: 'r', title: 'Root' }] })
  const { body } = await new VerificationClient(system).submitBatch([
    {
      citizen_code: 'CIT-1',
      document_type: 'PASSPORT',
      country_code: 'SN',
      selfie_b64: '?',
      cni_recto_b64: '?',
      declared_identity: { first_name: 'Awa', last_name: 'Diop' },
    },
  ])
  const root = await new ContentClient(system.rest.content).get('/api/v1/export')
  const { data } = await ask('{ domains { domains { id } } }')
  ways = {
    Citizen: 'citizen(code: "CIT-1")',
    ContentNode: `contentNode(id: "${root.body[0].id}")`,
    Domain: `domain(id: "${data?.domains.domains[0].id}")`,
    Group: 'group(id: "health")',
    VerificationBatch: `verificationBatch(id: "${body.batch_id}")`,
  }
})
afterAll(() => system?.stop())

async function ask(query: string) {
  const response = await fetch(system.graphqlUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, 'x-service-api-key': system.apiKey },
    body: JSON.stringify({ query }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked at by the test, which says what it expects
  return (await response.json()) as { data?: any; errors?: readonly { path?: readonly string[]; extensions: Record<string, unknown> }[] }
}

function operationOf(parent: string, { name, args, type }: List, argument: string): string {
  const others = args
    .filter((each) => isNonNullType(each.type) && each.defaultValue === undefined)
    .map((each) => `${each.name}: ${needed[each.name]}`)
  const list = `${name}(${[`${argument}: 1000000`, ...others].join(', ')})${isScalarType(getNamedType(type)) ? '' : ' { __typename }'}`
  return parent === 'Query' ? `{ ${list} }` : `{ ${ways[parent]} { ${list} } }`
}

it.each(lists)('%s(%s: 1000000) is refused by the field, which names the argument', async (_, argument, parent, list) => {
  const { errors } = await ask(operationOf(parent, list, argument))
  expect(errors).toMatchObject([
    {
      path: parent === 'Query' ? [list.name] : [expect.anything(), list.name],
      extensions: { code: 'BAD_USER_INPUT', entries: [{ path: [argument] }] },
    },
  ])
})
