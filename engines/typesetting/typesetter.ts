/** A chapter of a publication: a node of a tree. */
export interface Chapter {
  /** distance from the top of the publication, which has 0 and comes first */
  readonly depth: number
  readonly title: string
  readonly summary: string | null
  /** markdown; a picture that it contains as a data: URL is printed, a link leads to any other */
  readonly body: string | null
  /** BCP 47 */
  readonly locale: string | null
  readonly media: readonly { readonly url: string; readonly alt: string | null; readonly caption: string | null }[]
}

/** Address of a picture that contains the picture. */
export const embeddedPicture = /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+={0,2}$/i

export interface Publication {
  /** time of the content */
  readonly at: Date
  /** in reading order, in batches, requested as needed */
  readonly chapters: AsyncIterable<readonly Chapter[]>
}

/** Typesets publications as PDF. */
export interface Typesetter {
  /**
   * Returns a tagged PDF with title page, contents and bookmarks; the same publication gives the same bytes. Texts are printed and never interpreted
   * by Typst.
   * @param address - of the client that requested it; clients take turns
   * @throws {Fault} TOO_LARGE if it exceeds the time or memory limit, RATE_LIMITED if too many of this client are queued
   * @throws {EngineUnavailable} if the queue is full
   */
  typeset(publication: Publication, signal: AbortSignal, address?: string): Promise<Uint8Array>
}
