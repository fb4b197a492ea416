import { defineConfig } from 'vitest/config'

const shared = {
  // `graphql` ships CommonJS and ES modules: without one path for all importers two copies load and refuse each other's schemas.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
}
const setupFiles = ['test/support/run/setup.ts']
/** files run side by side, one of them may be starting a dozen processes, and the machine may be many times as slow as usual */
const patient = { poll: { timeout: 60_000 } }
/**
 * They make what they need in this process or on embedded engines, and wait for time-outs a third of the time. They leave nothing behind, so
 * that a worker loads what its files share once.
 */
const inside = {
  setupFiles,
  expect: patient,
  maxWorkers: 3,
  isolate: false,
  testTimeout: 120_000,
  hookTimeout: 120_000,
  sequence: { groupOrder: 1 },
}
/** They run the compiled platform as its users do: each starts processes of its own. */
const journey = {
  setupFiles,
  expect: patient,
  globalSetup: ['test/support/run/build.ts'],
  testTimeout: 240_000,
  hookTimeout: 240_000,
}
const sharing = { ...journey, globalSetup: [...journey.globalSetup, 'test/support/run/shared-platforms.ts'] }
const smoke = 'test/journeys/smoke.test.ts'
/** half a minute of arithmetic each: contracts and components like the others, for which the merge gate has no time */
const models = [
  'test/contracts/face-analyser/**/*.test.ts',
  'test/contracts/document-reader/**/*.test.ts',
  'test/components/verification/{arabic-card,liveness-frames}.test.ts',
]

export default defineConfig({
  test: {
    maxWorkers: 3,
    reporters: ['default', './test/support/run/closing-line.ts'],
    globalSetup: ['test/support/run/generated-client.ts', 'test/support/run/databases.ts'],
    projects: [
      {
        ...shared,
        test: {
          name: 'unit',
          include: ['test/*.test.ts', 'test/unit/**/*.test.ts'],
          ...inside,
          setupFiles: [...setupFiles, 'test/support/run/nothing-outside.ts'],
        },
      },
      {
        ...shared,
        // first and with more workers: they wait for engines more than they compute
        test: {
          name: 'contracts',
          include: ['test/contracts/**/*.test.ts'],
          exclude: models,
          ...inside,
          maxWorkers: 5,
          sequence: { groupOrder: 0 },
        },
      },
      { ...shared, test: { name: 'smoke', include: [smoke], maxWorkers: 3, sequence: { groupOrder: 1 }, ...journey } },
      // they use no engine, and the processor while outages wait for theirs
      { ...shared, test: { name: 'models', include: models, ...inside } },
      { ...shared, test: { name: 'components', include: ['test/components/**/*.test.ts'], exclude: models, ...inside } },
      {
        ...shared,
        // while one waits for a lease or a browser, the others start
        test: {
          name: 'journeys',
          maxWorkers: 3,
          include: ['test/journeys/**/*.test.ts'],
          exclude: [smoke],
          // last, so that no engine is stopped under the platforms that they share
          sequence: { groupOrder: 2 },
          ...sharing,
        },
      },
      { ...shared, test: { name: 'faults', maxWorkers: 3, include: ['test/faults/*.test.ts'], sequence: { groupOrder: 2 }, ...journey } },
      // the client libraries that people use, each against the platform or the gateway
      {
        ...shared,
        test: { name: 'clients', maxWorkers: 3, include: ['test/clients/**/*.test.ts'], sequence: { groupOrder: 2 }, ...sharing },
      },
      // before the suites that share a platform: they stop engines that all suites share
      {
        ...shared,
        test: {
          name: 'outages',
          maxWorkers: 3,
          include: ['test/faults/shared-engines/*.test.ts'],
          sequence: { groupOrder: 1 },
          ...journey,
        },
      },
    ],
  },
})
