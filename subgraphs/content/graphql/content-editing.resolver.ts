import { Arg, Ctx, Mutation, Resolver } from 'type-graphql'
import type { NodeContent } from '../../../engines/tree-store/tree-store.ts'
import { InvalidInput } from '../../../foundation/fault.ts'
import { Authorise } from '../../../foundation/graphql/authorisation.ts'
import { nodeIdOf } from '../../../foundation/graphql/node-id.ts'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import type { ImportTree } from '../import/import-tree.ts'
import { editors, writableTenant } from '../tenant.ts'
import type { EditTree } from '../tree/edit-tree.ts'
import { contentOf, problemsOf } from '../tree/node-rules.ts'
import type { ReadWritten } from '../tree/read-tree.ts'
import {
  AppendContentImportInput,
  type ContentNodeInput,
  CreateContentNodeInput,
  FinishContentImportInput,
  MoveContentNodeInput,
  StartContentImportInput,
  UpdateContentNodeInput,
} from './node.input.ts'
import {
  AppendContentImportPayload,
  CreateContentNodePayload,
  FinishContentImportPayload,
  MoveContentNodePayload,
  StartContentImportPayload,
  UpdateContentNodePayload,
} from './node.type.ts'

/** Changes of content by administrators, each in the tenants of its groups. */
@Resolver()
export class ContentEditingResolver {
  readonly #edit: EditTree
  readonly #import: ImportTree
  readonly #shown: ReadWritten

  constructor(edit: EditTree, imports: ImportTree, shown: ReadWritten) {
    this.#edit = edit
    this.#import = imports
    this.#shown = shown
  }

  @Mutation(() => CreateContentNodePayload, {
    description: 'Creates a node; its depth and path follow from its parent. Repeating the same call changes nothing.',
  })
  @Authorise(...editors)
  async createContentNode(
    @Arg('input', () => CreateContentNodeInput) input: CreateContentNodeInput,
    @Ctx() context: RequestContext,
  ): Promise<CreateContentNodePayload> {
    const tenant = writableTenant(context.principal, input.tenantId)
    const { id, parentId, position } = input
    const wanted = { id: id ?? undefined, parentId: parentId ?? undefined, position: position ?? undefined, content: checked(input) }
    const { node, created } = await this.#edit.create(tenant, wanted, context)
    return { node: await this.#shown(tenant, node, context.signal), created }
  }

  @Mutation(() => UpdateContentNodePayload, { description: 'Changes the content of a node.' })
  @Authorise(...editors)
  async updateContentNode(
    @Arg('input', () => UpdateContentNodeInput) input: UpdateContentNodeInput,
    @Ctx() context: RequestContext,
  ): Promise<UpdateContentNodePayload> {
    const tenant = writableTenant(context.principal, input.tenantId)
    const changes = Object.fromEntries(
      Object.entries(input).filter(([name, value]) => value !== undefined && !['tenantId', 'id', 'ifUpdatedAt'].includes(name)),
    )
    const change = (content: NodeContent): NodeContent => {
      const { title, slug, ...more } = { ...inputOf(content), ...changes }
      // a title cannot be removed; a removed slug is derived from the title again
      return checked({ ...more, title: title ?? '', slug: slug ?? null })
    }
    const node = await this.#edit.update(tenant, { id: input.id, change, ifUpdatedAt: input.ifUpdatedAt ?? undefined }, context)
    return { node: await this.#shown(tenant, node, context.signal) }
  }

  @Mutation(() => MoveContentNodePayload, { description: 'Moves a node and its descendants to another place in the tree.' })
  @Authorise(...editors)
  async moveContentNode(
    @Arg('input', () => MoveContentNodeInput) { tenantId, id, parentId, position }: MoveContentNodeInput,
    @Ctx() context: RequestContext,
  ): Promise<MoveContentNodePayload> {
    const tenant = writableTenant(context.principal, tenantId)
    const node = await this.#edit.move(tenant, id, parentId, position ?? undefined, context)
    return { node: await this.#shown(tenant, node, context.signal) }
  }

  @Mutation(() => StartContentImportPayload, {
    description:
      'Starts an import. Append nodes, then finish it; the nodes become visible only then. An unfinished import is discarded after one hour.',
  })
  @Authorise(...editors)
  async startContentImport(
    @Arg('input', () => StartContentImportInput) { tenantId, mode, dryRun }: StartContentImportInput,
    @Ctx() context: RequestContext,
  ): Promise<StartContentImportPayload> {
    return { importId: await this.#import.start(writableTenant(context.principal, tenantId), mode, dryRun, context) }
  }

  @Mutation(() => AppendContentImportPayload, { description: 'Adds nodes to an import, in any order.' })
  @Authorise(...editors)
  async appendContentImport(
    @Arg('input', () => AppendContentImportInput) { importId, sequence, nodes }: AppendContentImportInput,
    @Ctx() context: RequestContext,
  ): Promise<AppendContentImportPayload> {
    await this.#own(importId, context)
    await this.#import.append(importId, sequence, nodes, context.deadline)
    return { received: nodes.length }
  }

  @Mutation(() => FinishContentImportPayload, {
    description: 'Publishes all nodes of an import at once, or none when they do not form a tree.',
  })
  @Authorise(...editors)
  async finishContentImport(
    @Arg('input', () => FinishContentImportInput) { importId, confirm }: FinishContentImportInput,
    @Ctx() context: RequestContext,
  ): Promise<FinishContentImportPayload> {
    const tenantId = await this.#own(importId, context)
    const summary = await this.#import.finish(importId, confirm, context)
    if (summary === undefined) return { summary: null }
    return { summary: { ...summary, tenantId, deletedNodeIds: summary.deletedIds.map((id) => nodeIdOf('ContentNode', tenantId, id)) } }
  }

  /** @returns the tenant of the import  @throws {Forbidden} for a caller who may not write it */
  async #own(importId: string, { principal, signal }: RequestContext): Promise<string> {
    return writableTenant(principal, (await this.#import.about(importId, signal)).tenant)
  }
}

function checked(input: ContentNodeInput): NodeContent {
  const entries = problemsOf(input)
  const [first] = entries
  if (first !== undefined) throw new InvalidInput(first.message, entries)
  return contentOf(input)
}

const inputOf = ({ media, ...content }: NodeContent): ContentNodeInput => ({ ...content, media: [...media] })
