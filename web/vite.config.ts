import { existsSync, globSync, readdirSync } from 'node:fs'
import { defineConfig } from 'vite'
import { pageShell } from './page-shell.ts'
import { spokenLanguages } from './spoken-languages.ts'

/** each page is a folder with an `index.html`, and an entry of its own: what several pages use is in chunks that they share */
const pages = readdirSync(import.meta.dirname).filter((name) => existsSync(`${import.meta.dirname}/${name}/index.html`))

/** scripts that run beside a page, and are no part of it */
const keepers = globSync('*/offline/keeper-script.ts', { cwd: import.meta.dirname })

/** The pages in TypeScript: names with hashes, so that browsers keep what they load for good. Served by the processes of the platform. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/pages/',
  publicDir: false,
  plugins: [pageShell(), spokenLanguages()],
  resolve: { tsconfigPaths: true },
  build: {
    outDir: `${import.meta.dirname}/../dist/pages`,
    emptyOutDir: true,
    // which files belong to which page
    manifest: true,
    // a script inside the page would need a hole in its policy
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // compressed it is a third of that: what a page may weigh is held by a test
    chunkSizeWarningLimit: 1100,
    rolldownOptions: {
      checks: { pluginTimings: false },
      input: Object.fromEntries([
        ...pages.map((name) => [name, `${import.meta.dirname}/${name}/index.html`]),
        ...keepers.map((file) => [file.replaceAll('/', '-').replace(/\.ts$/, ''), `${import.meta.dirname}/${file}`]),
      ]),
      // "use client" of packages that servers render, too
      onwarn: (warning, warn) => warning.code !== 'MODULE_LEVEL_DIRECTIVE' && warn(warning),
    },
  },
})
