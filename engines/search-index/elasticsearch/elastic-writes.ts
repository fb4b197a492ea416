import type { Client, estypes } from '@elastic/elasticsearch'
import { z } from 'zod'
import type { IndexedExpression } from '../search-index.ts'
import { documentOf } from './elastic-documents.ts'

const maxRounds = 5

export interface WriteTarget {
  readonly client: Client
  /** name of an alias or an index */
  readonly name: string
  readonly isAlias: boolean
}

/** A write that the index rejected, of one expression or of all. */
export class WriteRefused extends Error {
  readonly status: number
  constructor(status: number, reason: string) {
    super(reason)
    this.status = status
  }
}

type Operation = estypes.BulkOperationContainer

/**
 * @returns the status of each operation
 * @throws {WriteRefused} for a status not in `expected`
 */
async function bulk(
  { client, name, isAlias }: WriteTarget,
  operations: (Operation | object)[],
  expected: readonly number[],
): Promise<readonly number[]> {
  const answer = await client.bulk({ index: name, require_alias: isAlias, operations })
  return answer.items.map((item) => {
    const [result] = Object.values(item)
    const status = result?.status ?? 500
    if (status >= 300 && !expected.includes(status)) throw new WriteRefused(status, result?.error?.reason ?? 'refused')
    return status
  })
}

const Stored = z.object({ version: z.number() })

/**
 * Writes each expression unless a higher version exists. Elasticsearch compares versions but also remembers deleted ones for a while and rejects
 * them; rejected expressions are therefore read, and absent or lower versions are written conditionally.
 */
export async function putExpressions(target: WriteTarget, expressions: readonly IndexedExpression[]): Promise<void> {
  const statuses = await bulk(
    target,
    expressions.flatMap((each) => [
      { index: { _id: each.id, version: each.version, version_type: 'external_gte' as const } },
      documentOf(each),
    ]),
    [409],
  )
  let refused: readonly IndexedExpression[] = expressions.filter((_, index) => statuses[index] === 409)
  for (let round = 0; refused.length > 0 && round < maxRounds; round++) refused = await putOnCondition(target, refused)
  if (refused.length > 0) throw new WriteRefused(409, 'too many concurrent writes of the same expressions')
}

export async function overwriteExpressions(target: WriteTarget, expressions: readonly IndexedExpression[]): Promise<void> {
  await bulk(
    target,
    expressions.flatMap((each) => [{ index: { _id: each.id } }, documentOf(each)]),
    [],
  )
}

/** @returns those that were changed meanwhile */
async function putOnCondition(target: WriteTarget, expressions: readonly IndexedExpression[]): Promise<readonly IndexedExpression[]> {
  const { docs } = await target.client.mget({ index: target.name, ids: expressions.map(({ id }) => id), _source: ['version'] })
  const operations: (Operation | object)[] = []
  const written: IndexedExpression[] = []
  for (const [index, expression] of expressions.entries()) {
    const stored = docs[index]
    if (stored === undefined || 'error' in stored) throw new WriteRefused(503, 'the stored version cannot be read')
    if (!stored.found) operations.push({ create: { _id: expression.id } })
    else if (Stored.parse(stored._source).version <= expression.version)
      operations.push({ index: { _id: expression.id, if_seq_no: stored._seq_no, if_primary_term: stored._primary_term } })
    else continue
    operations.push(documentOf(expression))
    written.push(expression)
  }
  if (written.length === 0) return []
  const statuses = await bulk(target, operations, [409])
  return written.filter((_, index) => statuses[index] === 409)
}

export async function removeExpressions(target: WriteTarget, ids: readonly string[]): Promise<void> {
  await bulk(
    target,
    ids.map((id) => ({ delete: { _id: id } })),
    [404],
  )
}
