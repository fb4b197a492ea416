import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { projectFolder } from '../../foundation/process/build-info.ts'
import type { Coding } from './compressible.ts'
import { type PageFile, pageFile } from './page-file.ts'

/** output of `npm run build`: a folder with the HTML of each page, and all files under hashed names */
const made = 'dist/pages'
const madeFile = (name: string): string => join(projectFolder, made, name)

const files = z.array(z.string()).default([])
/** The bundler's manifest entry of a file, by its source (`.vite/manifest.json`). */
const Manifest = z.record(
  z.string(),
  z.object({ file: z.string(), imports: files, dynamicImports: files, css: files, assets: files, name: z.string().optional() }),
)

const manifestName = '.vite/manifest.json'
const manifest = () => Manifest.parse(JSON.parse(readFileSync(madeFile(manifestName), 'utf8')))

/** Reads the built HTML of a page; undefined before the first build. */
export function builtHtml(name: string): string | undefined {
  const file = madeFile(`${name}/index.html`)
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

/** Reads a built script that belongs to no page; undefined before the first build. @param source - path in `web/` */
export function builtScript(source: string): string | undefined {
  const file = existsSync(madeFile(manifestName)) ? manifest()[source]?.file : undefined
  return file === undefined ? undefined : readFileSync(madeFile(file), 'utf8')
}

/** Returns every file that a built page may load. @param html - of the page, which names its entry */
export function builtFiles(name: string, html: string): readonly PageFile[] {
  const all = manifest()
  const names = new Set([...html.matchAll(/"\/pages\/(assets\/[^"]+)"/g)].map(([, file = '']) => file))
  const reach = (source: string): void => {
    const chunk = all[source]
    if (chunk === undefined) throw new Error(`${source} is not in the manifest of the pages`)
    const isNew = !visited.has(source)
    visited.add(source)
    for (const file of [chunk.file, ...chunk.css, ...chunk.assets]) names.add(file)
    if (isNew) for (const next of [...chunk.imports, ...chunk.dynamicImports]) reach(next)
  }
  const visited = new Set<string>()
  reach(`${name}/index.html`)
  return [...names].toSorted().map(assetFile)
}

/** by name: listeners of one process share the files that their pages share */
const read = new Map<string, PageFile>()

function assetFile(name: string): PageFile {
  const known = read.get(name)
  if (known !== undefined) return known
  const codings = Object.fromEntries(
    (Object.entries(codingSuffixes) as [Coding, string][])
      .map(([coding, suffix]) => [coding, madeFile(name + suffix)] as const)
      .filter(([, file]) => existsSync(file))
      .map(([coding, file]) => [coding, readFileSync(file)]),
  )
  const file = { ...pageFile(`/pages/${name}`, `${made}/${name}`), codings, isNamedByContent: true } as const
  read.set(name, file)
  return file
}

/** compressed variants beside a file */
export const codingSuffixes: Readonly<Record<Coding, string>> = { br: '.br', gzip: '.gz' }
