import { z } from 'zod'

/** A text of the demonstration's magazine with those below it. */
export interface Article {
  /** unique in the magazine, and its part of an address */
  readonly name: string
  readonly title: string
  readonly summary: string
  /** markdown */
  readonly body: string
  readonly inside?: readonly Article[] | undefined
}

/** As its file holds it: the body line by line. */
export const Article: z.ZodType<Article> = z.strictObject({
  name: z.string().min(1),
  title: z.string().min(1),
  summary: z.string().min(1),
  body: z.array(z.string()).transform((lines) => lines.join('\n')),
  get inside() {
    return z.array(Article).optional()
  },
})
