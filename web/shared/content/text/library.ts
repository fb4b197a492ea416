import type { Below, ContentText, ContentView } from './content-view.ts'

/** How much of what is below a text is read. */
export interface Reading {
  /** cursor of the last child seen */
  readonly after?: string | undefined
  readonly signal?: AbortSignal
}

/** Where the texts of a tenant are read: each page has its own way to them. */
export interface Library {
  /** '': the service's own choice */
  readonly tenant: string
  /**
   * A text, what is above it, and a page of what is directly below.
   * @param id - undefined for the root   @throws {NotFoundError} @throws {NoAnswerError}
   */
  readText(id: string | undefined, reading?: Reading): Promise<ContentView>
  /** A text and all below it, each after the one above it. */
  readSubtree(id: string): Promise<readonly ContentText[]>
}

/** All that is directly below a text. */
export const readBelow = ({ readText }: Library, id: string): Promise<readonly ContentText[]> =>
  readPages((after) => readText(id, { after }))

/** All texts of a list that comes page by page. @param read - the page behind a cursor, the first one without */
export async function readPages(read: (after: string | undefined) => Promise<Below>): Promise<readonly ContentText[]> {
  const all: ContentText[] = []
  for (let after: string | undefined; ; ) {
    const { children, next } = await read(after)
    all.push(...children)
    if (next === undefined) return all
    after = next
  }
}
