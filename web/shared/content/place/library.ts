import type { ChildPage, ContentText, ContentView } from './content-view.ts'

/** A page request. */
export interface PageRequest {
  /** cursor of the last received child */
  readonly after?: string | undefined
  readonly signal?: AbortSignal
}

/** Reads the texts of a tenant; each page has its own implementation. */
export interface Library {
  /** '': the service's default tenant */
  readonly tenant: string
  /**
   * Reads a text, its ancestors, and a page of its children.
   * @param id - undefined for the root
   * @throws {NotFoundError}
   * @throws {NoAnswerError}
   */
  readText(id: string | undefined, reading?: PageRequest): Promise<ContentView>
  /** Reads a text with all its descendants, parents first. */
  readSubtree(id: string): Promise<readonly ContentText[]>
}

/** Reads all children of a text. */
export const readChildren = ({ readText }: Library, id: string): Promise<readonly ContentText[]> =>
  readPages((after) => readText(id, { after }))

/** Reads all pages of a list. @param read - returns the page after a cursor, or the first one */
export async function readPages(read: (after: string | undefined) => Promise<ChildPage>): Promise<readonly ContentText[]> {
  const all: ContentText[] = []
  for (let after: string | undefined; ; ) {
    const { children, next } = await read(after)
    all.push(...children)
    if (next === undefined) return all
    after = next
  }
}
