import { type RefObject, useEffect, useRef, useState } from 'react'
import { classifiedCount, sentiments } from '../sentiment/sentiments.ts'
import { useFormats, useWords } from '../words/words.ts'
import { barsOf, lastDayOf, linesOf, type ToneBar, type ToneDay } from './bars.ts'

const edges = { start: 44, end: 6, top: 10, bottom: 26 }
const minWidth = 240

/** Sentiment over time: a stacked bar per day, or per week for long periods. */
export function ToneChart({ days, height = 260 }: { days: readonly ToneDay[]; height?: number }) {
  const { word, number } = useWords()
  const { longDay } = useFormats()
  const [place, width] = useWidth()
  const bars = barsOf(days)
  const [first, last] = [bars[0], bars.at(-1)]
  if (first === undefined || last === undefined)
    return (
      <figure ref={place}>
        <p className="quiet">{word('historyEmpty')}</p>
      </figure>
    )
  const sums = Object.fromEntries(sentiments.map((sentiment) => [sentiment, number(bars.reduce((sum, bar) => sum + bar[sentiment], 0))]))
  const about = word('historyLabel', { from: longDay(first.from), to: longDay(lastDayOf(last)), ...sums })
  return <figure ref={place}>{width > 0 && <Drawing bars={bars} about={about} width={Math.max(minWidth, width)} height={height} />}</figure>
}

function Drawing({ bars, about, width, height }: { bars: readonly ToneBar[]; about: string; width: number; height: number }) {
  const { word, number, language } = useWords()
  const { day, longDay } = useFormats()
  const { start, end, top, bottom } = edges
  const lines = linesOf(bars)
  const isMirrored = language === 'ar'
  const across = (width - start - end) / bars.length
  const down = (value: number): number => top + (height - top - bottom) * (1 - value / (lines.at(-1) ?? 1))
  const left = (index: number): number => (isMirrored ? width - start - (index + 1) * across : start + index * across)
  const every = Math.ceil(bars.length / Math.max(2, Math.floor(width / 90)))
  return (
    <svg className="chart" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={about}>
      {lines.map((value) => (
        <g key={value}>
          <line
            className={value === 0 ? 'axis' : 'grid'}
            x1={isMirrored ? end : start}
            x2={isMirrored ? width - start : width - end}
            y1={down(value)}
            y2={down(value)}
          />
          <text
            x={isMirrored ? width - start + 8 : start - 8}
            y={down(value) + 4}
            textAnchor={isMirrored ? 'start' : 'end'}
            direction="ltr"
          >
            {number(value)}
          </text>
        </g>
      ))}
      {bars.map((bar, index) => (
        <g key={bar.from}>
          <title>{[longDay(bar.from), ...sentiments.map((each) => `${word(each)} ${number(bar[each])}`)].join('\n')}</title>
          <Stack bar={bar} x={left(index) + across * 0.14} width={across * 0.72} down={down} />
          {(bars.length - 1 - index) % every === 0 && (
            <text
              x={index === bars.length - 1 ? left(index) + (isMirrored ? 0 : across) : left(index) + across / 2}
              y={height - 8}
              textAnchor={index < bars.length - 1 ? 'middle' : isMirrored ? 'start' : 'end'}
              direction="ltr"
            >
              {day(bar.from)}
            </text>
          )}
        </g>
      ))}
    </svg>
  )
}

function Stack({ bar, x, width, down }: { bar: ToneBar; x: number; width: number; down: (value: number) => number }) {
  let sum = 0
  return sentiments.toReversed().map((sentiment) => {
    const [from, to] = [down(sum), down(sum + bar[sentiment])]
    sum += bar[sentiment]
    return bar[sentiment] > 0 && <rect key={sentiment} x={x} y={to} width={width} height={from - to} data-sentiment={sentiment} />
  })
}

/** The chart as a table, newest first. */
export function ToneTable({ days }: { days: readonly ToneDay[] }) {
  const { word, number } = useWords()
  const { longDay } = useFormats()
  const bars = barsOf(days)
  return (
    <table>
      <caption className="unseen">{word('history')}</caption>
      <thead>
        <tr>
          <th scope="col">{word((bars[0]?.days ?? 1) > 1 ? 'week' : 'day')}</th>
          {sentiments.map((sentiment) => (
            <th key={sentiment} scope="col" className="number">
              {word(sentiment)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {bars
          .filter((bar) => classifiedCount(bar) > 0)
          .toReversed()
          .map((bar) => (
            <tr key={bar.from}>
              <th scope="row">{longDay(bar.from)}</th>
              {sentiments.map((sentiment) => (
                <td key={sentiment} className="number">
                  {number(bar[sentiment])}
                </td>
              ))}
            </tr>
          ))}
      </tbody>
    </table>
  )
}

/** size of the drawing area, as it changes */
function useWidth(): readonly [RefObject<HTMLElement>, number] {
  const place = useRef<HTMLElement>(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(Math.round(entry?.contentRect.width ?? 0)))
    if (place.current !== null) observer.observe(place.current)
    return () => observer.disconnect()
  }, [])
  return [place, width]
}
