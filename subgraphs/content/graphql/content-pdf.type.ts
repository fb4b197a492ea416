import { Field, ID, Int, ObjectType } from 'type-graphql'
import { DateTime } from '../../../foundation/graphql/date-time.ts'
import { ContentSource } from './node.type.ts'

@ObjectType('File', { description: 'Bytes that are fetched apart from the graph' })
export class ContentFile {
  @Field(() => ID, { description: 'Says what is in it: equal id, equal bytes' })
  readonly id!: string
  @Field(() => Int, { description: 'Its length' })
  readonly bytes!: number
  @Field(() => String, { description: 'SHA-256 of the bytes, in hexadecimal' })
  readonly sha256!: string
  @Field(() => String, { description: 'Media type, such as application/pdf' })
  readonly mediaType!: string
  @Field(() => String, {
    description:
      'Where it is fetched: a relative address, below that of component E; with the tenant in X-Tenant-Id unless it is `default`',
  })
  readonly url!: string
}

@ObjectType({ description: 'A node and everything below it as PDF' })
export class ContentPdf {
  @Field(() => ContentFile, {
    nullable: true,
    description: 'The file; null while it is being made: ask again within 10 s, else it is given up',
  })
  readonly file!: ContentFile | null
  @Field(() => String, { description: 'A name to save it under, made of the node’s slug' })
  readonly fileName!: string
  @Field(() => Int, { description: 'Version of the tree; equal version, equal bytes' })
  readonly version!: number
  @Field(() => ContentSource, { description: 'Where the content was read' })
  readonly source!: ContentSource
  @Field(() => DateTime, { nullable: true, description: 'The moment that the snapshot shows; null when the store answered' })
  readonly snapshotAt!: Date | null
}
