/** Under npm Ctrl-C arrives twice: from the terminal, which signals every process, and forwarded by npm. */
const echoMs = 500

/** Calls `onSignal` for each SIGINT and SIGTERM, once for duplicates. @returns unsubscribes */
export function onStopSignal(onSignal: () => void): () => void {
  let takenAt = Number.NEGATIVE_INFINITY
  const onStop = (): void => {
    const now = performance.now()
    if (now - takenAt < echoMs) return
    takenAt = now
    onSignal()
  }
  process.on('SIGINT', onStop).on('SIGTERM', onStop)
  return () => void process.off('SIGINT', onStop).off('SIGTERM', onStop)
}
