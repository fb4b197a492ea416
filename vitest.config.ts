import { defineConfig } from 'vitest/config'

export default defineConfig({
  // `graphql` ships CommonJS and ES modules: without one path for all importers two copies load and refuse each other's schemas.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
})
