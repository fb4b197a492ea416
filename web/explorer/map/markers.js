/** Groups of expressions as rings whose parts are the sentiments, and single ones as discs with the sign of their sentiment. */

import { compactText } from '../words.js'
import { xOf, yOf } from './projection.js'
import { shifts } from './world.js'

export const sentiments = ['positive', 'neutral', 'negative']
const signs = { positive: '+', neutral: '=', negative: '−' }
const singleRadius = 9

/** How many have which sentiment; what has none is unknown. */
export function sentimentsOf({ cluster, point_count: count, sentiment }) {
  const counts = cluster
    ? { positive: sentiment.positive, neutral: sentiment.neutral, negative: sentiment.negative }
    : { positive: 0, neutral: 0, negative: 0, ...(sentiments.includes(sentiment) ? { [sentiment]: 1 } : {}) }
  return { ...counts, unknown: (cluster ? count : 1) - counts.positive - counts.neutral - counts.negative }
}

export const countOf = ({ properties }) => (properties.cluster ? properties.point_count : 1)
export const radiusOf = (count) => (count === 1 ? singleRadius : Math.min(34, 12 + 3.1 * Math.log(count)))

/** Groups that would cover each other at this scale, taken together: the larger one takes the smaller one in. */
export function withoutOverlaps(features, view) {
  const cell = 80
  const kept = new Map()
  const near = (column, row) => [-1, 0, 1].flatMap((x) => [-1, 0, 1].flatMap((y) => kept.get(`${column + x} ${row + y}`) ?? []))
  const all = []
  for (const feature of features.toSorted((a, b) => countOf(b) - countOf(a))) {
    const [lon, lat] = feature.geometry.coordinates
    const [left, top] = [xOf(lon) * view.scale, yOf(lat) * view.scale]
    const radius = radiusOf(countOf(feature))
    const [column, row] = [Math.floor(left / cell), Math.floor(top / cell)]
    const host = near(column, row).find((each) => Math.hypot(each.left - left, each.top - top) < 0.85 * (each.radius + radius))
    if (host === undefined) {
      const place = { left, top, radius, members: [feature] }
      all.push(place)
      kept.set(`${column} ${row}`, [...(kept.get(`${column} ${row}`) ?? []), place])
    } else host.members.push(feature)
  }
  return all.map(({ members }) => together(members))
}

/** One group made of several features, at the place of the first. */
function together(members) {
  const [first] = members
  if (members.length === 1) return first
  const counts = { positive: 0, neutral: 0, negative: 0 }
  const domains = {}
  for (const { properties } of members) {
    const own = sentimentsOf(properties)
    for (const sentiment of sentiments) counts[sentiment] += own[sentiment]
    const topics = properties.cluster ? (properties.domains ?? {}) : properties.domain === null ? {} : { [properties.domain]: 1 }
    for (const [id, count] of Object.entries(topics)) domains[id] = (domains[id] ?? 0) + count
  }
  const count = members.reduce((sum, feature) => sum + countOf(feature), 0)
  return { ...first, properties: { cluster: true, point_count: count, sentiment: counts, domains } }
}

/** @returns where each marker stands on the screen, the topmost last */
export function placeMarkers(features, view) {
  const placed = []
  for (const shift of shifts(view))
    for (const feature of features) {
      const [lon, lat] = feature.geometry.coordinates
      const [left, top] = view.toScreen(xOf(lon) + shift, yOf(lat))
      const radius = radiusOf(countOf(feature))
      if (left > -radius && left < view.width + radius && top > -radius && top < view.height + radius)
        placed.push({ feature, left, top, radius })
    }
  return placed.sort((a, b) => a.radius - b.radius)
}

export function drawMarkers(context, placed, colours, chosen) {
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  for (const { feature, left, top, radius } of placed) {
    const { properties } = feature
    context.shadowColor = 'rgb(0 0 0 / 30%)'
    context.shadowBlur = 4
    context.shadowOffsetY = 1
    disc(context, left, top, radius, properties.cluster ? colours.centre : colours[sentimentOf(properties)])
    context.shadowColor = 'transparent'
    if (properties.cluster) drawRing(context, left, top, radius, properties, colours)
    else drawSign(context, left, top, radius, properties, colours)
    if (feature.id !== undefined && feature.id === chosen) {
      context.beginPath()
      context.arc(left, top, radius + 3.5, 0, 2 * Math.PI)
      context.lineWidth = 3
      context.strokeStyle = colours.focus
      context.stroke()
    }
  }
}

const sentimentOf = ({ sentiment }) => (sentiments.includes(sentiment) ? sentiment : 'unknown')

function disc(context, left, top, radius, colour) {
  context.beginPath()
  context.arc(left, top, radius, 0, 2 * Math.PI)
  context.fillStyle = colour
  context.fill()
}

function drawRing(context, left, top, radius, properties, colours) {
  const counts = sentimentsOf(properties)
  const width = Math.max(4, radius * 0.26)
  let from = -Math.PI / 2
  for (const sentiment of [...sentiments, 'unknown']) {
    if (counts[sentiment] === 0) continue
    const to = from + (counts[sentiment] / properties.point_count) * 2 * Math.PI
    context.beginPath()
    context.arc(left, top, radius - width / 2, from, to)
    context.lineWidth = width
    context.strokeStyle = colours[sentiment]
    context.stroke()
    from = to
  }
  const text = compactText(properties.point_count)
  context.font = `650 ${Math.min(13, Math.max(9.5, (2.6 * (radius - width)) / text.length))}px system-ui, sans-serif`
  context.fillStyle = colours.count
  context.fillText(text, left, top + 0.5)
}

function drawSign(context, left, top, radius, properties, colours) {
  context.beginPath()
  context.arc(left, top, radius, 0, 2 * Math.PI)
  context.lineWidth = 2
  context.strokeStyle = colours.centre
  context.stroke()
  context.font = '700 13px system-ui, sans-serif'
  context.fillStyle = colours.centre
  context.fillText(signs[properties.sentiment] ?? '?', left, top + 0.5)
}
