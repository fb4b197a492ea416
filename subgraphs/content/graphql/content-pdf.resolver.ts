import { Arg, Ctx, ID, Query, Resolver } from 'type-graphql'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import type { PdfGenerator } from '../pdf/pdf-generator.ts'
import type { ReadableTenants } from '../readable-tenants.ts'
import { sourceOf } from '../tree/read-tree.ts'
import { ContentPdf } from './content-pdf.type.ts'

const maxNameLength = 100

@Resolver()
export class ContentPdfResolver {
  readonly #pdf: PdfGenerator
  readonly #publicUrl: string
  readonly #tenants: ReadableTenants

  /** @param publicUrl - of the REST component, without a final slash */
  constructor(pdf: PdfGenerator, tenants: ReadableTenants, publicUrl: string) {
    this.#pdf = pdf
    this.#tenants = tenants
    this.#publicUrl = publicUrl.replace(/\/$/, '')
  }

  @Query(() => ContentPdf, {
    nullable: true,
    description:
      'Returns a node and its descendants as a PDF file, rendered once per version of the tree; null when the node does not exist.',
  })
  async contentPdf(
    @Arg('tenantId', () => ID, { nullable: true, description: 'Id of the tenant; by default that of the token, otherwise `default`.' })
    tenantId: string | null,
    @Arg('id', () => ID, { nullable: true, description: 'Id of the node; by default the root.' }) id: string | null,
    @Ctx() { principal, signal, address }: RequestContext,
  ): Promise<ContentPdf | null> {
    const { tree } = await this.#tenants.of(principal, tenantId)
    const answer = await this.#pdf.file(tree, id ?? undefined, signal, address)
    if (answer === undefined) return null
    const { fileId, made, top, reading } = answer
    const url = `${this.#publicUrl}/api/v1/nodes/${encodeURIComponent(top.id)}/pdf`
    return {
      file: made === undefined ? null : { id: fileId, bytes: made.bytes.length, sha256: made.sha256, mediaType: 'application/pdf', url },
      fileName: `${Array.from(top.slug).slice(0, maxNameLength).join('')}.pdf`,
      ...sourceOf(reading),
    }
  }

  /** Returns the bytes of a file of `contentPdf`. @throws {NotFound} */
  readonly openFile = (id: string, { principal, signal, address }: RequestContext): Promise<Uint8Array> =>
    this.#pdf.open(id, async (tenant) => (await this.#tenants.of(principal, tenant)).tree, signal, address)
}
