/** Bodies, from markdown to elements. No HTML is ever made as text, so none that a body contains can become part of the page. */
import { element } from '/pages/element.js'
import markdownIt from '/pages/vendor/markdown-it/markdown-it.mjs'

const parser = markdownIt({ html: false, linkify: false, typographer: false, maxNesting: 200 })
const longestUrl = 2000
const highest = 6

/** An address that a reader may follow: http, https or mailto; undefined for all others. */
export function followable(address) {
  const text = String(address ?? '')
  if (text.length > longestUrl || !/^(?:https?:\/\/|mailto:)/i.test(text) || !URL.canParse(text)) return undefined
  return new URL(text).href
}

const link = (href) => element('a', { href, rel: 'noopener noreferrer' })

const plain = {
  paragraph_open: () => element('p'),
  bullet_list_open: () => element('ul'),
  ordered_list_open: (token) => element('ol', { start: token.attrGet('start') ?? undefined }),
  list_item_open: () => element('li'),
  blockquote_open: () => element('blockquote'),
  thead_open: () => element('thead'),
  tbody_open: () => element('tbody'),
  tr_open: () => element('tr'),
  th_open: (token) => element('th', { scope: 'col', class: alignOf(token) }),
  td_open: (token) => element('td', { class: alignOf(token) }),
}

function alignOf(token) {
  const [, side] = /text-align:(left|center|right)/.exec(String(token.attrGet('style'))) ?? []
  return side
}

/**
 * @param {string} markdown @param {number} level - of the heading above the text; its own are below it and leave none out
 * @returns {DocumentFragment}
 */
export function elementsOf(markdown, level) {
  const whole = document.createDocumentFragment()
  const open = [whole]
  const headings = []
  const levelOf = (written) => {
    while ((headings.at(-1) ?? 0) >= written) headings.pop()
    headings.push(written)
    return Math.min(highest, level + headings.length)
  }
  for (const token of parser.parse(markdown, {})) {
    const top = open.at(-1)
    if (token.type === 'inline') inlineInto(top, token.children ?? [])
    else if (token.type === 'hr') top.append(element('hr'))
    else if (token.type === 'fence' || token.type === 'code_block')
      top.append(element('pre', { dir: 'ltr', tabindex: '0' }, element('code', {}, token.content.replace(/\n$/, ''))))
    else if (token.nesting === -1) directed(open.pop())
    else if (token.nesting === 1) open.push(begun(token, top, levelOf))
  }
  return whole
}

const firstLetter = /\p{L}/u
const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Nko}\p{Script=Adlam}\p{Script=Syriac}\p{Script=Thaana}]/u

/** Gives a block the direction of its first letter: `dir=auto` would not look into blocks that have one of their own. */
function directed(block) {
  if (!(block instanceof HTMLElement)) return
  const [letter] = firstLetter.exec(block.textContent) ?? []
  if (letter !== undefined) block.dir = rightToLeft.test(letter) ? 'rtl' : 'ltr'
}

/** The element that a token opens, put into the one around it. */
function begun(token, top, levelOf) {
  // a paragraph of a tight list
  if (token.hidden) return top
  if (token.type === 'table_open') {
    const table = element('table')
    top.append(element('div', { class: 'scroll', tabindex: '0' }, table))
    return table
  }
  const isHeading = token.type === 'heading_open'
  const made = isHeading ? element(`h${levelOf(Number(token.tag.slice(1)))}`) : plain[token.type]?.(token)
  if (made === undefined) return top
  top.append(made)
  return made
}

const styles = { em_open: 'em', strong_open: 'strong', s_open: 's' }

function inlineInto(place, tokens) {
  const open = [place]
  for (const token of tokens) {
    const top = open.at(-1)
    if (token.type === 'text') top.append(token.content)
    else if (token.type === 'softbreak') top.append('\n')
    else if (token.type === 'hardbreak') top.append(element('br'))
    else if (token.type === 'code_inline') top.append(element('code', { dir: 'ltr' }, token.content))
    else if (token.type === 'image') top.append(imageOf(token, open))
    else if (token.nesting === -1) open.pop()
    else if (token.nesting === 1) {
      const href = token.type === 'link_open' ? followable(token.attrGet('href')) : undefined
      const made = href === undefined ? element(styles[token.type] ?? 'span') : link(href)
      top.append(made)
      open.push(made)
    }
  }
}

/** A picture from elsewhere is not fetched: who reads may follow it. */
function imageOf(token, open) {
  const address = token.attrGet('src')
  const text = token.content || String(address)
  const href = open.some(({ tagName }) => tagName === 'A') ? undefined : followable(address)
  if (href === undefined) return document.createTextNode(text)
  const made = link(href)
  made.append(text)
  return made
}
