import { z } from 'zod'
import { readData } from '../../../foundation/files/data-file.ts'
import { ExampleSentences, inEachLanguage, Sentence } from './example-sentences.ts'

const Slug = z.string().regex(/^[a-z]+(?:-[a-z]+)*$/, 'must be a slug: lower-case letters with single hyphens between')

/**
 * One domain of the shipped taxonomy. `examples` are sentences of citizens; `words` are terms separated by spaces, which train the
 * classifier and are not shown.
 */
const Domain = z.strictObject({
  id: Slug,
  label: inEachLanguage(Sentence),
  subDomains: z
    .array(
      z.strictObject({
        /** the id is `<domain>/<slug>` */
        slug: Slug,
        label: inEachLanguage(Sentence),
        examples: inEachLanguage(ExampleSentences),
        words: inEachLanguage(Sentence),
      }),
    )
    .refine((all) => new Set(all.map(({ slug }) => slug)).size === all.length, 'must not contain a slug twice'),
})
export type Domain = z.output<typeof Domain>

const folder = 'subgraphs/classification/data'

function read(id: string): Domain {
  const file = `${folder}/taxonomy/${id}.json`
  return readData(
    file,
    Domain.refine((domain) => domain.id === id, { path: ['id'], error: 'must be the name of the file' }),
  )
}

/** The domains of a new platform, in display order. */
export const shippedTaxonomy: readonly Domain[] = readData(`${folder}/taxonomy-order.json`, z.array(Slug).min(1)).map(read)
