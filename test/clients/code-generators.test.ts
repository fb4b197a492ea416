import { execFile } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { clientSchemaText } from '../support/clients/client-schema.ts'
import { withPackages, workshop } from '../support/clients/workshop.ts'

const run = promisify(execFile)
const patience = { timeout: 150_000, maxBuffer: 16 * 1024 * 1024 }
const typescript = await workshop(
  'graphql-codegen',
  withPackages(
    '@graphql-codegen/cli@7.4.3',
    '@graphql-codegen/typed-document-node@7.1.1',
    '@graphql-codegen/typescript-operations@6.1.9',
    'typescript@5.9.3',
    'graphql@16.15.0',
  ),
)
afterAll(() => typescript && rm(typescript, { recursive: true, force: true }))

const client = new URL('../../packages/civigraph-client/', import.meta.url)

const operations = `query Written($group: ID!, $tenant: ID, $batch: ID!, $from: Date) {
  group(id: $group) { id delegations(last: 2) { totalCount nodes { id group { id } } } }
  tenant(id: $tenant) { id root { root { id parent { id } } } }
  contentPdf(tenantId: $tenant) { file { url } }
  verificationBatch(id: $batch) { jobs { nodes { id status } } }
  me { roles }
  statistics(filter: { from: $from }) { sentiment { history { day } } }
  expressions { nodes { location { precision } } }
}
mutation Enter($input: LoginInput!) { login(input: $input) { administrator { id roles } } }
mutation Remove($input: DeleteContentNodeInput!) { deleteContentNode(input: $input) { id tenantId deletedNodeId } }
`
/** Each marked line misuses the generated types and must be a compiler error. */
const program = `
import type { EnterMutation, RemoveMutation, WrittenQuery, WrittenQueryVariables } from './generated.ts'
declare const written: WrittenQuery, entered: EnterMutation, removed: RemoveMutation
export const variables: WrittenQueryVariables = { group: 'north', batch: 'b', from: '2026-01-31' }
export const group: string | undefined = written.group?.id
export const count: number | undefined = written.group?.delegations?.totalCount
export const parent: string | undefined = written.tenant?.root?.root.parent?.id
export const url: string | undefined = written.contentPdf?.file?.url
export const status: 'QUEUED' | 'PROCESSING' | 'COMPLETED' | 'ERROR' | undefined = written.verificationBatch?.jobs?.nodes[0]?.status
export const roles: readonly ('SUPER_ADMIN' | 'GROUP_ADMIN' | 'REVIEWER')[] | undefined = entered.login?.administrator.roles
export const day: string | undefined = written.statistics?.sentiment.history[0]?.day
export const gone: string | undefined = removed.deleteContentNode?.deletedNodeId
// @ts-expect-error a refused field is null
export const refused: object = written.me
// @ts-expect-error the precision of a location is one of six values
export const precision: 'ROUGH' | undefined = written.expressions?.nodes[0]?.location?.precision
// @ts-expect-error a day is a string
export const wrong: WrittenQueryVariables = { group: 'north', batch: 'b', from: 20260131 }
`

describe.skipIf(typescript === undefined)('graphql-codegen', () => {
  it('generates correct types from the schema, the scalars of the package and the operations of a page, without warnings', async () => {
    const folder = typescript ?? ''
    const scalars: unknown = JSON.parse(await readFile(new URL('scalars.json', client), 'utf8'))
    const config = { scalars, strictScalars: true, immutableTypes: true, useTypeImports: true }
    const generates = { 'generated.ts': { plugins: ['typescript-operations', 'typed-document-node'], config } }
    await writeFile(join(folder, 'schema.graphql'), clientSchemaText)
    await writeFile(join(folder, 'written.graphql'), operations)
    await writeFile(join(folder, 'codegen.json'), JSON.stringify({ schema: 'schema.graphql', documents: 'written.graphql', generates }))
    await writeFile(join(folder, 'program.ts'), program)
    const generator = join(folder, 'node_modules/.bin/graphql-codegen')
    const output = await run(generator, ['--config', 'codegen.json'], { cwd: folder, ...patience })
    expect(`${output.stdout}${output.stderr}`).not.toMatch(/warn|deprecat|⚠|error/i)
    const options = ['--strict', '--noEmit', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2022', '--allowImportingTsExtensions']
    const compiler = join(folder, 'node_modules/.bin/tsc')
    const complaints = run(compiler, [...options, 'program.ts'], { cwd: folder, ...patience }).then(
      ({ stdout }) => stdout,
      ({ stdout }) => stdout,
    )
    expect(await complaints).toBe('')
  })
})
