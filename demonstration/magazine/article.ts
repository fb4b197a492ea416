import { z } from 'zod'

/** A text of the demonstration magazine with its children. */
export interface Article {
  /** unique in the magazine; part of its path */
  readonly name: string
  readonly title: string
  readonly summary: string
  /** markdown */
  readonly body: string
  readonly inside?: readonly Article[] | undefined
}

/** The file format: the body as lines. */
export const Article: z.ZodType<Article> = z.strictObject({
  name: z.string().min(1),
  title: z.string().min(1),
  summary: z.string().min(1),
  body: z.array(z.string()).transform((lines) => lines.join('\n')),
  get inside() {
    return z.array(Article).optional()
  },
})
