/** Written to stdout after each collection. */
export const collectionReport = 'garbage was collected'

/** Preloaded into each attacked process: collects garbage on SIGUSR2, so that memory is compared without what V8 has not yet collected. */
process.on('SIGUSR2', () => {
  globalThis.gc?.({ execution: 'sync', flavor: 'last-resort', type: 'major' })
  process.stdout.write(`${collectionReport}\n`)
})
