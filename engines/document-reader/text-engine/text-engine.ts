import { createWorker, OEM, PSM, type Worker } from 'tesseract.js'
import { type Grey, toPgm } from '../page/pixels.ts'
import type { Language } from './text-language-data.ts'

export interface ReadSymbol {
  readonly text: string
  /** 0 to 1 */
  readonly confidence: number
  readonly left: number
  readonly right: number
}

export interface ReadWord {
  readonly text: string
  readonly confidence: number
  readonly box: { readonly left: number; readonly top: number; readonly width: number; readonly height: number }
  readonly symbols: readonly ReadSymbol[]
}

/** A line as its words. */
export type ReadLine = readonly ReadWord[]

export interface ReadOptions {
  /** page: any layout; sparse: text anywhere; line: a single line */
  readonly layout: 'page' | 'sparse' | 'line'
  /** allowed characters; absent: all characters of the language */
  readonly alphabet?: string
}

const layouts = { page: PSM.AUTO, sparse: PSM.SPARSE_TEXT, line: PSM.SINGLE_LINE } as const

/** Tesseract with local language data; it neither downloads nor writes files. */
export class TextEngine {
  readonly #workers = new Map<Language, Promise<Worker>>()
  readonly #dataFolder: string
  readonly #languages: readonly Language[]

  /** @param dataFolder - contains <language>.traineddata.gz of every language */
  constructor(dataFolder: string, languages: readonly Language[]) {
    this.#dataFolder = dataFolder
    this.#languages = languages
  }

  reads(language: Language): boolean {
    return this.#languages.includes(language)
  }

  /** Loads a language in advance; others load on first use. */
  async open(language: Language): Promise<void> {
    await this.#worker(language)
  }

  async read(image: Grey, language: Language, { layout, alphabet = '' }: ReadOptions): Promise<ReadLine[]> {
    const worker = await this.#worker(language)
    await worker.setParameters({ tessedit_pageseg_mode: layouts[layout], tessedit_char_whitelist: alphabet })
    const { data } = await worker.recognize(toPgm(image), {}, { text: false, blocks: true })
    const lines = (data.blocks ?? []).flatMap((block) => block.paragraphs.flatMap((paragraph) => paragraph.lines))
    return lines.map((line) =>
      line.words.map(({ text, confidence, bbox, symbols }) => ({
        text,
        confidence: confidence / 100,
        box: { left: bbox.x0, top: bbox.y0, width: bbox.x1 - bbox.x0, height: bbox.y1 - bbox.y0 },
        symbols: symbols.map((symbol) => ({
          text: symbol.text,
          confidence: symbol.confidence / 100,
          left: symbol.bbox.x0,
          right: symbol.bbox.x1,
        })),
      })),
    )
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.#workers.values()].map(async (worker) => (await worker).terminate()))
    this.#workers.clear()
  }

  #worker(language: Language): Promise<Worker> {
    let worker = this.#workers.get(language)
    if (worker === undefined) {
      worker = this.#start(language)
      this.#workers.set(language, worker)
      worker.catch(() => this.#workers.delete(language))
    }
    return worker
  }

  async #start(language: Language): Promise<Worker> {
    // by default data is downloaded (langPath) and cached in the working directory (cacheMethod)
    const worker = await createWorker(language, OEM.LSTM_ONLY, { langPath: this.#dataFolder, cacheMethod: 'none', gzip: true })
    await worker.setParameters({ user_defined_dpi: '300', debug_file: '/dev/null' })
    return worker
  }
}
