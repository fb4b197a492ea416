import { Field, ID, InputType, Int } from 'type-graphql'
import { registerEnum } from '../../../foundation/graphql/enum-type.ts'
import { DateTime, Json } from '../../../foundation/graphql/scalars.ts'
import type { ImportNodeInput } from '../import/import-tree.ts'
import type { NodeInput } from '../tree/node-rules.ts'
import { ContentImportMode } from '../vocabulary.ts'

@InputType({ description: 'A media file that accompanies a text.' })
export class ContentMediaInput {
  @Field(() => String, { description: 'URL of the file.' })
  url!: string
  @Field(() => String, { nullable: true, description: 'Media type, such as image/png.' })
  type?: string | null
  @Field(() => String, { nullable: true, description: 'Text alternative.' })
  alt?: string | null
  @Field(() => String, { nullable: true, description: 'Caption.' })
  caption?: string | null
}

export const tenantDescription = 'Id of the tenant; by default that of the token, otherwise `default`.'

@InputType({ description: 'Content of a node; omitted fields are empty.' })
export class ContentNodeInput implements NodeInput {
  @Field(() => ID, { nullable: true, description: 'Id of the node; by default generated, from `externalId` if it is set.' })
  id?: string | null
  @Field(() => String, { nullable: true, description: 'Id in the source system, at most 500 characters.' })
  externalId?: string | null
  @Field(() => ID, { nullable: true, description: 'Id of the parent.' })
  parentId?: string | null
  @Field(() => String, { description: 'Title, 1 to 500 characters.' })
  title!: string
  @Field(() => String, { nullable: true, description: 'Title in a form for URLs; by default derived from the title.' })
  slug?: string | null
  @Field(() => String, { nullable: true, description: 'Summary, at most 5,000 characters.' })
  summary?: string | null
  @Field(() => String, { nullable: true, description: 'Body in Markdown, at most 1,000,000 characters.' })
  body?: string | null
  @Field(() => String, { nullable: true, description: 'Language (BCP 47).' })
  locale?: string | null
  @Field(() => Int, { nullable: true, description: 'Position among its siblings; by default last.' })
  position?: number | null
  @Field(() => [ContentMediaInput], { nullable: true, description: 'Media files, at most 100.' })
  media?: ContentMediaInput[] | null
  @Field(() => Json, { nullable: true, description: 'Additional data that the tenant defines: a JSON object of at most 64 KB.' })
  metadata?: unknown
}

@InputType({ description: 'The node to create.' })
export class CreateContentNodeInput extends ContentNodeInput {
  @Field(() => ID, { nullable: true, description: tenantDescription })
  tenantId?: string | null
}

@InputType({ description: 'Changes to a node; omitted fields keep their values, null removes them.' })
export class UpdateContentNodeInput {
  @Field(() => ID, { nullable: true, description: tenantDescription })
  tenantId?: string | null
  @Field(() => ID, { description: 'Id of the node.' })
  id!: string
  @Field(() => DateTime, {
    nullable: true,
    description:
      'The `updatedAt` that the client has read; when the node was changed since, the call fails with CONFLICT and changes nothing.',
  })
  ifUpdatedAt?: Date | null
  @Field(() => String, { nullable: true, description: 'Id in the source system, at most 500 characters.' })
  externalId?: string | null
  @Field(() => String, { nullable: true, description: 'Title, 1 to 500 characters; cannot be removed.' })
  title?: string | null
  @Field(() => String, { nullable: true, description: 'Title in a form for URLs; null derives it from the title.' })
  slug?: string | null
  @Field(() => String, { nullable: true, description: 'Summary, at most 5,000 characters.' })
  summary?: string | null
  @Field(() => String, { nullable: true, description: 'Body in Markdown, at most 1,000,000 characters.' })
  body?: string | null
  @Field(() => String, { nullable: true, description: 'Language (BCP 47).' })
  locale?: string | null
  @Field(() => [ContentMediaInput], { nullable: true, description: 'Media files, at most 100; they replace the existing ones.' })
  media?: ContentMediaInput[] | null
  @Field(() => Json, { nullable: true, description: 'An object of at most 64 KB; it replaces the existing one.' })
  metadata?: unknown
}

@InputType({ description: 'New place of a node.' })
export class MoveContentNodeInput {
  @Field(() => ID, { nullable: true, description: tenantDescription })
  tenantId?: string | null
  @Field(() => ID, { description: 'Id of the node; its descendants move with it.' })
  id!: string
  @Field(() => ID, { description: 'Id of the new parent.' })
  parentId!: string
  @Field(() => Int, { nullable: true, description: 'Position among its new siblings; by default last.' })
  position?: number | null
}

registerEnum(ContentImportMode, {
  name: 'ContentImportMode',
  description: 'Treatment of existing nodes that an import does not contain.',
  values: {
    UPSERT: 'Existing nodes that the import does not contain remain.',
    REPLACE: 'Existing nodes that the import does not contain are moved to the trash.',
  },
})

@InputType({ description: 'The content import to start.' })
export class StartContentImportInput {
  @Field(() => ID, { nullable: true, description: tenantDescription })
  tenantId?: string | null
  @Field(() => ContentImportMode, {
    defaultValue: ContentImportMode.UPSERT,
    description: 'Treatment of existing nodes that the import does not contain.',
  })
  mode!: ContentImportMode
  @Field(() => Boolean, { defaultValue: false, description: 'Whether to compute the result without changing the tree.' })
  dryRun!: boolean
}

@InputType({ description: 'A node of an import.' })
export class ContentImportNodeInput extends ContentNodeInput implements ImportNodeInput {
  @Field(() => String, { nullable: true, description: 'Id of the parent in the source system.' })
  parentExternalId?: string | null
  @Field(() => String, { nullable: true, description: 'Key of the node within this import, for a node without an id.' })
  key?: string | null
  @Field(() => String, { nullable: true, description: 'Key of the parent within this import.' })
  parentKey?: string | null
  @Field(() => DateTime, { nullable: true, description: 'Time of creation; used only for a new node.' })
  createdAt?: Date | null
  @Field(() => DateTime, { nullable: true, description: 'Time of the last change; used only for a new node.' })
  updatedAt?: Date | null
}

@InputType({ description: 'Nodes to add to an import; they become visible when it is finished.' })
export class AppendContentImportInput {
  @Field(() => ID, { description: 'Id of the import.' })
  importId!: string
  @Field(() => Int, {
    description: 'Number of the request: 0, 1, 2 and so on; a repeated number replaces the nodes of the earlier request.',
  })
  sequence!: number
  @Field(() => [ContentImportNodeInput], { description: 'The nodes, at most 1,000.' })
  nodes!: ContentImportNodeInput[]
}

@InputType({ description: 'The content import to finish.' })
export class FinishContentImportInput {
  @Field(() => ID, { description: 'Id of the import.' })
  importId!: string
  @Field(() => Boolean, {
    defaultValue: false,
    description: 'Must be true when an import with REPLACE contains no nodes and is not a dry run: it moves the whole tree to the trash.',
  })
  confirm!: boolean
}
