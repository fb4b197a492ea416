import { readFile } from 'node:fs/promises'
import { projectionEncoder } from '../../engines/sentence-encoder/sentence-projection.ts'
import { evaluateTexts } from '../../subgraphs/classification/commands/evaluate-texts.ts'

const sets = [
  {
    file: 'test/evaluate/classification/second.csv',
    title: 'Domain, sentiment and language',
    note: '168 sentences in three languages with domain, sub-domain and sentiment, and 64 more in 18 languages. Held out, except for languages: word lists were extended after errors of language detection on these texts.',
  },
  {
    file: 'test/evaluate/classification/third.csv',
    title: 'Difficult sentiment',
    note: '168 sentences in French and 84 in English with sentiment only, balanced, in the style of short posts, letters and forms, many deliberately hard: irony, polite or denied complaints, two words. Held out.',
  },
] as const

/** Returns the figures of the project's own test sets with the bundled models, as Markdown. */
export async function reportOnClassification(day: string): Promise<string> {
  const parts = [
    '# Accuracy of component C\n',
    `Measured on ${day} by \`npm run evaluate -- classification\`, with the default models: no installed encoder, no language model.`,
    'For your own texts: `npm run civigraph -- models evaluate FILE` (NDJSON or CSV with text, lang, domain, sentiment).\n',
    'The sentences and the taxonomy have the same authors, so the figures are optimistic; with 56 sentences a language',
    'a share of 0.85 has a confidence interval of 0.73 to 0.92 (95 %, Wilson).\n',
    'Sentiment: complaints, also polite or ironic, are negative; thanks and praise positive; information, questions, requests and proposals neutral.\n',
    '*decided*: share without abstention. *confusions*: true class, predicted class and count, from two texts on. *calibration error*: mean difference between scores and accuracy.\n',
  ]
  for (const { file, title, note } of sets) {
    const content = await readFile(file, 'utf8')
    const report = await evaluateTexts(content, 'csv', {
      taxonomy: undefined,
      encoder: projectionEncoder(),
      languageModel: undefined,
      executionProviders: ['cpu'],
      signal: AbortSignal.timeout(600_000),
    })
    parts.push(`## ${title}\n`, `${note} (\`${file}\`)\n`, withoutSingleConfusions(report))
  }
  return `${parts.join('\n').trimEnd()}\n`
}

/** Omits confusions of one text, and the lines that list nothing else. */
function withoutSingleConfusions(report: string): string {
  return report.replaceAll(/^(Confusions \(\w+\)): (.*)\.\n\n?/gm, (_, title: string, confusions: string) => {
    const repeated = confusions.split(', ').filter((confusion) => !confusion.endsWith(' 1'))
    return repeated.length === 0 ? '' : `${title}: ${repeated.join(', ')}.\n\n`
  })
}
