/** What stands behind a marker, in words: on a card over the map, and in the table that says the same as the map. */
import { byId, element } from '/pages/element.js'
import { countOf, sentiments, sentimentsOf } from './map/markers.js'
import { agoText, labelOf, languageText, numberText, percentText, word } from './words.js'

const mostRows = 50

/** "around Dakar", "Sénégal", or coordinates at sea. */
export function placeText(map, [lon, lat]) {
  const town = map.world.townNear(map.view, lon, lat)
  const country = map.countryAt(lon, lat)
  const exact = word('atSea', { lat: `${numberText(Math.round(lat * 10) / 10)}°`, lon: `${numberText(Math.round(lon * 10) / 10)}°` })
  const place = town === undefined ? undefined : word('around', { place: town })
  return [country, place].filter(Boolean).join(', ') || exact
}

/** A bar whose parts are the sentiments, with the numbers beside it. */
export function sentimentBar(counts) {
  const total = sentiments.reduce((sum, sentiment) => sum + counts[sentiment], 0) + (counts.unknown ?? 0)
  const bar = element('span', { class: 'stack', 'aria-hidden': 'true' })
  for (const sentiment of [...sentiments, 'unknown']) {
    if (!counts[sentiment]) continue
    const part = element('span', { class: 'part', 'data-sentiment': sentiment })
    part.style.flexGrow = String(counts[sentiment] / total)
    bar.append(part)
  }
  return bar
}

/** @param domains - of the taxonomy, by id */
export function showDetails(map, feature, domains) {
  const card = byId('details')
  card.hidden = feature === undefined
  if (feature === undefined) return card.replaceChildren()
  const { properties, geometry } = feature
  const close = element('button', { type: 'button', class: 'close', 'aria-label': word('close') }, '×')
  close.addEventListener('click', () => {
    map.choose(undefined)
    byId('map').focus()
  })
  const parts = properties.cluster ? groupParts(map, feature, domains) : singleParts(properties, domains)
  return card.replaceChildren(close, element('p', { class: 'quiet' }, placeText(map, geometry.coordinates)), ...parts)
}

function groupParts(map, { properties, geometry }, domains) {
  const { point_count: count, expansion_zoom: zoom } = properties
  const counts = sentimentsOf(properties)
  const known = count - counts.unknown
  const topics = Object.entries(properties.domains ?? {})
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, 3)
    .map(([id, many]) => element('li', {}, domainText(id, domains), ' ', element('span', { class: 'quiet' }, numberText(many))))
  const closer = element('button', { type: 'button', class: 'button small' }, word('zoomIn'))
  closer.addEventListener('click', () => {
    map.choose(undefined)
    map.goTo(geometry.coordinates, Math.max(map.view.zoom + 1, (zoom ?? 0) + 1))
  })
  return [
    element('h3', {}, word('group', { count, text: numberText(count) })),
    sentimentBar(counts),
    known === 0
      ? undefined
      : element('p', {}, sentiments.map((sentiment) => `${word(sentiment)} ${percentText(counts[sentiment] / known)}`).join(' · ')),
    topics.length === 0 ? undefined : element('p', { class: 'quiet' }, word('topicsHere')),
    topics.length === 0 ? undefined : element('ul', {}, ...topics),
    closer,
  ].filter(Boolean)
}

function singleParts({ domain, sentiment, lang, created_at: at, votes }, domains) {
  const label = sentiments.includes(sentiment) ? sentiment : 'unknown'
  return [
    element('h3', {}, domainText(domain, domains)),
    element(
      'p',
      {},
      element('span', { class: 'sentiment', 'data-sentiment': label }, word(label === 'unknown' ? 'unknownSentiment' : label)),
    ),
    element('p', { class: 'quiet' }, [languageText(lang), agoText(at), word('votesHere', votesOf(votes))].join(' · ')),
  ]
}

function votesOf(votes) {
  const count = typeof votes === 'number' ? votes : Object.values(votes ?? {}).reduce((sum, each) => sum + Number(each), 0)
  return { count, text: numberText(count) }
}

export function domainText(id, domains) {
  const known = id === null || id === undefined ? undefined : domains.get(id)
  return known === undefined ? (id ?? word('noTopic')) : labelOf(known)
}

/** The largest groups in view as rows: what the map shows, without the map. */
export function showTable(map, features) {
  const rows = features
    .toSorted((a, b) => countOf(b) - countOf(a))
    .slice(0, mostRows)
    .map((feature) => {
      const counts = sentimentsOf(feature.properties)
      const go = element('button', { type: 'button', class: 'button plain small' }, word('view'))
      const place = placeText(map, feature.geometry.coordinates)
      go.setAttribute('aria-label', `${word('showOnMap')}: ${place}`)
      go.addEventListener('click', () => {
        map.goTo(feature.geometry.coordinates, map.view.zoom)
        map.choose(feature)
        byId('map').focus()
      })
      const cells = [countOf(feature), ...sentiments.map((sentiment) => counts[sentiment])].map((each) =>
        element('td', { class: 'number' }, numberText(each)),
      )
      return element('tr', {}, element('th', { scope: 'row' }, place), ...cells, element('td', {}, go))
    })
  const heads = ['place', 'expressions', ...sentiments].map((key, index) =>
    element('th', { scope: 'col', class: index === 0 ? undefined : 'number' }, word(key)),
  )
  const table = element(
    'table',
    {},
    element('caption', { class: 'unseen' }, word('tableCaption')),
    element('thead', {}, element('tr', {}, ...heads, element('td', {}))),
    element('tbody', {}, ...rows),
  )
  document.querySelector('#map-table .scroll').replaceChildren(table)
}
