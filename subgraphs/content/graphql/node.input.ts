import { Field, ID, InputType, Int, registerEnumType } from 'type-graphql'
import { DateTime } from '../../../foundation/graphql/date-time.ts'
import { Json } from './node.type.ts'

@InputType({ description: 'Something to look at beside a text' })
export class ContentMediaInput {
  @Field(() => String, { description: 'Its address' })
  url!: string
  @Field(() => String, { nullable: true, description: 'Media type, such as image/png' })
  type?: string | null
  @Field(() => String, { nullable: true, description: 'What it shows' })
  alt?: string | null
  @Field(() => String, { nullable: true, description: 'What stands below it' })
  caption?: string | null
}

export const tenant = 'The tenant; left out, that of the token, else `default`'

@InputType({ description: 'What a node says; members left out are empty' })
export class ContentNodeInput {
  @Field(() => ID, { nullable: true, description: 'Its id; left out, one is made: the same again for the same externalId' })
  id?: string | null
  @Field(() => String, { nullable: true, description: 'What the system that it comes from calls it, at most 500 characters' })
  externalId?: string | null
  @Field(() => ID, { nullable: true, description: 'The node above' })
  parentId?: string | null
  @Field(() => String, { description: 'Title, 1 to 500 characters' })
  title!: string
  @Field(() => String, { nullable: true, description: 'The title as a part of an address; left out, made of the title' })
  slug?: string | null
  @Field(() => String, { nullable: true, description: 'At most 5,000 characters' })
  summary?: string | null
  @Field(() => String, { nullable: true, description: 'Markdown, at most 1,000,000 characters' })
  body?: string | null
  @Field(() => String, { nullable: true, description: 'Language, BCP 47' })
  locale?: string | null
  @Field(() => Int, { nullable: true, description: 'Place among its siblings; left out, after all others' })
  position?: number | null
  @Field(() => [ContentMediaInput], { nullable: true, description: 'At most 100' })
  media?: ContentMediaInput[] | null
  @Field(() => Json, { nullable: true, description: 'An object of at most 64 KB' })
  metadata?: unknown
}

@InputType({ description: 'A node to create' })
export class CreateContentNodeInput extends ContentNodeInput {
  @Field(() => ID, { nullable: true, description: tenant })
  tenantId?: string | null
}

@InputType({ description: 'What a node is to say; members left out stay as they are, null empties them' })
export class UpdateContentNodeInput {
  @Field(() => ID, { nullable: true, description: tenant })
  tenantId?: string | null
  @Field(() => ID, { description: 'The node' })
  id!: string
  @Field(() => DateTime, {
    nullable: true,
    description:
      'Its `updatedAt` as the writer has read it: CONFLICT where it was changed since, so that nobody writes over what they have not seen',
  })
  ifUpdatedAt?: Date | null
  @Field(() => String, { nullable: true, description: 'What the system that it comes from calls it, at most 500 characters' })
  externalId?: string | null
  @Field(() => String, { nullable: true, description: 'Title, 1 to 500 characters; it cannot be emptied' })
  title?: string | null
  @Field(() => String, { nullable: true, description: 'The title as a part of an address; emptied, it is made of the title' })
  slug?: string | null
  @Field(() => String, { nullable: true, description: 'A few sentences, at most 5,000 characters' })
  summary?: string | null
  @Field(() => String, { nullable: true, description: 'Markdown, at most 1,000,000 characters' })
  body?: string | null
  @Field(() => String, { nullable: true, description: 'Language, BCP 47' })
  locale?: string | null
  @Field(() => [ContentMediaInput], { nullable: true, description: 'Pictures and the like, at most 100, instead of those that are there' })
  media?: ContentMediaInput[] | null
  @Field(() => Json, { nullable: true, description: 'An object of at most 64 KB, instead of the one that is there' })
  metadata?: unknown
}

@InputType({ description: 'Where a node is to stand' })
export class MoveContentNodeInput {
  @Field(() => ID, { nullable: true, description: tenant })
  tenantId?: string | null
  @Field(() => ID, { description: 'The node, which takes everything below it along' })
  id!: string
  @Field(() => ID, { description: 'The node above it from now on' })
  parentId!: string
  @Field(() => Int, { nullable: true, description: 'Place among its new siblings; left out, after all others' })
  position?: number | null
}

export enum ContentImportMode {
  UPSERT = 'upsert',
  REPLACE = 'replace',
}
registerEnumType(ContentImportMode, {
  name: 'ContentImportMode',
  description: 'UPSERT keeps nodes that the import does not hold; REPLACE moves them to the trash',
})

@InputType({ description: 'An import to begin' })
export class StartContentImportInput {
  @Field(() => ID, { nullable: true, description: tenant })
  tenantId?: string | null
  @Field(() => ContentImportMode, { defaultValue: ContentImportMode.UPSERT, description: 'What becomes of nodes that do not come' })
  mode!: ContentImportMode
  @Field(() => Boolean, { defaultValue: false, description: 'Only tell what it would do' })
  dryRun!: boolean
}

@InputType({ description: 'A node of an import' })
export class ContentImportNodeInput extends ContentNodeInput {
  @Field(() => String, { nullable: true, description: 'The node above, by what the other system calls it' })
  parentExternalId?: string | null
  @Field(() => String, { nullable: true, description: 'A name within this import, for a node that has no id yet' })
  key?: string | null
  @Field(() => String, { nullable: true, description: 'The node above, by its key' })
  parentKey?: string | null
  @Field(() => DateTime, { nullable: true, description: 'When it was created; counts only for a node that is new here' })
  createdAt?: Date | null
  @Field(() => DateTime, { nullable: true, description: 'When it last changed; likewise' })
  updatedAt?: Date | null
}

@InputType({ description: 'Nodes of an import; nobody sees them until it is finished' })
export class AppendContentImportInput {
  @Field(() => ID, { description: 'The import' })
  importId!: string
  @Field(() => Int, { description: '0, 1, 2, …: the same number again replaces what it brought' })
  sequence!: number
  @Field(() => [ContentImportNodeInput], { description: 'At most 1,000' })
  nodes!: ContentImportNodeInput[]
}

@InputType({ description: 'An import to finish' })
export class FinishContentImportInput {
  @Field(() => ID, { description: 'The import' })
  importId!: string
  @Field(() => Boolean, {
    defaultValue: false,
    description: 'Required to be true where an import with REPLACE holds no nodes and is no dry run: the whole tree moves to the trash',
  })
  confirm!: boolean
}
