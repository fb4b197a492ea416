import { existsSync, globSync, readdirSync } from 'node:fs'
import { defineConfig, type Plugin } from 'vite'
import { pageShell } from './page-shell.ts'
import { languages } from './shared/words/words-in.ts'

/** React Aria's own texts, one file per language */
// linear: reads package paths only, at build time
const sentences = /\/react-(?:aria|stately)[^/]*\/.*\/intl\/(?:.*\/)?([a-z]{2})-[A-Z]{2}\.mjs$/

/** Removes component texts in languages that no page offers. */
function spokenLanguages(): Plugin {
  const spoken = new Set<string>(languages.map(({ code }) => code))
  return {
    name: 'spoken-languages',
    load(id) {
      const [, language] = sentences.exec(id) ?? []
      // the dictionary ignores undefined entries
      return language === undefined || spoken.has(language) ? null : 'export default undefined'
    },
  }
}

/** each page is a folder with an `index.html` and an entry; shared code is in shared chunks */
const pages = readdirSync(import.meta.dirname).filter((name) => existsSync(`${import.meta.dirname}/${name}/index.html`))

/** service workers, which belong to no page */
const offlineWorkers = globSync('*/offline/offline-worker.ts', { cwd: import.meta.dirname })

/** Builds the pages with hashed file names, so that browsers cache them permanently; the platform's processes serve them. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/pages/',
  publicDir: false,
  plugins: [pageShell(), spokenLanguages()],
  resolve: { tsconfigPaths: true },
  build: {
    outDir: `${import.meta.dirname}/../dist/pages`,
    emptyOutDir: true,
    // lists the files of each page
    manifest: true,
    // the content security policy forbids inline scripts
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // size before compression, to a third; a test limits the weight of pages
    chunkSizeWarningLimit: 1100,
    rolldownOptions: {
      checks: { pluginTimings: false },
      input: Object.fromEntries([
        ...pages.map((name) => [name, `${import.meta.dirname}/${name}/index.html`]),
        ...offlineWorkers.map((file) => [file.replaceAll('/', '-').replace(/\.ts$/, ''), `${import.meta.dirname}/${file}`]),
      ]),
      // "use client" directives of packages that support server rendering
      onwarn: (warning, warn) => warning.code !== 'MODULE_LEVEL_DIRECTIVE' && warn(warning),
    },
  },
})
