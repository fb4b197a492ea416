/** What is being said, the newest first. */

import { byId, element, say } from '/pages/element.js'
import { domainText } from './details.js'
import { sentiments } from './map/markers.js'
import { agoText, language, languageText, numberText, word } from './words.js'

const most = 30
const rightToLeft = new Set(['ar', 'fa', 'he', 'ur', 'ps', 'sd', 'ug', 'yi', 'dv'])
const list = byId('feed')
const pauseButton = byId('pause')
/** what comes faster than this is shown together */
const gatherMs = 600
let paused = false
let waiting = []
let timer

/** @param {() => Map<string, object>} domains - of the taxonomy, by id */
export function startFeed(domains) {
  pauseButton.addEventListener('click', () => {
    paused = !paused
    pauseButton.setAttribute('aria-pressed', String(paused))
    flush(domains)
  })
  setInterval(() => {
    for (const time of list.querySelectorAll('time')) say(time, agoText(time.dateTime))
  }, 30_000)
}

/** Expressions may come before the topics that they are about: then their names are put in here. */
export function nameTopics(domains) {
  for (const place of list.querySelectorAll('[data-domain]')) say(place, domainText(place.dataset.domain, domains))
}

export function clearFeed() {
  waiting = []
  list.replaceChildren()
  byId('feed-empty').hidden = false
  sayWaiting()
}

/** @param {() => Map<string, object>} domains */
export function showExpression(expression, domains) {
  waiting.push(expression)
  waiting.splice(0, waiting.length - most)
  timer ??= setTimeout(() => flush(domains), list.childElementCount === 0 ? 0 : gatherMs)
}

function flush(domains) {
  clearTimeout(timer)
  timer = undefined
  if (!paused) for (const expression of waiting.splice(0)) add(expression, domains())
  sayWaiting()
}

function sayWaiting() {
  const count = paused ? waiting.length : 0
  const more = count === 0 ? '' : ` (${word('waiting', { count, text: numberText(count) })})`
  say(pauseButton, `${word(paused ? 'resume' : 'pause')}${more}`)
}

function add(expression, domains) {
  const { text, lang, classification, sentiment, location, created_at: at } = expression
  const label = sentiments.includes(sentiment?.label) ? sentiment.label : 'unknown'
  const code = lang?.code ?? 'und'
  const topic = classification?.domain?.id ?? null
  const facts = [location?.place, code === 'und' || code === language ? undefined : languageText(code)].filter(Boolean)
  const item = element(
    'li',
    { 'data-sentiment': label },
    element(
      'p',
      { class: 'about' },
      element('strong', { 'data-domain': topic ?? undefined }, domainText(topic, domains)),
      element('span', { class: 'sentiment', 'data-sentiment': label }, word(label === 'unknown' ? 'unknownSentiment' : label)),
    ),
    element('p', { class: 'said', lang: code === 'und' ? undefined : code, dir: rightToLeft.has(code) ? 'rtl' : 'ltr' }, text),
    element(
      'p',
      { class: 'quiet' },
      ...facts.flatMap((fact) => [element('bdi', {}, fact), ' · ']),
      element('time', { datetime: at }, agoText(at)),
    ),
  )
  list.prepend(item)
  while (list.childElementCount > most) list.lastElementChild.remove()
  byId('feed-empty').hidden = true
}
