import { type Block, blocksOf, followable, type Line, type Run } from './markdown-blocks.ts'
import { Pictures, type PrintedPicture } from './pictures.ts'
import { type Direction, directionOf, isBlank, type Printable } from './printable-text.ts'
import type { Chapter } from './typesetter.ts'

/** The input of the template; all of it is data. */
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
  /** whether first-level chapters start on a new page */
  readonly 'new-pages': boolean
  readonly chapters: readonly ChapterData[]
  /** sizes in points of the pictures to print, by name */
  readonly pictures: Readonly<Record<string, Pick<PrintedPicture, 'width' | 'height'>>>
}

interface Language {
  readonly locale: string | undefined
  readonly lang: string
  readonly region: string | null
  readonly dir: Direction
}

interface ChapterData extends Omit<Language, 'locale'> {
  /** heading level; 0 for the top, whose heading is the title page */
  readonly level: number
  readonly title: Line
  readonly summary: Line | null
  readonly blocks: readonly Block[]
  readonly media: readonly { readonly caption: Line; readonly address: Run }[]
}

/** Deepest heading level; deeper nodes use it. */
const maxHeading = 6
const maxHeaderLength = 80
/** with more first-level chapters the publication is a list without page breaks */
const maxNewPages = 200
const rightToLeftScripts = ['Arab', 'Hebr', 'Syrc', 'Thaa', 'Nkoo', 'Adlm', 'Rohg']
const contents: Readonly<Record<string, string>> = {
  ar: 'المحتويات',
  es: 'Índice',
  fr: 'Table des matières',
  pt: 'Índice',
}

/** Builds a publication chapter by chapter. */
export class PublicationBuilder {
  readonly #printable: Printable
  readonly #chapters: ChapterData[] = []
  readonly #pictures = new Pictures()
  /** languages of the ancestors of the last chapter, top first */
  readonly #languages: Language[] = []
  #top: { readonly title: string; readonly language: Language } | undefined

  constructor(printable: Printable) {
    this.#printable = printable
  }

  add({ depth, title, summary, body, locale, media }: Chapter): void {
    const inherited = this.#languages[Math.min(depth, this.#languages.length) - 1]
    const language = languageOf(locale ?? undefined, inherited, title, body)
    // nodes deeper than the deepest heading inherit from there, which bounds the list
    this.#languages.length = Math.min(depth, this.#languages.length)
    if (depth < 64) this.#languages.push(language)
    const { lang, region, dir } = language
    const level = Math.min(depth, maxHeading)
    const shown = this.#line(title)
    // a heading must not be empty (PDF/UA-1)
    const line = shown.runs.length === 0 ? { runs: [{ text: '\ufffd' }] } : shown
    this.#top ??= { title: textOf(line), language }
    this.#chapters.push({
      ...{ lang, region, dir, level, title: line },
      summary: summary === null || summary.trim() === '' ? null : this.#line(summary),
      blocks: body === null ? [] : blocksOf(body, level, this.#printable, (address) => this.#pictures.nameOf(address)),
      media: media.map(({ url, alt, caption }) => ({
        caption: this.#line([...new Set([caption, alt])].filter((text) => text !== null && text !== '').join(' — ')),
        address: this.#address(url),
      })),
    })
  }

  /** Decodes the pictures of the texts. */
  pictures(): Promise<ReadonlyMap<string, PrintedPicture>> {
    return this.#pictures.printed()
  }

  /** @param pictures - to print; the text of any other is printed instead  @throws {Error} for a publication without a chapter */
  data(at: Date, pictures: ReadonlyMap<string, PrintedPicture>): PublicationData {
    const [top] = this.#chapters
    if (this.#top === undefined || top === undefined) throw new Error('a publication needs at least one chapter')
    const { title, language } = this.#top
    const { locale, lang, region, dir } = language
    const date = new Intl.DateTimeFormat(lang === 'und' ? 'en' : (locale ?? lang), {
      ...{ dateStyle: 'long', timeZone: 'UTC', calendar: 'gregory', numberingSystem: 'latn' },
    }).format(at)
    return {
      title,
      'short-title': title.length > maxHeaderLength ? `${Array.from(title).slice(0, maxHeaderLength).join('')}…` : title,
      summary: top.summary,
      date: this.#printable(date),
      contents: contents[lang] ?? 'Contents',
      'new-pages': this.#chapters.filter(({ level }) => level === 1).length <= maxNewPages,
      ...{ lang, region, dir, chapters: this.#chapters },
      pictures: Object.fromEntries([...pictures].map(([name, { width, height }]) => [name, { width, height }])),
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

/** Returns the language of a node, else the inherited one unless its text has the other direction. */
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
