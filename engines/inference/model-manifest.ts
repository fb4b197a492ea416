import { z } from 'zod'

const relativePath = z
  .string()
  .max(200)
  .regex(/^[A-Za-z0-9_][\w.-]*(?:\/[A-Za-z0-9_][\w.-]*){0,5}$/, 'must be a path of letters, digits, _ . - within the model')

const bytes = z.int().min(1)
const sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 lower-case hexadecimal digits')

const described = {
  name: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/, 'must consist of lower-case letters, digits, . _ and -'),
  version: z.string().min(1).max(60),
  licence: z.string().min(1).max(100),
  /** page that describes the origin of the model */
  source: z.url(),
}

const file = { path: relativePath, bytes, sha256 }
const maxFiles = 50
const eachOnce = (files: readonly { readonly path: string }[]): boolean => new Set(files.map(({ path }) => path)).size === files.length

/** ISO 639-1 codes, or `mul` for many */
const languages = z.array(z.string().min(2).max(8)).max(500)

/** The properties of an encoder that are needed to run it, in addition to its files. */
const EncoderManifest = z.object({
  ...described,
  task: z.literal('sentence-encoder'),
  languages: languages.min(1),
  /** relative to the manifest unless absolute */
  files: z
    .array(z.object({ ...file, url: z.string().min(1).max(2000) }))
    .min(1)
    .max(maxFiles)
    .refine(eachOnce, 'contains a file twice'),
  encoder: z.object({
    /** ONNX: inputs input_ids and attention_mask; output one vector per token, or one for the text */
    graph: relativePath,
    tokenizer: relativePath,
    tokenizer_config: relativePath.optional(),
    pooling: z.enum(['mean', 'cls', 'none']),
    /** prefixes of each kind of text used in training */
    prefixes: z.object({ passage: z.string().max(100), query: z.string().max(100) }).default({ passage: '', query: '' }),
    most_tokens: z.int().min(8).max(8192).default(512),
  }),
})
export type EncoderManifest = z.output<typeof EncoderManifest>

/** A model whose files are in an archive of a package registry. The code that runs it refers to its files by path. */
export const PackagedManifest = z.object({
  ...described,
  task: z.enum(['face-descriptor', 'document-reader']),
  languages: languages.default([]),
  package: z.object({
    registry: z.literal('pypi'),
    name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/),
    version: z.string().regex(/^[0-9][0-9A-Za-z.+-]{0,39}$/),
    archive: z.string().regex(/^[A-Za-z0-9][\w.+-]{0,150}\.whl$/),
  }),
  /** path of the file in the archive */
  files: z
    .array(z.object({ ...file, member: z.string().min(1).max(300) }))
    .min(1)
    .max(maxFiles)
    .refine(eachOnce, 'contains a file twice'),
})
export type PackagedManifest = z.output<typeof PackagedManifest>

const ModelManifest = z.discriminatedUnion('task', [EncoderManifest, PackagedManifest])
export type ModelManifest = z.output<typeof ModelManifest>
export type ModelTask = ModelManifest['task']

/** @throws {Error} one sentence that names every invalid member */
export function readManifest(content: string, where: string): ModelManifest {
  let manifest: unknown
  try {
    manifest = JSON.parse(content)
  } catch {
    throw new Error(`${where} is not JSON`)
  }
  const parsed = ModelManifest.safeParse(manifest)
  if (!parsed.success)
    throw new Error(`${where}: ${parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join('; ')}`)
  if (parsed.data.task !== 'sentence-encoder') return parsed.data
  const { encoder, files } = parsed.data
  const missing = [encoder.graph, encoder.tokenizer, encoder.tokenizer_config].filter(
    (path) => path !== undefined && !files.some((file) => file.path === path),
  )
  if (missing.length > 0) throw new Error(`${where}: files lacks ${missing.join(', ')}, which encoder refers to`)
  return parsed.data
}
