import { useId } from 'react'
import { Scrolling } from '../../components/keyboard.tsx'
import type { NamedOutcome } from './outcome-table.tsx'
import { useSimulationWords } from './simulation-words/words.ts'

/** plot area in the units of the drawing */
const size = 320
const margin = { start: 48, top: 12, bottom: 44, end: 16 }
const ticks = [0, 0.25, 0.5, 0.75, 1]
const tableShares = [0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]

/** Share of the votes by share of the voters, the heaviest first, for several outcomes; the same values follow as a table. */
export function ConcentrationCurve({ outcomes }: { outcomes: readonly NamedOutcome[] }) {
  const { word, percent } = useSimulationWords()
  const id = useId()
  const drawn = outcomes.filter(({ figures }) => figures.concentration.curve.length > 0)
  if (drawn.length === 0) return <p>{word('curve.none')}</p>
  const x = (share: number): number => margin.start + share * size
  const y = (share: number): number => margin.top + (1 - share) * size
  const [width, height] = [margin.start + size + margin.end, margin.top + size + margin.bottom]
  return (
    <figure className="curve">
      {/* the axes run from left to right in every language, as in the tables of statistics */}
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-labelledby={`${id}-title ${id}-about`} direction="ltr">
        <title id={`${id}-title`}>{word('curve.title')}</title>
        <desc id={`${id}-about`}>
          {drawn.map((each) => word('curve.about', { name: each.name, share: percent(votesAt(each, 0.1), 1) })).join(' ')}
        </desc>
        {ticks.map((share) => (
          <g key={share} className="tick">
            <line x1={x(share)} x2={x(share)} y1={y(0)} y2={y(1)} />
            <line x1={x(0)} x2={x(1)} y1={y(share)} y2={y(share)} />
            <text x={x(share)} y={y(0) + 18} textAnchor={share === 1 ? 'end' : 'middle'}>
              {percent(share, 1)}
            </text>
            <text x={x(0) - 6} y={y(share) + 4} textAnchor="end">
              {percent(share, 1)}
            </text>
          </g>
        ))}
        <line className="equal" x1={x(0)} y1={y(0)} x2={x(1)} y2={y(1)} />
        {drawn.map(({ id: series, figures }, index) => (
          <polyline
            key={series}
            className={`series series-${index}`}
            points={figures.concentration.curve.map(({ voters, votes }) => `${x(voters)},${y(votes)}`).join(' ')}
          />
        ))}
        <text className="axis" x={x(0.5)} y={height - 6} textAnchor="middle">
          {word('curve.voters')}
        </text>
      </svg>
      <figcaption>
        <p>{word('curve.read')}</p>
        <ul className="legend">
          {drawn.map(({ id: series, name }, index) => (
            <li key={series}>
              <svg viewBox="0 0 32 8" aria-hidden="true">
                <line className={`series series-${index}`} x1="0" x2="32" y1="4" y2="4" />
              </svg>
              {name}
            </li>
          ))}
          <li>
            <svg viewBox="0 0 32 8" aria-hidden="true">
              <line className="equal" x1="0" x2="32" y1="4" y2="4" />
            </svg>
            {word('curve.equal')}
          </li>
        </ul>
        <details className="values">
          <summary>{word('curve.table')}</summary>
          <Scrolling label={word('curve.title')}>
            <table className="outcomes">
              <caption className="unseen">{word('curve.title')}</caption>
              <thead>
                <tr>
                  <th scope="col">{word('curve.voters')}</th>
                  {drawn.map(({ id: series, name }) => (
                    <th key={series} scope="col">
                      {name}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {tableShares.map((share) => (
                  <tr key={share}>
                    <th scope="row">{percent(share, 1)}</th>
                    {drawn.map((each) => (
                      <td key={each.id}>{percent(votesAt(each, share), 1)}</td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </Scrolling>
        </details>
      </figcaption>
    </figure>
  )
}

/** Returns the share of the votes that a share of the voters cast; the curve has a point for each percent. */
const votesAt = ({ figures }: NamedOutcome, share: number): number =>
  figures.concentration.curve.findLast(({ voters }) => voters <= share + 1e-9)?.votes ?? 0
