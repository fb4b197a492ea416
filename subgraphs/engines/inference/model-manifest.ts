import { z } from 'zod'

const relativePath = z
  .string()
  .max(200)
  .regex(/^[A-Za-z0-9_][\w.-]*(?:\/[A-Za-z0-9_][\w.-]*){0,5}$/, 'must be a path of letters, digits, _ . - within the model')

/** What is said of a model beside its files, and needed to run it. */
export const ModelManifest = z.object({
  name: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/, 'may hold small letters, digits, . _ and -'),
  version: z.string().min(1).max(60),
  task: z.literal('sentence-encoder'),
  licence: z.string().min(1).max(100),
  /** ISO 639-1 codes, or `mul` for many */
  languages: z.array(z.string().min(2).max(8)).min(1).max(500),
  /** page that tells where the model comes from */
  source: z.url(),
  files: z
    .array(
      z.object({
        path: relativePath,
        /** relative to where the manifest was read, unless absolute */
        url: z.string().min(1).max(2000),
        bytes: z.int().min(1),
        sha256: z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 small hexadecimal digits'),
      }),
    )
    .min(1)
    .max(50)
    .refine((files) => new Set(files.map(({ path }) => path)).size === files.length, 'names a file twice'),
  encoder: z.object({
    /** ONNX: input_ids and attention_mask in, a vector for each token or one for the text out */
    graph: relativePath,
    tokenizer: relativePath,
    tokenizer_config: relativePath.optional(),
    pooling: z.enum(['mean', 'cls', 'none']),
    /** what the model was trained to see before each kind of text */
    prefixes: z.object({ passage: z.string().max(100), query: z.string().max(100) }).default({ passage: '', query: '' }),
    most_tokens: z.int().min(8).max(8192).default(512),
  }),
})
export type ModelManifest = z.output<typeof ModelManifest>

/** @throws {Error} a sentence that names every member that is wrong */
export function readManifest(content: string, where: string): ModelManifest {
  let given: unknown
  try {
    given = JSON.parse(content)
  } catch {
    throw new Error(`${where} is not JSON`)
  }
  const parsed = ModelManifest.safeParse(given)
  if (!parsed.success)
    throw new Error(`${where}: ${parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join('; ')}`)
  const { encoder, files } = parsed.data
  const missing = [encoder.graph, encoder.tokenizer, encoder.tokenizer_config].filter(
    (path) => path !== undefined && !files.some((file) => file.path === path),
  )
  if (missing.length > 0) throw new Error(`${where}: files does not hold ${missing.join(', ')}, which encoder names`)
  return parsed.data
}
