import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { mayContinue, type TreeNode, type TreeView } from '../../../engines/tree-store/tree-store.ts'
import type { Chapter, Typesetter } from '../../../engines/typesetting/typesetter.ts'
import { withTimeout } from '../../../foundation/concurrency/timeout.ts'
import { EngineUnavailable, Fault, NotFound } from '../../../foundation/fault.ts'
import { withinMemory } from '../../../foundation/process/memory-share.ts'
import type { TreeAccess, TreeReading } from '../tree/tree-access.ts'

export interface PdfLimits {
  /** memory for typesetting one document; limits its size */
  readonly memoryBytes: number
  readonly timeMs: number
}

export interface GeneratedPdf {
  readonly bytes: Uint8Array
  readonly sha256: string
}

export interface PdfAnswer {
  readonly fileId: string
  /** undefined while the PDF is rendered */
  readonly made: GeneratedPdf | undefined
  readonly top: TreeNode
  readonly reading: TreeReading
}

const pageRows = 500
/** a response without the file is sent before the request times out */
const answerMs = 5000
/** time for reading nodes, queueing and typesetting */
const renderLimitMs = 300_000
/** rendering is cancelled when no client has requested the document for this long, because others are queued behind it */
const abandonedMs = 10_000
const cacheBytes = 256 * 1024 * 1024
const failureCacheMs = 60_000
/** measured: 0.7 KB per character with tables, code and two scripts, 0.1 MB per node without text, 160 MB for Node and fonts */
const bytesOfCharacter = 900
const bytesOfNode = 130_000
/** decoded, encoded again and in the document */
const charactersOfPicture = 10_000
const baselineBytes = 200_000_000

/** A node with its descendants, and the address of the client that requested them first. */
interface RequestedDocument {
  readonly fileId: string
  readonly top: TreeNode
  readonly view: TreeView
  readonly address: string | undefined
}

/** A document that is being rendered. */
interface RenderingJob {
  readonly made: Promise<GeneratedPdf>
  readonly abandonment: AbortController
  waiting: number
  abandonTimer: NodeJS.Timeout | undefined
}

/**
 * Renders a node and its descendants as PDF, once per version of the tree. Rendering is deterministic: the file id identifies the bytes,
 * and any replica of the subgraph can return them.
 */
export class PdfGenerator {
  readonly #access: TreeAccess
  readonly #typesetter: Typesetter
  readonly #maxBytes: number
  readonly #abandonedMs: number
  readonly #renderings = new Map<string, RenderingJob>()
  readonly #cache = new LRUCache<string, GeneratedPdf>({
    maxSize: withinMemory(cacheBytes, 1 / 16),
    sizeCalculation: ({ bytes }) => bytes.length,
  })
  /** delays repeated attempts after a failure */
  readonly #refused = new LRUCache<string, Fault>({ max: 1000, ttl: failureCacheMs })

  constructor(access: TreeAccess, typesetter: Typesetter, limits: Pick<PdfLimits, 'memoryBytes'> & { readonly abandonedMs?: number }) {
    this.#access = access
    this.#typesetter = typesetter
    this.#maxBytes = limits.memoryBytes - baselineBytes
    this.#abandonedMs = limits.abandonedMs ?? abandonedMs
  }

  /**
   * Returns without the file while rendering continues: call again.
   * @param id - undefined for the root  @param address - of the client  @returns undefined when the node does not exist
   * @throws {Fault} TOO_LARGE, or RATE_LIMITED for many documents of one client  @throws {EngineUnavailable}
   */
  async file(tenant: string, id: string | undefined, signal: AbortSignal, address?: string): Promise<PdfAnswer | undefined> {
    const subtree = await this.#access.latest(
      tenant,
      async (reading) => {
        if (reading === undefined) return undefined
        const [top] = await (id === undefined ? reading.view.slice(undefined, 1, signal) : reading.view.nodes([id], signal))
        return top && { reading, top }
      },
      signal,
    )
    if (subtree === undefined) return undefined
    const { top, reading } = subtree
    const fileId = idOf(tenant, reading.view.version.number, top.id)
    const pending = new Fault('DEADLINE_EXCEEDED', 'The PDF is still being rendered')
    try {
      return {
        fileId,
        made: await this.#render({ fileId, top, view: reading.view, address }, (rendering) =>
          withTimeout(rendering, answerMs, signal, () => pending),
        ),
        top,
        reading,
      }
    } catch (error) {
      if (error === pending && !signal.aborted) return { fileId, made: undefined, top, reading }
      throw error
    }
  }

  /**
   * Returns the bytes of a file id that `file` returned; renders again if they are not cached.
   * @param treeOf - returns the name under which the caller reads the tree of a tenant
   * @throws {NotFound} for any other id, and when its version is no longer stored
   */
  async open(fileId: string, treeOf: (tenant: string) => Promise<string>, signal: AbortSignal, address?: string): Promise<Uint8Array> {
    const { tenant: named, version, id } = partsOf(fileId)
    const tenant = await treeOf(named)
    const cached = tenant === named ? this.#cache.get(fileId) : undefined
    if (cached !== undefined) return cached.bytes
    const reading = await this.#access.at(tenant, version, signal)
    const [top] = (await reading?.view.nodes([id], signal)) ?? []
    if (reading === undefined || top === undefined) throw new NotFound()
    const wait = (rendering: Promise<GeneratedPdf>): Promise<GeneratedPdf> =>
      withTimeout(rendering, renderLimitMs, signal, () => signal.reason)
    const { bytes } = await this.#render({ fileId, top, view: reading.view, address }, wait)
    return bytes
  }

  /** @param wait - waits for the result, up to its limit */
  async #render(document: RequestedDocument, wait: (rendering: Promise<GeneratedPdf>) => Promise<GeneratedPdf>): Promise<GeneratedPdf> {
    const { fileId } = document
    const refused = this.#refused.get(fileId)
    if (refused !== undefined) throw refused
    const cached = this.#cache.get(fileId)
    if (cached !== undefined) return cached
    const rendering = this.#renderings.get(fileId) ?? this.#begin(document)
    rendering.waiting++
    clearTimeout(rendering.abandonTimer)
    try {
      return await wait(rendering.made)
    } finally {
      if (--rendering.waiting === 0 && this.#renderings.get(fileId) === rendering) {
        const abandon = (): void => {
          this.#forget(fileId, rendering)
          rendering.abandonment.abort(new EngineUnavailable('typesetter', new Error('no client waited for the PDF')))
        }
        rendering.abandonTimer = setTimeout(abandon, this.#abandonedMs).unref()
      }
    }
  }

  #begin(document: RequestedDocument): RenderingJob {
    const { fileId } = document
    const abandonment = new AbortController()
    const made = this.#typeset(document, AbortSignal.any([AbortSignal.timeout(renderLimitMs), abandonment.signal]))
    const rendering: RenderingJob = { made, abandonment, waiting: 0, abandonTimer: undefined }
    this.#renderings.set(fileId, rendering)
    const end = (): void => {
      clearTimeout(rendering.abandonTimer)
      this.#forget(fileId, rendering)
    }
    made.then(end, end)
    return rendering
  }

  /** Removes the entry unless rendering was restarted. */
  #forget(fileId: string, rendering: RenderingJob): void {
    if (this.#renderings.get(fileId) === rendering) this.#renderings.delete(fileId)
  }

  async #typeset({ fileId, top, view, address }: RequestedDocument, signal: AbortSignal): Promise<GeneratedPdf> {
    try {
      const publication = { at: view.version.at, chapters: this.#chapters(top, view, signal) }
      const bytes = await this.#typesetter.typeset(publication, signal, address)
      const made = { bytes, sha256: createHash('sha256').update(bytes).digest('hex') }
      this.#cache.set(fileId, made)
      return made
    } catch (error) {
      if (error instanceof Fault && error.code === 'TOO_LARGE') this.#refused.set(fileId, error)
      throw error
    }
  }

  /** Yields a node and its descendants. @throws {Fault} TOO_LARGE */
  async *#chapters(top: TreeNode, view: TreeView, signal: AbortSignal): AsyncGenerator<readonly Chapter[]> {
    let totalBytes = bytesFor(top)
    if (totalBytes > this.#maxBytes) throw this.#tooLarge()
    yield [chapterOf(top, top)]
    for (let after: string | undefined = top.childrenCount === 0 ? undefined : top.orderKey; after !== undefined; ) {
      const page = await view.slice(after, pageRows, signal)
      const end = page.findIndex(({ depth }) => depth <= top.depth)
      const inside = end < 0 ? page : page.slice(0, end)
      totalBytes += inside.reduce((sum, node) => sum + bytesFor(node), 0)
      if (totalBytes > this.#maxBytes) throw this.#tooLarge()
      yield inside.map((node) => chapterOf(node, top))
      after = end < 0 && mayContinue(page, pageRows) ? page.at(-1)?.orderKey : undefined
    }
  }

  #tooLarge(): Fault {
    const [nodes, characters] = [bytesOfNode, bytesOfCharacter].map((bytes) => Math.floor(this.#maxBytes / bytes))
    const limits = `${nodes} nodes or ${characters} characters (a picture counts as ${charactersOfPicture})`
    return new Fault('TOO_LARGE', `The PDF would be too large; the limit is ${limits}. Request the PDF of a part of the tree`)
  }
}

function bytesFor({ title, summary, body }: TreeNode): number {
  const pictures = body?.match(embeddedPictures) ?? []
  const encoded = pictures.reduce((sum, { length }) => sum + length, 0)
  const characters = title.length + (summary?.length ?? 0) + (body?.length ?? 0) - encoded + charactersOfPicture * pictures.length
  return bytesOfNode + bytesOfCharacter * characters
}

const embeddedPictures = /data:image\/[a-z]+;base64,[A-Za-z0-9+/=]+/gi

const chapterOf = ({ depth, title, summary, body, locale, media }: TreeNode, top: TreeNode): Chapter => ({
  ...{ depth: depth - top.depth, title, summary, body, locale },
  media: media.map(({ url, alt, caption }) => ({ url, alt, caption })),
})

/** starts with the name of the subgraph; tenants and versions contain no dot */
const idOf = (tenant: string, version: number, id: string): string => `content.${tenant}.${version}.${id}`

function partsOf(fileId: string): { readonly tenant: string; readonly version: number; readonly id: string } {
  const [, tenant, version, id] = /^content\.([a-z0-9-]{1,63})\.(\d{1,10})\.(.+)$/.exec(fileId) ?? []
  if (tenant === undefined || version === undefined || id === undefined) throw new NotFound()
  return { tenant, version: Number(version), id }
}
