import { defineConfig } from 'vitest/config'

const shared = {
  // `graphql` ships CommonJS and ES modules: without one path for all importers two copies load and refuse each other's schemas.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
}
const setupFiles = ['test/support/setup.ts']
/** files run side by side, one of them may be starting a dozen processes, and the machine may be twice as slow as usual */
const patience = { poll: { timeout: 60_000 } }
/** Journeys run the compiled platform as its users do: each starts processes of its own. */
const journey = { setupFiles, expect: patience, globalSetup: ['test/support/build.ts'], testTimeout: 240_000, hookTimeout: 240_000 }
const faults = 'test/journeys/**/*-faults.test.ts'

export default defineConfig({
  test: {
    maxWorkers: 2,
    reporters: ['default', './test/support/closing-line.ts'],
    projects: [
      {
        ...shared,
        test: {
          name: 'parts',
          // they wait for time-outs a third of the time
          maxWorkers: 4,
          include: ['test/**/*.test.ts'],
          exclude: ['test/journeys/**'],
          setupFiles,
          expect: patience,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        ...shared,
        test: {
          name: 'journeys',
          // while one waits for a lease or a browser, the others start
          maxWorkers: 3,
          include: ['test/journeys/**/*.test.ts'],
          exclude: [faults],
          sequence: { groupOrder: 1 },
          ...journey,
        },
      },
      // last and one after another: they stop engines that all share, and want the machine for themselves
      {
        ...shared,
        test: { name: 'faults', include: [faults], fileParallelism: false, sequence: { groupOrder: 2 }, ...journey },
      },
    ],
  },
})
