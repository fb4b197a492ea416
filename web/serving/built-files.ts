import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { projectFolder } from '../../foundation/process/build-info.ts'
import { type PageFile, pageFile } from './page-file.ts'

/** The output of `npm run build`: a folder for each page, and the files of all pages with hashes in their names. */
const output = 'dist/pages'
const inOutput = (name: string): string => join(projectFolder, output, name)

/** The files that a page may load, now or later; `web/build.ts` writes them beside the page, with the names of their compressed forms. */
export const fileList = 'files.json'
const FileList = z.array(z.object({ file: z.string(), codings: z.partialRecord(z.enum(['br', 'gzip']), z.string()) }))
export type ListedFile = z.infer<typeof FileList>[number]

/** The bundler's list of its outputs by source. */
const manifestName = '.vite/manifest.json'
const Manifest = z.record(z.string(), z.object({ file: z.string() }))

/** Returns the HTML of a built page; undefined before the first build. */
export function builtHtml(name: string): string | undefined {
  const file = inOutput(`${name}/index.html`)
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

/** Returns a built script that belongs to no page; undefined before the first build. @param source - in `web/` */
export function builtScript(source: string): string | undefined {
  const manifest = inOutput(manifestName)
  const file = existsSync(manifest) ? Manifest.parse(JSON.parse(readFileSync(manifest, 'utf8')))[source]?.file : undefined
  return file === undefined ? undefined : readFileSync(inOutput(file), 'utf8')
}

/** Returns everything that a built page may load, and nothing of other pages. */
export const builtFiles = (name: string): readonly PageFile[] =>
  FileList.parse(JSON.parse(readFileSync(inOutput(`${name}/${fileList}`), 'utf8'))).map(assetFile)

/** By name: listeners of one process share the files that their pages share. */
const cachedFiles = new Map<string, PageFile>()

function assetFile({ file: name, codings }: ListedFile): PageFile {
  const cached = cachedFiles.get(name)
  if (cached !== undefined) return cached
  const compressed = Object.fromEntries(Object.entries(codings).map(([coding, file]) => [coding, readFileSync(inOutput(file))]))
  const file = { ...pageFile(`/pages/${name}`, `${output}/${name}`), codings: compressed, isNamedByContent: true } as const
  cachedFiles.set(name, file)
  return file
}
