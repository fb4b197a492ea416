import { readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { projectFolder } from '../../foundation/process/build-info.ts'
import type { MadeCodings } from './compressible.ts'

/** A file of a page: HTML, style sheet, script or image. */
export interface PageFile {
  /** path on the listener */
  readonly path: string
  readonly mediaType: string
  readonly content: string | Buffer
  /** compressed variants from the build */
  readonly codings?: MadeCodings
  /** its path changes with its content, so browsers may cache it forever */
  readonly isNamedByContent?: true
}

/** A page that a service shows at its root. */
export interface Page extends PageFile {
  /** one sentence, for the list of operations */
  readonly summary: string
  /** additions to the content security policy */
  readonly policy?: string
}

const textTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.tsv': 'text/tab-separated-values; charset=utf-8',
}
const binaryTypes: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
}

/**
 * Reads a file that ships with the platform.
 * @param path - where it will be served
 * @param file - absolute, or relative to the project folder
 * @throws {Error} when it is missing, or of an unsupported type
 */
export function pageFile(path: string, file: string): PageFile {
  const mediaType = textTypes[extname(file)] ?? binaryTypes[extname(file)]
  if (mediaType === undefined) throw new Error(`${file} is not a file of a page`)
  return { path, mediaType, content: readFileSync(inProject(file)) }
}

const inProject = (file: string): string => join(file.startsWith('/') ? '' : projectFolder, file)

/** A page that is generated at start. */
export const htmlFile = (path: string, content: string): PageFile => ({ path, mediaType: 'text/html; charset=utf-8', content })

/** The files that all pages share. */
export const sharedPageFiles = (): readonly PageFile[] => [pageFile('/pages/emblem.svg', 'web/shared/emblem.svg')]

/** Removes duplicates: pages of one listener share files. */
export const eachOnce = (files: readonly PageFile[]): readonly PageFile[] => [...new Map(files.map((file) => [file.path, file])).values()]

/**
 * Returns the content security policy of a page: this origin only, no inline scripts, and images also from `data:` and `blob:` (previews of
 * chosen files).
 * @param more - additional sources by directive
 * @see Content Security Policy Level 3
 */
export function contentSecurityPolicy(more: Readonly<Record<string, string>> = {}): string {
  const sources: Readonly<Record<string, string>> = {
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'self'",
    'img-src': "'self' data: blob:",
    'connect-src': "'self'",
    'form-action': "'self'",
    'base-uri': "'none'",
    'frame-ancestors': "'none'",
  }
  const directives = new Set([...Object.keys(sources), ...Object.keys(more)])
  return [...directives].map((name) => [name, sources[name], more[name]].filter(Boolean).join(' ')).join('; ')
}

/** Headers of a page file besides its media type and caching headers. */
export function pageHeaders(policy = contentSecurityPolicy()): Readonly<Record<string, string>> {
  return { 'content-security-policy': policy, 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' }
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Escapes a text for HTML content and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
}
