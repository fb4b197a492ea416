/** One text: its title, what it says, what is below it, what comes before and after. */
import { byId, element } from '/pages/element.js'
import { addressOf } from './address.js'
import { elementsOf, followable } from './markdown.js'
import { dayText, directionOf, language, languageText, numberText, word, written } from './words.js'

/** @returns {HTMLElement} the heading, which takes the focus when somebody has come here by a link */
export function showArticle(node) {
  const { title, summary, body, locale, media } = node
  const place = byId('article')
  place.dir = directionOf(locale)
  if (locale === null) place.removeAttribute('lang')
  else place.lang = locale
  const heading = element('h1', { tabindex: '-1', dir: 'auto' }, title)
  const text = element('div', { class: 'text' }, elementsOf(body ?? '', 1))
  place.replaceChildren(
    heading,
    ...(summary ? [element('p', { class: 'lede', dir: 'auto' }, summary)] : []),
    about(node),
    ...(body ? [text] : []),
    ...(media.length === 0 ? [] : [mediaList(media)]),
  )
  return heading
}

function about({ locale, updated_at: updatedAt }) {
  const day = element('time', { datetime: updatedAt }, word('updated', { day: dayText(updatedAt) }))
  const other = locale !== null && locale.split('-')[0] !== language ? [element('span', { class: 'mark' }, languageText(locale))] : []
  return element('p', { class: 'quiet about', lang: language, dir: document.documentElement.dir }, day, ...other)
}

function mediaList(media) {
  const items = media.map(({ url, alt, caption, type }) => {
    const href = followable(url)
    const name = alt || caption || url
    const shown =
      href === undefined ? element('span', { dir: 'auto' }, name) : element('a', { href, rel: 'noopener noreferrer', dir: 'auto' }, name)
    const more = [caption === name ? null : caption, type].filter(Boolean).join(', ')
    return element('li', {}, shown, ...(more === '' ? [] : [element('span', { class: 'quiet', dir: 'auto' }, ` ${more}`)]))
  })
  const title = element('h2', { lang: language, dir: document.documentElement.dir }, word('media'))
  return element('div', { class: 'media' }, title, element('ul', {}, ...items))
}

/** The way from the root; where it is longer than what is told, it begins with a gap. */
export function showTrail({ node, ancestors }) {
  const items = ancestors.map(({ id, title, locale }) =>
    element('li', {}, element('a', { href: addressOf(id), 'data-place': '', ...written({ locale }) }, title)),
  )
  const gap = element('li', {}, element('a', { href: addressOf(undefined), 'data-place': '', 'aria-label': word('start') }, '…'))
  const here = element('li', {}, element('span', { 'aria-current': 'page', ...written(node) }, node.title))
  byId('trail').replaceChildren(...(node.path_truncated ? [gap] : []), ...items, ...(node.depth === 0 ? [] : [here]))
  byId('trail').parentElement.hidden = node.depth === 0
}

/** @param {boolean} isFirst - whether these are the first children, which take the place of those of another text */
export function showCards(children, next, isFirst) {
  const cards = children.map((child) => {
    const { id, title, summary, children_count: count } = child
    const link = element('a', { href: addressOf(id), 'data-place': '' }, title)
    return element(
      'li',
      { ...written(child) },
      element('h3', {}, link),
      ...(summary ? [element('p', { dir: 'auto' }, summary)] : []),
      ...(count === 0
        ? []
        : [
            element(
              'p',
              { class: 'quiet', lang: language, dir: document.documentElement.dir },
              word('count', { count, text: numberText(count) }),
            ),
          ]),
    )
  })
  if (isFirst) byId('cards').replaceChildren(...cards)
  else byId('cards').append(...cards)
  byId('inside').hidden = byId('cards').childElementCount === 0
  byId('more').hidden = next === undefined
  return cards[0]?.querySelector('a')
}

export function showTurn([before, after]) {
  const links = [
    ['previous', before],
    ['next', after],
  ].flatMap(([kind, node]) =>
    node === undefined
      ? []
      : [
          element(
            'a',
            { href: addressOf(node.id), 'data-place': '', class: kind },
            element('span', { class: 'quiet' }, word(kind)),
            element('span', { ...written(node) }, node.title),
          ),
        ],
  )
  byId('turn').replaceChildren(...links)
  byId('turn').hidden = links.length === 0
}
