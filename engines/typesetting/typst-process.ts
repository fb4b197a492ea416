import { readFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { Worker } from 'node:worker_threads'
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'
import { workerModule } from '../../foundation/process/build-info.ts'
import { fontFamilies } from './font-files.ts'
import { printableWith } from './printable-text.ts'
import { PublicationBuilder } from './publication-data.ts'
import type { Chapter } from './typesetter.ts'
import type { GuardLimits } from './typst-guard.ts'

/** Typesets one document and exits. Runs as a separate process, also directly from TypeScript: its imports must work with type stripping alone. */

/** In this order: one `begin`, any number of `chapters`, one `end`. */
export type ToTypst =
  | { readonly kind: 'begin'; readonly templateFile: string; readonly memoryBytes: number; readonly timeMs: number; readonly at: Date }
  | { readonly kind: 'chapters'; readonly chapters: readonly Chapter[] }
  | { readonly kind: 'end' }

export type FromTypst = { readonly pdf: Uint8Array } | { readonly failure: string }

const workspace = '/nonexistent'

type Begin = Extract<ToTypst, { kind: 'begin' }>
let begun: { readonly options: Begin; readonly builder: PublicationBuilder } | undefined

process.on('message', (message: ToTypst) => {
  try {
    if (message.kind === 'begin') begun = { options: message, builder: begin(message) }
    else if (begun === undefined) throw new Error('no document was started')
    else if (message.kind === 'chapters') for (const chapter of message.chapters) begun.builder.add(chapter)
    else pdfOf(begun.options, begun.builder).then((pdf) => answer({ pdf }), fail)
  } catch (error) {
    fail(error)
  }
})
// the caller has exited
process.on('disconnect', () => process.exit())
// Ctrl-C in the terminal is for the platform, which stops this process
process.on('SIGINT', () => undefined)

function begin({ memoryBytes, timeMs }: Begin): PublicationBuilder {
  // lower priority than request processes
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  const limits: GuardLimits = { memoryBytes, timeMs }
  new Worker(workerModule('typst-guard', import.meta.url), { workerData: limits }).unref()
  return new PublicationBuilder(printableWith(fontFamilies()))
}

function fail(error: unknown): void {
  answer({ failure: error instanceof Error ? (error.stack ?? error.message) : String(error) })
}

function answer(message: FromTypst): void {
  process.send?.(message, () => process.exit())
}

/** @see PDF/UA-1 (ISO 14289-1): Typst refuses to write a document that fails its checks */
async function pdfOf({ templateFile, at }: Begin, builder: PublicationBuilder): Promise<Buffer> {
  const fontPaths = fontFamilies().flatMap(({ files }) => [...files])
  const pictures = await builder.pictures()
  // a nonexistent folder: the compiler can read no file but the pictures, which are in memory
  const compiler = NodeCompiler.create({
    ...{ workspace, fontArgs: [{ fontPaths }] },
    inputs: { publication: JSON.stringify(builder.data(at, pictures)) },
  })
  for (const [name, { bytes }] of pictures) compiler.mapShadow(`${workspace}/${name}`, bytes)
  const compiled = compiler.compile({ mainFileContent: readFileSync(templateFile, 'utf8') })
  const { result } = compiled
  if (result === null) throw new Error(`Typst rejected the document: ${JSON.stringify(compiled.takeDiagnostics()?.shortDiagnostics)}`)
  return compiler.pdf(result, { pdfStandard: 'ua-1', pdfTags: true, creationTimestamp: Math.floor(at.getTime() / 1000) })
}
