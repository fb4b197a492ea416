import { type Block, blocksOf, followable, type Line, type Run } from './markdown-blocks.ts'
import { type Direction, directionOf, isBlank, type Printable } from './printable-text.ts'
import type { Chapter } from './typesetter.ts'

/** What the template prints: everything is data. */
export interface PublicationData {
  readonly title: string
  readonly 'short-title': string
  readonly summary: Line | null
  readonly date: string
  /** heading of the table of contents */
  readonly contents: string
  readonly lang: string
  readonly region: string | null
  readonly dir: Direction
  /** whether chapters of the first level begin on pages of their own */
  readonly 'new-pages': boolean
  readonly chapters: readonly ChapterData[]
}

interface Language {
  readonly locale: string | undefined
  readonly lang: string
  readonly region: string | null
  readonly dir: Direction
}

interface ChapterData extends Omit<Language, 'locale'> {
  /** of its heading; 0 for the top, whose heading is the title page */
  readonly level: number
  readonly title: Line
  readonly summary: Line | null
  readonly blocks: readonly Block[]
  readonly media: readonly { readonly told: Line; readonly address: Run }[]
}

/** Headings of nodes go no deeper; what is deeper in the tree stands at this level. */
const deepestHeading = 6
const longestHeader = 80
/** more chapters of the first level are a list: they follow one another on the page */
const maxNewPages = 200
const rightToLeftScripts = ['Arab', 'Hebr', 'Syrc', 'Thaa', 'Nkoo', 'Adlm', 'Rohg']
const contents: Readonly<Record<string, string>> = {
  ar: 'المحتويات',
  es: 'Índice',
  fr: 'Table des matières',
  pt: 'Índice',
}

/** Gathers a publication, chapter by chapter. */
export class PublicationBuilder {
  readonly #printable: Printable
  readonly #chapters: ChapterData[] = []
  /** of the chapters that the last one stands under, the top first */
  readonly #languages: Language[] = []
  #top: { readonly title: string; readonly language: Language } | undefined

  constructor(printable: Printable) {
    this.#printable = printable
  }

  add({ depth, title, summary, body, locale, media }: Chapter): void {
    const inherited = this.#languages[Math.min(depth, this.#languages.length) - 1]
    const language = languageOf(locale ?? undefined, inherited, title, body)
    // what is deeper than the deepest heading inherits from there: a list as long as a tree is deep is not needed
    this.#languages.length = Math.min(depth, this.#languages.length)
    if (depth < 64) this.#languages.push(language)
    const { lang, region, dir } = language
    const level = Math.min(depth, deepestHeading)
    const shown = this.#line(title)
    // a heading must say something (PDF/UA-1)
    const line = shown.runs.length === 0 ? { runs: [{ text: '\ufffd' }] } : shown
    this.#top ??= { title: textOf(line), language }
    this.#chapters.push({
      ...{ lang, region, dir, level, title: line },
      summary: summary === null || summary.trim() === '' ? null : this.#line(summary),
      blocks: body === null ? [] : blocksOf(body, level, this.#printable),
      media: media.map(({ url, alt, caption }) => ({
        told: this.#line([...new Set([caption, alt])].filter((text) => text !== null && text !== '').join(' — ')),
        address: this.#address(url),
      })),
    })
  }

  /** @throws {Error} for a publication without a chapter */
  data(at: Date): PublicationData {
    const [top] = this.#chapters
    if (this.#top === undefined || top === undefined) throw new Error('a publication has a chapter at least')
    const { title, language } = this.#top
    const { locale, lang, region, dir } = language
    const date = new Intl.DateTimeFormat(lang === 'und' ? 'en' : (locale ?? lang), {
      ...{ dateStyle: 'long', timeZone: 'UTC', calendar: 'gregory', numberingSystem: 'latn' },
    }).format(at)
    return {
      title,
      'short-title': title.length > longestHeader ? `${Array.from(title).slice(0, longestHeader).join('')}…` : title,
      summary: top.summary,
      date: this.#printable(date),
      contents: contents[lang] ?? 'Contents',
      'new-pages': this.#chapters.filter(({ level }) => level === 1).length <= maxNewPages,
      ...{ lang, region, dir, chapters: this.#chapters },
    }
  }

  #line(text: string): Line {
    const shown = this.#printable(text.replace(/\s+/g, ' ').trim())
    const dir = directionOf(shown)
    return { runs: isBlank(shown) ? [] : [{ text: shown }], ...(dir && { dir }) }
  }

  #address(url: string): Run {
    const address = followable(url)
    return { text: this.#printable(url), ...(address === undefined ? {} : { url: address }) }
  }
}

const textOf = ({ runs }: Line): string => runs.map((run) => run?.text ?? '').join('')

/** The language that a node names, else that of the node above, unless it is written the other way round. */
function languageOf(locale: string | undefined, inherited: Language | undefined, title: string, body: string | null): Language {
  const named = locale === undefined ? undefined : namedLanguage(locale)
  if (named !== undefined) return named
  const written = directionOf(title) ?? directionOf(body?.slice(0, 1000) ?? '')
  if (inherited !== undefined && (written === undefined || written === inherited.dir)) return inherited
  return { locale: undefined, lang: written === 'rtl' ? 'ar' : 'und', region: null, dir: written ?? 'ltr' }
}

function namedLanguage(tag: string): Language | undefined {
  try {
    const locale = new Intl.Locale(tag)
    const { language, region = '' } = locale
    if (!/^[a-z]{2,3}$/.test(language)) return undefined
    const dir = rightToLeftScripts.includes(locale.maximize().script ?? '') ? 'rtl' : 'ltr'
    return { locale: locale.toString(), lang: language, region: /^[A-Z]{2}$/.test(region) ? region : null, dir }
  } catch {
    return undefined
  }
}
