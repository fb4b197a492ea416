import { erasableKinds } from '../../../engines/citizen-data/citizen-data.ts'
import type { Chapter, Typesetter } from '../../../engines/typesetting/typesetter.ts'
import { Fault } from '../../../foundation/fault.ts'
import { type CertificateLanguage, type CertificateWords, certificateWords } from './certificate-words.ts'
import type { Erasure } from './citizen-erasures.ts'

/** Typesets the certificate of a completed erasure as PDF; the same erasure gives the same bytes. @throws {Fault} CONFLICT while it runs */
export async function certificatePdf(
  typesetter: Typesetter,
  erasure: Erasure,
  language: CertificateLanguage,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const { completedAt: at } = erasure
  if (at === null) throw new Fault('CONFLICT', 'The erasure is not complete; request the certificate again later', { retryAfterMs: 5000 })
  return typesetter.typeset({ at, chapters: chaptersOf(erasure, at, language) }, signal)
}

async function* chaptersOf(erasure: Erasure, completedAt: Date, locale: CertificateLanguage): AsyncGenerator<readonly Chapter[]> {
  const words = certificateWords[locale]
  const { facts } = words
  const chapter = (depth: number, title: string, lines: readonly string[], summary: string | null = null): Chapter => ({
    ...{ depth, title, summary, locale, media: [] },
    body: lines.map((line) => `- ${line}`).join('\n'),
  })
  yield [
    chapter(
      0,
      words.title,
      [
        `${facts.number}: \`${erasure.id}\``,
        `${facts.citizen}: \`${erasure.pseudonym}\``,
        `${facts.requested}: ${erasure.requestedAt.toISOString()}`,
        `${facts.completed}: ${completedAt.toISOString()}`,
        ...(erasure.isUnknown ? [facts.unknown] : []),
      ],
      words.summary,
    ),
    chapter(1, words.headings.erased, erasedLines(erasure, words)),
    chapter(1, words.headings.remaining, remainingLines(erasure, words)),
  ]
}

function erasedLines({ parts }: Erasure, words: CertificateWords): readonly string[] {
  const lines = parts.flatMap(({ component, erased: { counts } }) =>
    erasableKinds.flatMap((kind) => {
      const count = counts[kind] ?? 0
      return count === 0 ? [] : [`${words.components[component]}: ${words.erased[kind]} (${count})`]
    }),
  )
  return lines.length === 0 ? [words.nothing] : lines
}

function remainingLines({ parts }: Erasure, words: CertificateWords): readonly string[] {
  return parts.flatMap(({ component, remaining }) =>
    (remaining ?? [])
      .filter(({ count }) => count !== 0)
      .flatMap(({ kind, count, ids }) => [
        `${words.components[component]}: ${words.remaining[kind]}${count === null ? '' : ` (${count})`}`,
        ...ids.map((id) => `\`${id}\``),
      ]),
  )
}
