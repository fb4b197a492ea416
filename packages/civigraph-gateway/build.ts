import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { z } from 'zod'
import { environment } from '../../foundation/config/environment.ts'

/**
 * Builds the package: the modules that its two entries import, the type declarations of its interface, and the files of its pages. Other modules,
 * such as those of components and engines, are compiled for their types but not copied.
 */
const here = import.meta.dirname
const project = join(here, '../..')
const compiled = join(here, 'compiled')
const output = join(here, 'dist')

for (const folder of [compiled, output, join(here, 'web')]) rmSync(folder, { recursive: true, force: true })
execFileSync(process.execPath, [join(project, 'node_modules/typescript/bin/tsc'), '-p', here], { stdio: 'inherit' })
for (const file of [
  ...reached('platform/gateway-main.js'),
  ...reached('gateway/package/index.js'),
  ...reached('gateway/package/index.d.ts'),
]) {
  mkdirSync(dirname(join(output, file)), { recursive: true })
  cpSync(join(compiled, file), join(output, file))
}
// read by its path in the project
cpSync(join(project, 'web/shared/emblem.svg'), join(here, 'web/shared/emblem.svg'))
rmSync(compiled, { recursive: true })
execFileSync(process.execPath, [join(project, 'web/build.ts')], { stdio: 'inherit', env: { ...environment, NODE_ENV: 'production' } })
const FileList = z.array(z.object({ file: z.string(), codings: z.record(z.string(), z.string()) }))
for (const page of ['landing', 'query']) copyBuilt(page)

/** Copies a built page with the files on its list (`files.json`), compressed forms included. */
function copyBuilt(page: string): void {
  const list = `${page}/files.json`
  const files = FileList.parse(JSON.parse(readFileSync(join(project, 'dist/pages', list), 'utf8')))
  const copies = files.flatMap(({ file, codings }) => [file, ...Object.values(codings)])
  for (const file of [`${page}/index.html`, list, ...copies]) {
    const built = join('dist/pages', file)
    cpSync(join(project, built), join(here, built))
  }
}

/** Returns a module and all its direct and indirect imports, static and dynamic, as paths relative to `compiled`. */
function reached(entry: string): ReadonlySet<string> {
  const included = new Set<string>()
  const visit = (file: string): void => {
    if (included.has(file)) return
    included.add(file)
    const text = readFileSync(join(compiled, file), 'utf8')
    // linear: reads only our own build output
    for (const [, path = ''] of text.matchAll(/(?:from|import)\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]/g)) {
      const target = relative(
        compiled,
        join(compiled, dirname(file), file.endsWith('.d.ts') ? path.replace(/\.(?:js|ts)$/, '.d.ts') : path),
      )
      if (existsSync(join(compiled, target))) visit(target)
    }
  }
  visit(entry)
  return included
}
