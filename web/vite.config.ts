import { defineConfig } from 'vite'

/** The pages in React, each with what it loads: names with hashes, so that browsers keep them for good. Served by the processes of the platform. */
export default defineConfig({
  root: `${import.meta.dirname}/console`,
  base: '/pages/console/',
  resolve: { tsconfigPaths: true },
  build: {
    outDir: `${import.meta.dirname}/../dist/pages/console`,
    emptyOutDir: true,
    // a script inside the page would need a hole in its policy
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // compressed it is a third of that: what a page may weigh is held by a test
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      // "use client" of packages that servers render, too
      onwarn: (warning, warn) => warning.code !== 'MODULE_LEVEL_DIRECTIVE' && warn(warning),
    },
  },
})
