import { Field, ID, Int, ObjectType } from 'type-graphql'
import { DateTime } from '../../../foundation/graphql/scalars.ts'
import { ContentSource } from '../vocabulary.ts'

@ObjectType('File', { description: 'A file to download separately from the graph.' })
export class ContentFile {
  @Field(() => ID, { description: 'Id of the file; equal ids identify equal bytes.' })
  readonly id!: string
  @Field(() => Int, { description: 'Size of the file in bytes.' })
  readonly bytes!: number
  @Field(() => String, { description: 'SHA-256 digest of the file, in hexadecimal.' })
  readonly sha256!: string
  @Field(() => String, { description: 'Media type, such as application/pdf.' })
  readonly mediaType!: string
  @Field(() => String, {
    description: 'Absolute URL of the file (REST_PUBLIC_URLS); requests must name the tenant in X-Tenant-Id unless it is `default`.',
  })
  readonly url!: string
}

@ObjectType({ description: 'A node and its descendants as a PDF file.' })
export class ContentPdf {
  @Field(() => ContentFile, {
    nullable: true,
    description: 'The file; null while it is rendered: repeat the query within 10 s, otherwise rendering is cancelled.',
  })
  readonly file!: ContentFile | null
  @Field(() => String, { description: 'Suggested file name, derived from the slug of the node.' })
  readonly fileName!: string
  @Field(() => Int, { description: 'Version of the tree; equal versions produce equal files.' })
  readonly version!: number
  @Field(() => ContentSource, { description: 'The store that the content was read from.' })
  readonly source!: ContentSource
  @Field(() => DateTime, { nullable: true, description: 'Time of the snapshot; null when the content was read from the store.' })
  readonly snapshotAt!: Date | null
  @Field(() => Boolean, { description: 'Whether the tenant is private: the content must not be cached for other users.' })
  readonly isPrivate!: boolean
}
