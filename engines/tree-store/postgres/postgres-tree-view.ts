import {
  type DraftView,
  type MediaItem,
  maxListCharacters,
  type OutlineNode,
  storableNames,
  type TreeNode,
  type TreeSize,
  type TreeVersion,
  withinCharacters,
} from '../tree-store.ts'
import type { Rows } from './postgres-rows.ts'

interface NodeRow {
  readonly id: string
  readonly external_id: string | null
  readonly parent_id: string | null
  readonly position: number
  readonly depth: number
  readonly children_count: number
  readonly order_key: string
  readonly content_hash: string
  readonly title: string
  readonly slug: string
  readonly summary: string | null
  readonly body: string | null
  readonly locale: string | null
  readonly media: string
  readonly metadata: string
  readonly created_at: Date
  readonly updated_at: Date
}

const outlineColumns = 'id, external_id, parent_id, slug, position, depth, children_count, order_key, content_hash'
const outlineRows = 5000

/** $1: tenant, $2: version. A row is visible unless its key has a newer one. */
const visible = `n.tenant = $1 and n.version <= $2 and not n.deleted and not exists (select 1 from content_node as newer
  where newer.tenant = $1 and newer.order_key = n.order_key and newer.version > n.version and newer.version <= $2)`
/**
 * Omits rows beyond the character limit of a list without reading their texts: a character has at most three bytes in UTF-8.
 * @param rows - a query of rows of `content_node`
 */
const withinListLimit = (rows: string, order = 'order_key'): string => `select * from (
  select listed.*, sum(octet_length(coalesce(body, '')) + octet_length(media) + octet_length(metadata) + octet_length(coalesce(summary, '')))
    over (order by ${order} rows between unbounded preceding and 1 preceding) as bytes_before from (${rows}) as listed
) as summed where bytes_before is null or bytes_before <= ${3 * maxListCharacters} order by ${order}`
const slice = (columns: string): string => `select ${columns} from (select distinct on (order_key) * from content_node
  where tenant = $1 and version <= $2 and order_key > $3 order by order_key, version desc) as newest where not deleted limit $4`

export function postgresTreeView(version: TreeVersion, rows: Rows): DraftView {
  const pinned = [version.tenant, version.number]
  const listed = async (query: string, values: readonly unknown[], signal: AbortSignal): Promise<readonly TreeNode[]> =>
    withinCharacters((await rows<NodeRow>(query, [...pinned, ...values], signal)).map(nodeOf))
  const nodes = (condition: string, values: readonly unknown[], signal: AbortSignal, order?: string): Promise<readonly TreeNode[]> =>
    listed(withinListLimit(`select n.* from content_node as n where ${visible} ${condition}`, order), values, signal)
  const one = async (condition: string, values: readonly unknown[], signal: AbortSignal): Promise<TreeNode | undefined> =>
    (await nodes(`${condition} limit 1`, values, signal))[0]
  const endOf: DraftView['endOf'] = async ({ orderKey, depth }, signal) => {
    const [end] = await rows<{ key: string | null }>(endOfSubtree, [...pinned, orderKey, depth], signal)
    return end?.key ?? undefined
  }
  return {
    version,
    slice: (after, limit, signal) => listed(withinListLimit(slice('*')), [after ?? '', limit], signal),
    nodes: (ids, signal) => nodes('and n.id = any($3)', [storableNames(ids)], signal),
    nodesByExternalId: (externalIds, signal) => nodes('and n.external_id = any($3)', [storableNames(externalIds)], signal),
    children: (parentId, after, limit, signal) =>
      nodes('and n.parent_id = $3 and n.order_key > $4 order by n.order_key limit $5', [parentId, after ?? '', limit], signal),
    childAfter: (parentId, position, id, signal) =>
      one('and n.parent_id = $3 and (n.position, n.id) > ($4, $5) order by n.order_key', [parentId, position, id], signal),
    async lastPosition(parentId, signal) {
      return (await one('and n.parent_id = $3 order by n.order_key desc', [parentId], signal))?.position
    },
    async ancestors({ parentId }, max, signal) {
      const ancestorRows = await rows<{ id: string }>(ancestors, [...pinned, parentId, max], signal)
      return ancestorRows.map(({ id }) => id)
    },
    async size(signal, top) {
      const text = `select count(*)::integer as nodes, coalesce(max(n.depth), 0) as depth from content_node as n where ${visible}
        and n.order_key >= $3 and ($4::text is null or n.order_key < $4)`
      const end = top === undefined ? undefined : await endOf(top, signal)
      const [size] = await rows<TreeSize>(text, [...pinned, top?.orderKey ?? '', end ?? null], signal)
      return { nodes: size?.nodes ?? 0, depth: size?.depth ?? 0 }
    },
    endOf,
    before: (key, limit, signal) =>
      nodes('and ($3::text is null or n.order_key < $3) order by n.order_key desc limit $4', [key, limit], signal, 'order_key desc'),
    async *outline(signal) {
      for (let after = '', more = true; more; ) {
        const page = await rows<Omit<NodeRow, 'body'>>(slice(outlineColumns), [...pinned, after, outlineRows], signal)
        if (page.length > 0) yield page.map(outlineOf)
        after = page.at(-1)?.order_key ?? after
        more = page.length === outlineRows
      }
    },
  }
}

const ancestors = `with recursive up as (
    select n.id, n.parent_id, 1 as step from content_node as n where ${visible} and n.id = $3
    union all
    select n.id, n.parent_id, up.step + 1 from up join content_node as n on n.id = up.parent_id where ${visible} and up.step < $4
  ) select id from up order by step`

/** one index probe per depth, whatever the size of the subtree */
const endOfSubtree = `select min(first.order_key) as key from generate_series(0, $4::integer) as level(depth) cross join lateral (
    select n.order_key from content_node as n where ${visible} and n.depth = level.depth and n.order_key > $3 order by n.order_key limit 1
  ) as first`

function outlineOf(row: Omit<NodeRow, 'body'>): OutlineNode {
  return {
    id: row.id,
    externalId: row.external_id,
    parentId: row.parent_id,
    slug: row.slug,
    position: row.position,
    depth: row.depth,
    childrenCount: row.children_count,
    orderKey: row.order_key,
    contentHash: row.content_hash,
  }
}

function nodeOf(row: NodeRow): TreeNode {
  return {
    ...outlineOf(row),
    title: row.title,
    summary: row.summary,
    body: row.body,
    locale: row.locale,
    // written by recordOf
    media: row.media === '[]' ? noMedia : (JSON.parse(row.media) as readonly MediaItem[]),
    metadata: row.metadata === '{}' ? noMetadata : (JSON.parse(row.metadata) as Readonly<Record<string, unknown>>),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

const noMedia: readonly MediaItem[] = []
const noMetadata: Readonly<Record<string, unknown>> = {}

/** Converts a node to a JSON row. */
export function recordOf(node: TreeNode): NodeRow {
  return {
    id: node.id,
    external_id: node.externalId,
    parent_id: node.parentId,
    position: node.position,
    depth: node.depth,
    children_count: node.childrenCount,
    order_key: node.orderKey,
    content_hash: node.contentHash,
    title: node.title,
    slug: node.slug,
    summary: node.summary,
    body: node.body,
    locale: node.locale,
    media: JSON.stringify(node.media),
    metadata: JSON.stringify(node.metadata),
    created_at: node.createdAt,
    updated_at: node.updatedAt,
  }
}
