import { defineConfig } from 'vitest/config'

const shared = {
  // `graphql` ships CommonJS and ES modules: without one path for all importers two copies load and refuse each other's schemas.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
}
const limits = { setupFiles: ['test/support/setup.ts'], testTimeout: 30_000, hookTimeout: 60_000 }

export default defineConfig({
  test: {
    maxWorkers: 2,
    reporters: ['default', './test/support/closing-line.ts'],
    projects: [
      { ...shared, test: { name: 'parts', include: ['test/**/*.test.ts'], exclude: ['test/journeys/**'], ...limits } },
      // Journeys run the compiled platform as its users do, one after another: each starts processes of its own.
      {
        ...shared,
        test: {
          name: 'journeys',
          include: ['test/journeys/**/*.test.ts'],
          globalSetup: ['test/support/build.ts'],
          fileParallelism: false,
          // after the parts: some journeys stop engines that the contract suites use
          sequence: { groupOrder: 1 },
          ...limits,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
