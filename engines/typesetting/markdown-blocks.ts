import markdownIt, { type Token } from 'markdown-it'
import { readUrl } from '../../foundation/text/normal-form.ts'
import { breakable, type Direction, directionOf, isBlank, type Printable } from './printable-text.ts'

/** A piece of text in one style. */
export interface Run {
  readonly text: string
  readonly bold?: true
  readonly italic?: true
  readonly code?: true
  readonly struck?: true
  /** http, https or mailto */
  readonly url?: string
}

/** A line of text with the direction of its first letter; null is a line break. */
export interface Line {
  readonly runs: readonly (Run | null)[]
  readonly dir?: Direction
}

/** The blocks of a body as data; the template knows these and no markdown. */
export type Block =
  | (Line & { readonly kind: 'paragraph' })
  | (Line & { readonly kind: 'heading'; readonly level: number })
  | { readonly kind: 'list'; readonly start: number | null; readonly dir?: Direction; readonly items: readonly (readonly Block[])[] }
  | { readonly kind: 'quote'; readonly blocks: readonly Block[] }
  | { readonly kind: 'code'; readonly lines: readonly string[] }
  | {
      readonly kind: 'table'
      readonly dir?: Direction
      readonly align: readonly Align[]
      readonly head: readonly Line[]
      readonly rows: readonly (readonly Line[])[]
    }
  | { readonly kind: 'rule' }
  | { readonly kind: 'picture'; readonly name: string; readonly alt: string; readonly caption: Line | null }
type Align = 'start' | 'left' | 'center' | 'right'

/** Raw HTML is text; URLs are not detected. CommonMark with tables and strikethrough. */
const parser = markdownIt({ html: false, linkify: false, typographer: false, maxNesting: 1000 })
/** maximum nesting of lists and quotes; deeper ones are shown at this level */
const deepest = 8
/** a wider table is split into several */
const maxColumns = 8
const maxUrlLength = 2000

/**
 * Converts markdown to blocks.
 * @param level - heading level above the text; its own headings are below it, without gaps
 * @param nameOf - returns the name of a picture to print; undefined for an address that does not contain one
 */
export function blocksOf(
  markdown: string,
  level: number,
  printable: Printable,
  nameOf: (address: string) => string | undefined,
): readonly Block[] {
  return new BlockReader(parser.parse(markdown, {}), { above: level, printable, nameOf }).blocks(0)
}

interface ReadingOptions {
  /** heading level above the text */
  readonly above: number
  readonly printable: Printable
  readonly nameOf: (address: string) => string | undefined
}

/** Returns a URL that a reader may follow; undefined for others. */
export function followable(address: string): string | undefined {
  return address.length <= maxUrlLength && /^(?:https?:\/\/|mailto:)/i.test(address) ? readUrl(address)?.href : undefined
}

class BlockReader {
  readonly #tokens: readonly Token[]
  readonly #printable: Printable
  readonly #above: number
  readonly #nameOf: ReadingOptions['nameOf']
  /** original levels of the enclosing headings */
  readonly #headings: number[] = []
  #at = 0

  constructor(tokens: readonly Token[], { above, printable, nameOf }: ReadingOptions) {
    this.#tokens = tokens
    this.#above = above
    this.#printable = printable
    this.#nameOf = nameOf
  }

  /** Returns all blocks up to the end of the open element. */
  blocks(depth: number): readonly Block[] {
    const blocks: Block[] = []
    for (let token = this.#next(); token !== undefined && token.nesting !== -1; token = this.#next())
      blocks.push(...this.#block(token, depth))
    return blocks
  }

  #next(): Token | undefined {
    return this.#tokens[this.#at++]
  }

  #block(token: Token, depth: number): readonly Block[] {
    switch (token.type) {
      case 'paragraph_open':
        return this.#paragraph()
      case 'heading_open':
        return this.#lines().map((line) => ({ kind: 'heading', level: this.#levelOf(Number(token.tag.slice(1))), ...line }))
      case 'bullet_list_open':
        return this.#list(null, depth)
      case 'ordered_list_open':
        return this.#list(Number(token.attrGet('start') ?? 1), depth)
      case 'blockquote_open': {
        const blocks = this.blocks(depth + 1)
        return depth >= deepest || blocks.length === 0 ? blocks : [{ kind: 'quote', blocks }]
      }
      case 'fence':
      case 'code_block': {
        const lines = token.content.replace(/\n$/, '').split('\n')
        return [{ kind: 'code', lines: lines.map((line) => this.#printable(line.replaceAll('\t', '    '))) }]
      }
      case 'table_open':
        return this.#tables()
      case 'hr':
        return [{ kind: 'rule' }]
      default:
        return []
    }
  }

  /** Returns the text up to the end of the open element; empty without one. */
  #lines(): readonly Line[] {
    const runs = runsOf(this.#next()?.children ?? [], this.#printable)
    this.#at++
    return runs.length === 0 ? [] : [lineOf(runs)]
  }

  /** Returns a paragraph; its pictures are blocks between the parts of its text. */
  #paragraph(): readonly Block[] {
    const tokens = this.#next()?.children ?? []
    this.#at++
    const blocks: Block[] = []
    let from = 0
    const addText = (to: number): void => {
      const [first, ...rest] = runsOf(tokens.slice(from, to), this.#printable)
      if (first === undefined) return
      const begin = first === null ? [] : [{ ...first, text: first.text.trimStart() }]
      blocks.push({ kind: 'paragraph', ...lineOf([...begin, ...rest]) })
    }
    for (const [at, token] of tokens.entries()) {
      // a picture within a style or a link stays text
      const name = token.type === 'image' && token.level === 0 ? this.#nameOf(addressOf(token, 'src')) : undefined
      if (name === undefined) continue
      addText(at)
      from = at + 1
      const title = this.#printable(String(token.attrGet('title') ?? ''))
      const caption = isBlank(title) ? null : lineOf([{ text: title }])
      blocks.push({ kind: 'picture', name, alt: this.#printable(token.content), caption })
    }
    addText(tokens.length)
    return blocks
  }

  #levelOf(written: number): number {
    while ((this.#headings.at(-1) ?? 0) >= written) this.#headings.pop()
    this.#headings.push(written)
    return this.#above + this.#headings.length
  }

  #list(start: number | null, depth: number): readonly Block[] {
    const items: (readonly Block[])[] = []
    for (let token = this.#next(); token?.type === 'list_item_open'; token = this.#next()) items.push(this.blocks(depth + 1))
    if (depth >= deepest) return items.flat()
    const dir = items.map(([first]) => (first !== undefined && 'dir' in first ? first.dir : undefined)).find((each) => each !== undefined)
    return [{ kind: 'list', start, ...(dir && { dir }), items: items.filter(({ length }) => length > 0) }]
  }

  #tables(): readonly Block[] {
    const rows: Line[][] = []
    const align: Align[] = []
    for (let token = this.#next(); token !== undefined && token.type !== 'table_close'; token = this.#next()) {
      if (token.type === 'tr_open') rows.push([])
      if (token.type === 'th_open') align.push(alignOf(token))
      if (token.type === 'th_open' || token.type === 'td_open') {
        rows.at(-1)?.push(lineOf(runsOf(this.#next()?.children ?? [], this.#printable)))
        this.#at++
      }
    }
    const [head = [], ...body] = rows.map((cells) => cells.map((cell) => narrow(cell, Math.min(align.length, maxColumns))))
    const dir = head.map((cell) => cell.dir).find((each) => each !== undefined)
    return Array.from({ length: Math.ceil(align.length / maxColumns) }, (_, index) => {
      const part = <Item>(items: readonly Item[]): readonly Item[] => items.slice(index * maxColumns, (index + 1) * maxColumns)
      return { kind: 'table', ...(dir && { dir }), align: part(align), head: part(head), rows: body.map(part) }
    })
  }
}

/** Adds break opportunities to long words in narrow columns; about 80 letters are as wide as a page. */
function narrow({ runs, ...line }: Line, columns: number): Line {
  const maxWordLength = Math.max(7, Math.floor(80 / columns) - 2)
  return { ...line, runs: runs.map((run) => run && { ...run, text: breakable(run.text, maxWordLength + 1, maxWordLength) }) }
}

function lineOf(runs: readonly (Run | null)[]): Line {
  const dir = directionOf(runs.map((run) => run?.text ?? ' ').join(''))
  return dir === undefined ? { runs } : { runs, dir }
}

const addressOf = (token: Token, attribute: 'href' | 'src'): string => String(token.attrGet(attribute) ?? '')

function alignOf(token: Token): Align {
  const [, side] = /text-align:(left|center|right)/.exec(String(token.attrGet('style'))) ?? []
  return side === 'left' || side === 'center' || side === 'right' ? side : 'start'
}

/** Flattens nested styles to a list of runs. */
function runsOf(tokens: readonly Token[], printable: Printable): readonly (Run | null)[] {
  const runs: (Run | null)[] = []
  const open = { em: 0, strong: 0, s: 0 }
  let url: string | undefined
  const add = (text: string, more: { readonly code?: true; readonly url?: string } = {}): void => {
    if (text === '') return
    const style = { ...(open.strong > 0 && { bold: true as const }), ...(open.em > 0 && { italic: true as const }) }
    const struck = open.s > 0 ? { struck: true as const } : {}
    runs.push({ text: printable(text), ...style, ...struck, ...(url === undefined ? {} : { url }), ...more })
  }
  for (const token of tokens) {
    switch (token.type) {
      case 'text':
        add(token.content)
        break
      case 'softbreak':
        add(' ')
        break
      case 'hardbreak':
        runs.push(null)
        break
      case 'code_inline':
        add(token.content, { code: true })
        break
      case 'em_open':
      case 'em_close':
        open.em += token.nesting
        break
      case 'strong_open':
      case 'strong_close':
        open.strong += token.nesting
        break
      case 's_open':
      case 's_close':
        open.s += token.nesting
        break
      case 'link_open':
        url = followable(addressOf(token, 'href'))
        break
      case 'link_close':
        url = undefined
        break
      case 'image': {
        // images are not fetched: the reader gets a link
        const source = addressOf(token, 'src')
        const address = url ?? followable(source)
        // the address of an embedded picture is the picture
        add(token.content || (source.startsWith('data:') ? '' : source), address === undefined ? {} : { url: address })
        break
      }
    }
  }
  return runs.every((run) => run === null || isBlank(run.text)) ? [] : runs
}
