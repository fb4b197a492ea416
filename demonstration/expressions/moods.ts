import { z } from 'zod'
import { readData } from '../../foundation/files/data-file.ts'

const Percentage = z.number().min(0).max(100)
const DaysAgo = z.number().positive()

const { domains, episodes: listedEpisodes } = readData(
  'demonstration/expressions/moods.json',
  z.strictObject({
    domains: z.record(z.string(), z.strictObject({ weight: z.number().positive(), negative: Percentage, positive: Percentage })),
    episodes: z.array(
      z.strictObject({
        city: z.string(),
        domain: z.string(),
        sentiment: z.enum(['negative', 'positive']),
        from: DaysAgo,
        to: DaysAgo,
        share: z.number().min(0).max(1),
      }),
    ),
  }),
)

/** How often a domain comes up, and how people speak of it: parts of a hundred that are negative and positive. */
export const domainMoods = Object.entries(domains)

/** Things that happened and were much spoken of: where, about what, with which sentiment, from so many to so many days ago. */
export const episodes = listedEpisodes
