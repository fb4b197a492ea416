import type { AuditEntry, AuditedRequest, AuditTrail } from '../../../engines/audit/audit-trail.ts'
import type { TreeDraft, TreeNode, TreeStore, TreeView } from '../../../engines/tree-store/tree-store.ts'
import type { Clock } from '../../../foundation/clock.ts'
import type { Deadline } from '../../../foundation/concurrency/deadline.ts'

/** The request of an editor. */
export interface EditRequest extends AuditedRequest {
  readonly deadline: Deadline
}

/** Dependencies of every change of a tree. */
export interface EditDependencies {
  readonly store: TreeStore
  readonly clock: Clock
  readonly audit: Pick<AuditTrail, 'record'>
  readonly placeholderIn: PlaceholderRule
}

/** A change of a tree in the audit trail: ids and counts, never texts. */
export interface ContentAction {
  readonly name: 'create' | 'update' | 'move' | 'remove' | 'restore' | 'purge' | 'import.start' | 'import.finish'
  readonly outcome?: AuditEntry['outcome']
  readonly tenant: string
  /** id of the node or of the import */
  readonly target: string
  readonly details: Readonly<Record<string, unknown>>
}

/**
 * Records a change before it becomes visible, in the transaction of the draft if there is one; a change that fails later leaves a record.
 * @throws {EngineUnavailable} the change must not be made without a record
 */
export function recordAction(
  audit: EditDependencies['audit'],
  request: AuditedRequest,
  { name, outcome = 'done', tenant, target, details }: ContentAction,
  draft?: Pick<TreeDraft, 'transaction'>,
): Promise<void> {
  return audit.record(request, [{ action: `content.${name}`, outcome, target, details: { tenant, ...details } }], draft?.transaction)
}

/**
 * Decides which trees are placeholders; the first root that a tenant creates replaces such a tree.
 * @returns the nodes of a placeholder; undefined for any other tree, and without a tree
 */
export type PlaceholderRule = (tree: TreeView | undefined, signal: AbortSignal) => Promise<readonly TreeNode[] | undefined>
