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

/** One chapter, so that the certificate fits on few pages. */
async function* chaptersOf(erasure: Erasure, completedAt: Date, locale: CertificateLanguage): AsyncGenerator<readonly Chapter[]> {
  const words = certificateWords[locale]
  const { facts, headings } = words
  const listOf = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join('\n')
  const body = [
    listOf([
      `${facts.number}: \`${erasure.id}\``,
      `${facts.citizen}: \`${erasure.pseudonym}\``,
      `${facts.requested}: ${erasure.requestedAt.toISOString()}`,
      `${facts.completed}: ${completedAt.toISOString()}`,
      ...(erasure.isUnknown ? [facts.unknown] : []),
    ]),
    `## ${headings.erased}`,
    listOf(erasedLines(erasure, words)),
    `## ${headings.remaining}`,
    listOf(remainingLines(erasure, words)),
  ]
  yield [{ depth: 0, title: words.title, summary: words.summary, body: body.join('\n\n'), locale, media: [] }]
}

function erasedLines({ parts }: Erasure, words: CertificateWords): readonly string[] {
  const lines = parts.flatMap(({ erased: { counts } }) =>
    erasableKinds.flatMap((kind) => {
      const count = counts[kind] ?? 0
      return count === 0 ? [] : [`${words.erased[kind]} (${count})`]
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
