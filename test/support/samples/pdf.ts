import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'

export interface OpenPdf {
  readonly pages: number
  /** Lines of each page, each in reading order; without soft hyphens and breaks */
  readonly texts: readonly string[]
  /** Titles of the bookmarks, nested, with the target page of each. */
  readonly outline: readonly Bookmark[]
  readonly language: unknown
  readonly isTagged: boolean
  readonly xmp: string
  /** roles of the structure tree of each page, in reading order */
  readonly roles: readonly (readonly string[])[]
  readonly links: readonly string[]
}
export interface Bookmark {
  readonly title: string
  readonly page: number
  readonly items: readonly Bookmark[]
}

/** Reads a PDF like a viewer. */
export async function openPdf(bytes: Uint8Array): Promise<OpenPdf> {
  const task = getDocument({ data: new Uint8Array(bytes), verbosity: 0, useSystemFonts: false, disableFontFace: true })
  const document = await task.promise
  try {
    const texts: string[] = []
    const roles: string[][] = []
    const links: string[] = []
    for (let number = 1; number <= document.numPages; number++) {
      const page = await document.getPage(number)
      const { items } = await page.getTextContent()
      texts.push(
        linesOf(items.filter((item) => 'str' in item))
          .join(' ')
          .replaceAll('\u200b', '')
          .replace(/\s+/g, ' ')
          .trim(),
      )
      roles.push(rolesOf(await page.getStructTree()))
      for (const annotation of await page.getAnnotations()) if (typeof annotation.url === 'string') links.push(annotation.url)
    }
    type Items = Awaited<ReturnType<typeof document.getOutline>>
    const bookmarks = (items: Items): Promise<Bookmark[]> =>
      Promise.all(
        (items ?? []).map(async ({ title, dest, items: inside }) => {
          const target = typeof dest === 'string' ? await document.getDestination(dest) : dest
          return { title, page: target === null ? 0 : (await document.getPageIndex(target[0])) + 1, items: await bookmarks(inside) }
        }),
      )
    const { info, metadata } = await document.getMetadata()
    return {
      ...{ pages: document.numPages, texts, roles, links, outline: await bookmarks(await document.getOutline()) },
      language: 'Language' in info ? info.Language : undefined,
      isTagged: (await document.getMarkInfo())?.Marked === true,
      xmp: metadata?.getRaw() ?? '',
    }
  } finally {
    await task.destroy()
  }
}

interface Piece {
  readonly str: string
  readonly dir: string
  readonly hasEOL: boolean
  readonly transform: readonly number[]
}

/** Pieces are ordered from left to right; a right-to-left line is read in reverse. */
function linesOf(pieces: readonly Piece[]): readonly string[] {
  const lines: Piece[][] = [[]]
  for (const piece of pieces) {
    const last = lines.at(-1)?.at(-1)
    if (last !== undefined && (last.hasEOL || Math.abs((last.transform[5] ?? 0) - (piece.transform[5] ?? 0)) > 3)) lines.push([])
    lines.at(-1)?.push(piece)
  }
  return lines.map((line) => {
    const isRightToLeft =
      line.filter(({ dir }) => dir === 'rtl').length > line.filter(({ dir, str }) => dir === 'ltr' && str.trim() !== '').length
    const read = isRightToLeft ? line.toSorted((a, b) => (b.transform[4] ?? 0) - (a.transform[4] ?? 0)) : line
    return read.map(({ str }) => str).join('')
  })
}

function rolesOf(node: object | null): string[] {
  if (node === null) return []
  const role = 'role' in node && typeof node.role === 'string' ? [node.role] : []
  return [...role, ...('children' in node && Array.isArray(node.children) ? node.children.flatMap(rolesOf) : [])]
}
