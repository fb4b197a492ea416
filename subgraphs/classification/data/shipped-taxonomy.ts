import { z } from 'zod'
import { readData } from '../../../foundation/files/data-file.ts'
import { ExampleSentences, inEachLanguage, Sentence } from './example-sentences.ts'

const segment = '[a-z]+(?:-[a-z]+)*'
const Slug = z.string().regex(new RegExp(`^${segment}$`), 'must be a slug: lower-case letters with single hyphens between')

/**
 * One domain of the shipped taxonomy, a file of the form that `civigraph taxonomy import` reads. `examples` are sentences of citizens; `words` are
 * terms separated by spaces, which train the classifier and are not shown.
 */
const Domain = z.strictObject({
  id: Slug,
  labels: inEachLanguage(Sentence),
  subDomains: z
    .array(
      z.strictObject({
        id: z.string().regex(new RegExp(`^${segment}/${segment}$`), 'must be the id of the domain, a slash and the slug'),
        slug: Slug,
        labels: inEachLanguage(Sentence),
        examples: inEachLanguage(ExampleSentences),
        words: inEachLanguage(Sentence),
      }),
    )
    .refine((all) => new Set(all.map(({ slug }) => slug)).size === all.length, 'must not contain a slug twice'),
})
export type Domain = z.output<typeof Domain>

/** path of the shipped taxonomy in the project */
export const shippedTaxonomyFile = 'subgraphs/classification/data/taxonomy.json'

/** The domains of a new platform, in display order. */
export const shippedTaxonomy: readonly Domain[] = readData(shippedTaxonomyFile, z.strictObject({ domains: z.array(Domain).min(1) })).domains
