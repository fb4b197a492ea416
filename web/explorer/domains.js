/** The topics as a tree: how often each comes up, with which sentiment, and how that changes. */

import { byId, element } from '/pages/element.js'
import { sentimentBar } from './details.js'
import { chooseDomain } from './filters.js'
import { changeText, compactText, labelOf, word } from './words.js'

const open = new Set()

/** @param domains - as the service gives them   @param chosen - id of the one that is filtered by, or '' */
export function showDomains(domains, chosen) {
  const tree = byId('tree')
  const focused = document.activeElement?.closest?.('#tree') && document.activeElement.dataset.key
  const largest = Math.max(1, ...domains.map(({ stats }) => stats.expressions))
  const sorted = domains.toSorted((a, b) => b.stats.expressions - a.stats.expressions)
  const parent = chosen.split('/')[0]
  if (chosen.includes('/')) open.add(parent)
  tree.replaceChildren(...sorted.map((domain) => branch(domain, largest, chosen)))
  if (focused) tree.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus()
}

function branch(domain, largest, chosen) {
  const item = element('li', {}, ...row(domain, largest, chosen))
  if (domain.sub_domains.length === 0) return item
  const list = element(
    'ul',
    { id: `parts-${domain.id}` },
    ...domain.sub_domains
      .toSorted((a, b) => b.stats.expressions - a.stats.expressions)
      .map((part) => element('li', {}, ...row(part, domain.stats.expressions || 1, chosen))),
  )
  const label = word('subDomains', { label: labelOf(domain) })
  const toggle = element('button', {
    type: 'button',
    class: 'toggle',
    'aria-label': label,
    'aria-controls': list.id,
    'data-key': `toggle ${domain.id}`,
  })
  const set = (isOpen) => {
    list.hidden = !isOpen
    toggle.setAttribute('aria-expanded', String(isOpen))
    if (isOpen) open.add(domain.id)
    else open.delete(domain.id)
  }
  toggle.addEventListener('click', () => set(list.hidden))
  set(open.has(domain.id))
  item.prepend(toggle)
  item.append(list)
  return item
}

function row(domain, largest, chosen) {
  const { stats } = domain
  const isChosen = domain.id === chosen
  const choose = element(
    'button',
    { type: 'button', class: 'topic', 'aria-pressed': String(isChosen), 'data-key': domain.id },
    element('span', { class: 'name' }, labelOf(domain)),
    element('span', { class: 'count' }, compactText(stats.expressions)),
  )
  choose.addEventListener('click', () => chooseDomain(isChosen ? '' : domain.id))
  const { positive, neutral, negative } = stats.sentiment
  const bar = sentimentBar({ positive, neutral, negative, unknown: Math.max(0, stats.expressions - positive - neutral - negative) })
  bar.style.inlineSize = `${Math.max(stats.expressions === 0 ? 0 : 2, (100 * stats.expressions) / largest)}%`
  return [choose, element('div', { class: 'measure' }, bar, trend(stats))]
}

function trend({ trend: change, last_7d: recent }) {
  if (change === null || change === undefined || (change === 0 && recent === 0)) return element('span', { class: 'trend' })
  const capped = Math.max(-1, Math.min(9.99, change))
  const direction = capped > 0.005 ? 'up' : capped < -0.005 ? 'down' : 'level'
  const text = `${{ up: '▲', down: '▼', level: '●' }[direction]} ${changeText(capped)}`
  return element('span', { class: 'trend', 'data-direction': direction, title: word('trend', { change: changeText(capped) }) }, text)
}
