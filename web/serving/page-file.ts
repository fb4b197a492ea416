import { readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { projectFolder } from '../../foundation/process/build-info.ts'
import type { MadeCodings } from './compressible.ts'

/** A file that a browser asks for: a page, its style, its script, its picture. */
export interface PageFile {
  /** where it is served, from the root of the listener */
  readonly path: string
  readonly mediaType: string
  readonly content: string | Buffer
  /** the content in fewer bytes, where the build has made them */
  readonly codings?: MadeCodings
  /** another content has another path: browsers need never ask again */
  readonly isNamedByContent?: true
}

/** What a service shows to a person who asks for its root. */
export interface Page extends PageFile {
  /** one sentence, for the list of operations */
  readonly summary: string
  /** what it may load and where it may send, where that is more than pages usually may */
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
 * @param path - where it will be served   @param file - absolute, or from the project's folder
 * @throws {Error} when it is not there, or of a kind that no page uses
 */
export function pageFile(path: string, file: string): PageFile {
  const mediaType = textTypes[extname(file)] ?? binaryTypes[extname(file)]
  if (mediaType === undefined) throw new Error(`${file} is no file of a page`)
  return { path, mediaType, content: readFileSync(inProject(file)) }
}

const inProject = (file: string): string => join(file.startsWith('/') ? '' : projectFolder, file)

/** A page that is made at the start. */
export const htmlFile = (path: string, content: string): PageFile => ({ path, mediaType: 'text/html; charset=utf-8', content })

/** What every page shares, on whichever listener it is. */
export const sharedPageFiles = (): readonly PageFile[] => [pageFile('/pages/emblem.svg', 'web/shared/emblem.svg')]

/** Pages of one listener load some of the same files. */
export const eachOnce = (files: readonly PageFile[]): readonly PageFile[] => [...new Map(files.map((file) => [file.path, file])).values()]

/**
 * What a page may load and where it may send: this origin only, and no script inside the page. Pictures may also be made in the page
 * (`data:`, and `blob:` for the preview of a chosen file).
 * @param more - sources that a page needs besides, by directive
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

/** The headers of a page file beside its media type and what says how long it may be kept. */
export function pageHeaders(policy = contentSecurityPolicy()): Readonly<Record<string, string>> {
  return { 'content-security-policy': policy, 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' }
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Text as it may stand between tags and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
}
