/** The explorer: reads what the filters ask for, shows it, and follows what changes. */

import { byId, say } from '/pages/element.js'
import { sentimentBar, showDetails, showTable } from './details.js'
import { showDomains } from './domains.js'
import { clearFeed, nameTopics, showExpression, startFeed } from './feed.js'
import { chosen, firstDay, followFilters, offerDomains, offerLanguages } from './filters.js'
import { showHistory } from './history.js'
import { followLive } from './live.js'
import { sentiments } from './map/markers.js'
import { boxOf, WorldMap } from './map/world-map.js'
import { readDomains, readMap, readStats } from './service.js'
import { numberText, percentText, translatePage, word } from './words.js'

const settleMs = 180
const leastBetweenMs = 1000
const retryMs = 5000

translatePage()
const map = new WorldMap()
let domains = []
let byDomain = new Map()
let features = []
let isPlaced = false

/** Runs a reading when asked, one at a time and not too often; asks made meanwhile become one. A newer one ends the one before. */
function reading(work, delayMs) {
  let timer
  let running
  let last = 0
  const run = async () => {
    timer = undefined
    running?.abort()
    const own = new AbortController()
    running = own
    last = performance.now()
    try {
      await work(own.signal)
      if (running === own) byId('failure').hidden = true
    } catch (error) {
      if (own.signal.aborted) return
      byId('failure').hidden = false
      say(byId('failure'), word('failed'))
      ask(retryMs)
      if (!(error instanceof Error)) throw error
    } finally {
      if (running === own) running = undefined
    }
  }
  const ask = (waitMs) => {
    clearTimeout(timer)
    timer = setTimeout(run, waitMs)
  }
  return {
    /** soon: the reader has chosen something */
    now: () => ask(delayMs),
    /** something has changed: at most once in a while, and not while nobody looks */
    later: () => {
      if (timer === undefined && !document.hidden) ask(Math.max(delayMs, leastBetweenMs - (performance.now() - last)))
    },
  }
}

const mapReading = reading(async (signal) => {
  const { domain, sentiment, written } = chosen()
  const filter = { domain, sentiment, lang: written, from: firstDay(chosen()) }
  // Before anything is shown, the whole world: the view is then put around what there is.
  const place = isPlaced ? { bbox: map.view.box.join(','), zoom: Math.max(0, Math.min(18, Math.floor(map.view.zoom) - 1)) } : { zoom: 3 }
  const answer = await readMap({ ...place, ...filter }, signal)
  if (!isPlaced) {
    isPlaced = true
    const box = boxOf(answer.features)
    if (box !== undefined) map.fit(box)
    mapReading.now()
  }
  const numbered = answer.features.map((feature, index) => ({
    ...feature,
    id: feature.id ?? feature.properties.cluster_id ?? feature.properties.id ?? index,
  }))
  features = map.show(numbered)
  if (byId('map-table').open) showTable(map, features)
  summarise(answer)
}, settleMs)

function summarise({ total, unmapped }) {
  const placed = total - unmapped
  const matching = word('inView', { count: placed, text: numberText(placed) })
  const without = unmapped > 0 ? `; ${word('unmapped', { count: unmapped, text: numberText(unmapped) })}` : ''
  say(byId('map-summary'), total === 0 ? word('nothing') : `${matching}${without}.`)
}

const statsReading = reading(async (signal) => {
  const { domain } = chosen()
  const { expressions, votes, sentiment, participants } = await readStats({ domain, from: firstDay(chosen()) }, signal)
  const known = sentiment.positive + sentiment.neutral + sentiment.negative
  say(byId('figure-expressions'), numberText(expressions.total))
  say(byId('figure-today'), numberText(expressions.today))
  say(byId('figure-votes'), numberText(votes.total))
  say(byId('figure-participants'), participants === null ? '–' : numberText(participants))
  say(byId('figure-share'), known === 0 ? '–' : percentText(sentiment.positive / known))
  byId('balance').replaceChildren(...sentimentBar(sentiment).children)
  offerLanguages(expressions.by_lang)
  showHistory(sentiment.history)
}, 30)

const domainsReading = reading(async (signal) => {
  const answer = await readDomains(signal)
  domains = answer.domains
  byDomain = new Map(domains.flatMap((domain) => [domain, ...domain.sub_domains]).map((each) => [each.id, each]))
  offerDomains(domains)
  nameTopics(byDomain)
  showDomains(domains, chosen().domain)
}, 30)

startFeed(() => byDomain)
const ask = followLive({
  state: (state) => {
    const place = byId('connection')
    place.dataset.state = { live: 'good', connecting: 'wait', offline: 'warn' }[state]
    say(place, word(state))
  },
  expression: (expression) => {
    showExpression(expression, () => byDomain)
    const { location, sentiment, created_at: at } = expression
    const isNew = Date.now() - new Date(at).getTime() < 60_000
    if (isNew && location) map.pulse(location.lon, location.lat, sentiments.includes(sentiment?.label) ? sentiment.label : 'unknown')
  },
  stats: () => statsReading.later(),
  domains: () => domainsReading.later(),
  map: () => mapReading.later(),
  audience: (count) => say(byId('audience'), count > 1 ? word('audience', { count, text: numberText(count) }) : ''),
})

function askForLive() {
  const { domain, sentiment, written } = chosen()
  ask(Object.fromEntries(Object.entries({ domain, sentiment, lang: written }).filter(([, value]) => value !== '')))
}

followFilters((isReset) => {
  if (isReset) isPlaced = false
  map.choose(undefined)
  clearFeed()
  askForLive()
  mapReading.now()
  statsReading.now()
  showDomains(domains, chosen().domain)
})
askForLive()

map.addEventListener('view', () => {
  if (isPlaced) mapReading.now()
})
map.addEventListener('choice', ({ detail: { feature } }) => showDetails(map, feature, byDomain))
byId('whole').addEventListener('click', () => {
  isPlaced = false
  mapReading.now()
})
byId('map-table').addEventListener('toggle', () => byId('map-table').open && showTable(map, features))
document.addEventListener('visibilitychange', () => {
  if (document.hidden) return
  for (const each of [mapReading, statsReading, domainsReading]) each.later()
})

for (const each of [mapReading, statsReading, domainsReading]) each.now()
await map.start()
if (byId('map-table').open) showTable(map, features)
