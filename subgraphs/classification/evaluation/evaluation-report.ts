import type { ClassMetrics, Evaluation } from './evaluation.ts'

const share = (value: number): string => (Number.isNaN(value) ? '–' : value.toFixed(3))
const maxConfusions = 12

/** Formats the metrics as Markdown: a table per question, then the confusions. */
export function evaluationReport({ languages, sentiment, topics }: Evaluation): string {
  const parts: string[] = []
  if (languages !== undefined)
    parts.push(
      table('Language', ['texts', 'accuracy', 'macro F1'], [['all', languages]], ({ texts, accuracy, macroF1 }) => [
        String(texts),
        share(accuracy),
        share(macroF1),
      ]),
      confusions([['all', languages]]),
    )
  if (topics.size > 0)
    parts.push(
      table(
        'Domain',
        [
          'texts',
          'top-1 accuracy',
          'top-3 accuracy',
          'macro F1',
          'decided',
          'accuracy of decided',
          'sub-domain accuracy',
          'calibration error',
        ],
        [...topics],
        (each) => [
          String(each.texts),
          ...[
            each.accuracy,
            each.top3Accuracy,
            each.macroF1,
            each.decided,
            each.decidedAccuracy,
            each.subDomainAccuracy,
            each.calibrationError,
          ].map(share),
        ],
      ),
      confusions([...topics]),
    )
  if (sentiment.size > 0)
    parts.push(
      table('Sentiment', ['texts', 'accuracy', 'macro F1', 'calibration error'], [...sentiment], (each) => [
        String(each.texts),
        ...[each.accuracy, each.macroF1, each.calibrationError].map(share),
      ]),
      confusions([...sentiment]),
    )
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

function table<Metrics>(
  title: string,
  columns: readonly string[],
  rows: readonly (readonly [string, Metrics])[],
  cells: (metrics: Metrics) => readonly string[],
): string {
  const line = (texts: readonly string[]): string => `| ${texts.join(' | ')} |`
  return [
    line([title, ...columns]),
    line(Array.from({ length: columns.length + 1 }, () => '---')),
    ...rows.map(([name, metrics]) => line([name, ...cells(metrics)])),
  ].join('\n')
}

/** Formats "truth as prediction: count", most frequent first. */
function confusions(rows: readonly (readonly [string, ClassMetrics])[]): string {
  return rows
    .filter(([, metrics]) => metrics.confusions.length > 0)
    .map(([name, metrics]) => {
      const shown = metrics.confusions.slice(0, maxConfusions).map(({ truth, predicted, count }) => `${truth} as ${predicted} ${count}`)
      const more = metrics.confusions.length - shown.length
      return `Confusions (${name}): ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`
    })
    .join('\n\n')
}
