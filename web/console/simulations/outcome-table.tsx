import type { SimulationFigureFieldsFragment } from '@civigraph/client/documents'
import { Scrolling } from '../../components/keyboard.tsx'
import { useSimulationWords } from './simulation-words/words.ts'

type Figures = SimulationFigureFieldsFragment

/** The figures of one outcome with its name. */
export interface NamedOutcome {
  readonly id: string
  readonly name: string
  readonly figures: Figures
}

interface OutcomeTableProps {
  readonly caption: string
  readonly outcomes: readonly NamedOutcome[]
  /** whether a last column shows the difference between the first two outcomes */
  readonly hasDifference?: boolean
}

/** Compares outcomes by all figures, side by side. */
export function OutcomeTable({ caption, outcomes, hasDifference = false }: OutcomeTableProps) {
  const { word, number, percent, language } = useSimulationWords()
  const decimals = new Intl.NumberFormat(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 })
  const signed = { signDisplay: 'exceptZero' } as const
  const counts = (read: (figures: Figures) => number): Pick<Row, 'read' | 'format' | 'difference'> => ({
    read,
    format: number,
    difference: (value) => new Intl.NumberFormat(language, signed).format(value),
  })
  const steps = [...new Set(outcomes.flatMap(({ figures }) => figures.chains.map((chain) => chain.steps)))].sort(
    (one, other) => one - other,
  )
  const shownSteps = steps.slice(0, maxSteps)
  const citizensAt = (figures: Figures, isCounted: (steps: number) => boolean): number =>
    figures.chains.reduce((sum, chain) => sum + (isCounted(chain.steps) ? chain.citizens : 0), 0)
  const groups: readonly { readonly title: string; readonly rows: readonly Row[] }[] = [
    {
      title: word('outcome.votes'),
      rows: [
        { name: word('outcome.electorate'), ...counts((figures) => figures.electorate) },
        { name: word('outcome.cast'), ...counts((figures) => figures.cast) },
        { name: word('outcome.voters'), ...counts((figures) => figures.voters) },
        { name: word('outcome.delegated'), ...counts((figures) => figures.delegated) },
      ],
    },
    {
      title: word('outcome.lost'),
      rows: [
        { name: word('outcome.lost-cycle'), ...counts(({ lost }) => lost.cycle) },
        { name: word('outcome.lost-chain'), ...counts(({ lost }) => lost.chain) },
        { name: word('outcome.lost-weight'), ...counts(({ lost }) => lost.weight) },
      ],
    },
    {
      title: word('outcome.concentration'),
      rows: [
        {
          name: word('outcome.largest-share'),
          read: ({ concentration }) => concentration.largestShare,
          format: (share: number) => percent(share, 1),
          difference: (value) =>
            word('outcome.points', { value: new Intl.NumberFormat(language, { ...signed, maximumFractionDigits: 1 }).format(100 * value) }),
        },
        { name: word('outcome.nakamoto'), ...counts(({ concentration }) => concentration.nakamoto) },
        {
          name: word('outcome.gini'),
          read: ({ concentration }) => concentration.gini,
          format: decimals.format,
          difference: (value) =>
            new Intl.NumberFormat(language, { ...signed, minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(value),
        },
      ],
    },
    {
      title: word('outcome.chains'),
      rows: [
        ...shownSteps.map((step) => ({
          name: step === 0 ? word('outcome.no-steps') : word('outcome.steps', { count: step }),
          ...counts((figures) => citizensAt(figures, (each) => each === step)),
        })),
        ...(steps.length > maxSteps
          ? [
              {
                name: word('outcome.more-steps', { count: shownSteps.at(-1) ?? 0 }),
                ...counts((figures) => citizensAt(figures, (each) => each > (shownSteps.at(-1) ?? 0))),
              },
            ]
          : []),
      ],
    },
  ]
  const [first, second] = outcomes
  return (
    <Scrolling label={caption}>
      <table className="outcomes">
        <caption className="unseen">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{word('outcome.figure')}</th>
            {outcomes.map(({ id, name }) => (
              <th key={id} scope="col">
                {name}
              </th>
            ))}
            {hasDifference && <th scope="col">{word('outcome.difference')}</th>}
          </tr>
        </thead>
        {groups.map(({ title, rows }) => (
          <tbody key={title}>
            <tr>
              <th scope="rowgroup" colSpan={outcomes.length + (hasDifference ? 2 : 1)} className="group">
                {title}
              </th>
            </tr>
            {rows.map(({ name, read, format, difference }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {outcomes.map((outcome) => (
                  <td key={outcome.id}>{format(read(outcome.figures))}</td>
                ))}
                {hasDifference && first !== undefined && second !== undefined && (
                  <td>
                    <bdi>{difference(read(second.figures) - read(first.figures))}</bdi>
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </Scrolling>
  )
}

/** lengths of chains with a row of their own */
const maxSteps = 10

interface Row {
  readonly name: string
  readonly read: (figures: Figures) => number
  readonly format: (value: number) => string
  readonly difference: (value: number) => string
}
