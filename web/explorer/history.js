/** Sentiment over time: a stacked bar a day, or a week when there are many days. */
import { byId, element, shape } from '/pages/element.js'
import { sentiments } from './map/markers.js'
import { dayText, language, longDayText, numberText, word } from './words.js'

const dayMs = 86_400_000
const mostBars = 45
const size = { height: 260, start: 44, end: 6, top: 10, bottom: 26 }

let shown = []
let width = 0
new ResizeObserver(([{ contentRect }]) => {
  if (Math.abs(contentRect.width - width) < 2) return
  width = contentRect.width
  showHistory(shown)
}).observe(byId('history'))

/** @param {{ day: string, positive: number, neutral: number, negative: number }[]} entries - days with something, in order */
export function showHistory(entries) {
  const bars = barsOf(entries)
  const place = byId('history')
  shown = entries
  byId('history-table').hidden = bars.length === 0
  if (bars.length === 0) return place.replaceChildren(element('p', { class: 'quiet' }, word('historyEmpty')))
  place.replaceChildren(chart(bars, Math.max(280, place.clientWidth)))
  document.querySelector('#history-table .scroll').replaceChildren(table(bars))
}

/** Every day from the first to the last, those without anything included; seven at a time where they are many. */
function barsOf(entries) {
  if (entries.length === 0) return []
  const known = new Map(entries.map((entry) => [entry.day.slice(0, 10), entry]))
  const last = new Date(entries.at(-1).day.slice(0, 10)).getTime()
  const first = Math.max(new Date(entries[0].day.slice(0, 10)).getTime(), last - 2 * 366 * dayMs)
  const days = Math.round((last - first) / dayMs) + 1
  const step = days > mostBars ? 7 : 1
  const bars = []
  // counted back from the last day, so that the newest bar is whole
  for (let end = last; end >= first; end -= step * dayMs) {
    const bar = { from: new Date(end - (step - 1) * dayMs).toISOString().slice(0, 10), step, positive: 0, neutral: 0, negative: 0 }
    for (let day = end; day > end - step * dayMs; day -= dayMs) {
      const entry = known.get(new Date(day).toISOString().slice(0, 10))
      for (const sentiment of sentiments) bar[sentiment] += entry?.[sentiment] ?? 0
    }
    bars.unshift(bar)
  }
  return bars
}

const totalOf = (bar) => sentiments.reduce((sum, sentiment) => sum + bar[sentiment], 0)

function chart(bars, width) {
  const { height, start, end, top, bottom } = size
  const highest = Math.max(...bars.map(totalOf), 1)
  const step = niceStep(highest)
  const ceiling = Math.ceil(highest / step) * step
  const across = (width - start - end) / bars.length
  const down = (value) => top + (height - top - bottom) * (1 - value / ceiling)
  const isMirrored = document.documentElement.dir === 'rtl'
  const left = (index) => (isMirrored ? width - start - (index + 1) * across : start + index * across)
  const sums = Object.fromEntries(
    sentiments.map((sentiment) => [sentiment, numberText(bars.reduce((sum, bar) => sum + bar[sentiment], 0))]),
  )
  const about = word('historyLabel', { from: longDayText(bars[0].from), to: longDayText(lastDay(bars.at(-1))), ...sums })
  const drawing = shape('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': about, class: 'chart', lang: language })
  for (let value = 0; value <= ceiling; value += step) {
    const y = down(value)
    drawing.append(
      shape('line', {
        x1: isMirrored ? end : start,
        x2: isMirrored ? width - start : width - end,
        y1: y,
        y2: y,
        class: value === 0 ? 'axis' : 'grid',
      }),
      shape(
        'text',
        { x: isMirrored ? width - start + 8 : start - 8, y: y + 4, 'text-anchor': isMirrored ? 'start' : 'end', direction: 'ltr' },
        numberText(value),
      ),
    )
  }
  const every = Math.ceil(bars.length / Math.max(2, Math.floor(width / 90)))
  for (const [index, bar] of bars.entries()) {
    let sum = 0
    const group = shape('g', {}, shape('title', {}, sentence(bar)))
    for (const sentiment of [...sentiments].reverse()) {
      if (bar[sentiment] === 0) continue
      const [from, to] = [down(sum), down(sum + bar[sentiment])]
      group.append(
        shape('rect', { x: left(index) + across * 0.14, y: to, width: across * 0.72, height: from - to, 'data-sentiment': sentiment }),
      )
      sum += bar[sentiment]
    }
    drawing.append(group)
    if ((bars.length - 1 - index) % every === 0)
      drawing.append(shape('text', { x: left(index) + across / 2, y: height - 8, 'text-anchor': 'middle' }, dayText(bar.from)))
  }
  return drawing
}

/** 1, 2 or 5 times a power of ten, so that there are three to six lines. */
function niceStep(highest) {
  const power = 10 ** Math.floor(Math.log10(highest / 3 || 1))
  return Math.max(1, [1, 2, 5, 10].map((each) => each * power).find((each) => highest / each <= 5) ?? power)
}

const lastDay = ({ from, step }) => new Date(new Date(from).getTime() + (step - 1) * dayMs).toISOString().slice(0, 10)
const sentence = (bar) =>
  [longDayText(bar.from), ...sentiments.map((sentiment) => `${word(sentiment)} ${numberText(bar[sentiment])}`)].join('\n')

function table(bars) {
  const heads = [word(bars[0].step > 1 ? 'week' : 'day'), ...sentiments.map((sentiment) => word(sentiment))]
  const rows = bars
    .filter((bar) => totalOf(bar) > 0)
    .toReversed()
    .map((bar) =>
      element(
        'tr',
        {},
        element('th', { scope: 'row' }, longDayText(bar.from)),
        ...sentiments.map((sentiment) => element('td', { class: 'number' }, numberText(bar[sentiment]))),
      ),
    )
  const header = heads.map((text, index) => element('th', { scope: 'col', class: index === 0 ? undefined : 'number' }, text))
  return element(
    'table',
    {},
    element('caption', { class: 'unseen' }, word('history')),
    element('thead', {}, element('tr', {}, ...header)),
    element('tbody', {}, ...rows),
  )
}
