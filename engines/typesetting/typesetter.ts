/** A part of a publication: a node of a tree. */
export interface Chapter {
  /** steps from the top of the publication, which has 0 and comes first */
  readonly depth: number
  readonly title: string
  readonly summary: string | null
  /** markdown */
  readonly body: string | null
  /** BCP 47 */
  readonly locale: string | null
  readonly media: readonly { readonly url: string; readonly alt: string | null; readonly caption: string | null }[]
}

export interface Publication {
  /** the moment that it shows */
  readonly at: Date
  /** in reading order, some at a time: asked for as fast as they are taken */
  readonly chapters: AsyncIterable<readonly Chapter[]>
}

/** Makes printed pages of texts. */
export interface Typesetter {
  /**
   * A PDF with a title page, contents and bookmarks, tagged for assistive technology. The same publication gives the same bytes.
   * What is written in the texts is printed, never obeyed.
   * @throws {Fault} TOO_LARGE when it takes more time or memory than one document may  @throws {EngineUnavailable} when too many wait
   */
  typeset(publication: Publication, signal: AbortSignal): Promise<Uint8Array>
}
