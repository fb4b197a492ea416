import { createHash } from 'node:crypto'
import { v5 as nameBased } from 'uuid'
import { z } from 'zod'
import type { NodeContent, TreeNode } from '../../../engines/tree-store/tree-store.ts'
import type { Clock } from '../../../foundation/clock.ts'
import { normalForm, readUrl } from '../../../foundation/text/normal-form.ts'
import { isNestedAtMost } from '../../../foundation/validation/json-limits.ts'
import { tooLong, tooMany, tooShort, type Violation } from '../../../foundation/validation/violation.ts'

/** Codes of custom rules in schema issues. */
const brokenRule = z.enum(['control_characters', 'not_an_object', 'too_complex', 'blank', 'wrong_pattern'])

/** control characters except tab and line ends, and lone surrogates: stores and fonts fail on them */
const unprintable = /(?![\t\n\r])\p{Cc}|\p{Cs}/u
const text = (min: number, max: number) =>
  z
    .string()
    .min(min)
    .max(max)
    .refine((value) => !unprintable.test(value), {
      params: { code: 'control_characters' },
      message: 'String should not contain control characters',
    })
const line = (min: number, max: number) =>
  text(min, max).refine((value) => !/[\r\n\t]/.test(value), {
    params: { code: 'control_characters' },
    message: 'String should be a single line',
  })

const maxMetadata = 65_536
const metadata = z
  .unknown()
  .refine((value) => value == null || (typeof value === 'object' && !Array.isArray(value)), {
    params: { code: 'not_an_object' },
    message: 'Metadata should be an object',
  })
  .refine((value) => value == null || (isNestedAtMost(value, 32) && JSON.stringify(value).length <= maxMetadata), {
    params: { code: 'too_complex' },
    message: `Metadata should be at most ${maxMetadata} characters of JSON, nested at most 32 deep`,
  })
  .optional()

/** An id that needs no encoding in a path. */
export const nodeId = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._:~-]{0,127}$/, 'Id should be 1 to 128 of letters, digits and ._:~-, and begin with a letter or digit')

/** `/nodes/root` addresses the root, so no other node may have this id */
export const rootName = 'root'
export const onlyRoot = 'Only the root can have the id root'

/**
 * A URL that pages and documents may link: absolute, http or https. Parsers strip blanks, so `canParse` alone accepts ` javascript:`;
 * `line` already refuses control characters.
 */
const linkable = line(1, 2048).refine(
  (value) => value === '' || /[\p{Cc}\p{Cs}]/u.test(value) || (/^https?:\/\/[^\s/\\]/i.test(value) && readUrl(value) !== undefined),
  {
    params: { code: 'wrong_pattern' },
    message: 'URL should be absolute and begin with http:// or https://',
  },
)
const Media = z.object({ url: linkable, type: line(1, 200).nullish(), alt: text(0, 2000).nullish(), caption: text(0, 2000).nullish() })
/** Content of a node as a client submits it; omitted members are empty. */
export const NodeInput = z.object({
  id: nodeId.nullish(),
  externalId: line(1, 500).nullish(),
  // a link without a visible character cannot be selected or read aloud
  title: line(1, 500).refine((value) => value === '' || /[\p{L}\p{M}\p{N}\p{P}\p{S}]/u.test(value), {
    params: { code: 'blank' },
    message: 'String should have at least one visible character',
  }),
  slug: z
    .string()
    .regex(/^[\p{L}\p{M}\p{N}]+(?:[-_.~][\p{L}\p{M}\p{N}]+)*$/u, 'Slug should be words of letters and digits, joined by - _ . ~')
    .max(200)
    .nullish(),
  summary: text(0, 5000).nullish(),
  body: text(0, 1_000_000).nullish(),
  locale: z
    .string()
    .regex(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,4}$/, 'Locale should be a language tag (BCP 47)')
    .nullish(),
  media: z.array(Media).max(100).nullish(),
  metadata,
})

export type NodeInput = z.input<typeof NodeInput>

/** Returns the problems of a node, one per member. */
export function problemsOf(input: NodeInput): readonly Violation[] {
  const read = NodeInput.safeParse(input)
  return read.success ? [] : read.error.issues.slice(0, 20).map(violationOf)
}

function violationOf(issue: z.core.$ZodIssue): Violation {
  const path = issue.path.map((step) => (typeof step === 'number' ? step : String(step)))
  const isText = 'origin' in issue && issue.origin === 'string'
  if (issue.code === 'too_big') return (isText ? tooLong : tooMany)(path, Number(issue.maximum))
  if (issue.code === 'too_small' && isText) return tooShort(path, Number(issue.minimum))
  if (issue.code === 'invalid_format') return { code: 'wrong_pattern', path, message: issue.message }
  const broken = issue.code === 'custom' ? brokenRule.safeParse(issue.params?.code) : undefined
  return { code: broken?.data ?? 'invalid', path, message: issue.message }
}

/** Returns the content of a valid node. */
export function contentOf(input: NodeInput): NodeContent {
  return {
    externalId: input.externalId ?? null,
    title: input.title,
    slug: input.slug ?? slugOf(input.title),
    summary: input.summary ?? null,
    body: input.body ?? null,
    locale: input.locale ?? null,
    media: (input.media ?? []).map(({ url, type = null, alt = null, caption = null }) => ({ url, type, alt, caption })),
    // validated above
    metadata: (input.metadata ?? {}) as Readonly<Record<string, unknown>>,
  }
}

/** Returns the words of a title in lower case, joined by hyphens; letters of any script remain. */
export function slugOf(title: string): string {
  const words =
    normalForm(title, 'NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  return words.join('-').slice(0, 100).replace(/-$/, '') || 'node'
}

/** Returns a hash of the content. */
export function hashOf({ externalId, title, slug, summary, body, locale, media, metadata: more }: NodeContent): string {
  const members = [
    externalId,
    title,
    slug,
    summary,
    body,
    locale,
    media.map(({ url, type, alt, caption }) => [url, type, alt, caption]),
    more,
  ]
  return createHash('sha256').update(JSON.stringify(members)).digest('base64url').slice(0, 22)
}

/** Returns the time of a change, later than the previous one even if the clock is behind: clients detect changes by it. */
export const updatedNow = ({ updatedAt }: Pick<TreeNode, 'updatedAt'>, clock: Clock): Date =>
  new Date(Math.max(clock.now(), updatedAt.getTime() + 1))

/** a namespace UUID for node names */
const namespace = '3f0c0a52-5d0e-4b54-9d5c-2b9d6c6c1f07'

/** Returns the id of a node without one; the same name gives the same id. */
export function idFor(tenant: string, kind: 'external' | 'path', name: string): string {
  return nameBased(JSON.stringify([tenant, kind, name]), namespace)
}
