/** Under npm Ctrl-C comes twice: the terminal sends it to every process, and npm hands its own on. */
const echoMs = 500

/** Calls `onSignal` for each SIGINT and SIGTERM, for one that comes twice once. @returns ends that */
export function onStopSignal(onSignal: () => void): () => void {
  let takenAt = Number.NEGATIVE_INFINITY
  const heard = (): void => {
    const now = performance.now()
    if (now - takenAt < echoMs) return
    takenAt = now
    onSignal()
  }
  process.on('SIGINT', heard).on('SIGTERM', heard)
  return () => void process.off('SIGINT', heard).off('SIGTERM', heard)
}
