import { open, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { doubtful, type Examination, type Finding, fine, timed } from './examination.ts'

const wantedBytes = 1024 ** 3

/** Examines a folder of acknowledged data by writing, syncing and deleting a file. @throws {Error} if it is not writable */
export async function examineFolder(folder: string): Promise<Examination> {
  const probe = join(folder, `.doctor-${process.pid}`)
  try {
    const { tookMs } = await timed(() => writeSynced(probe))
    const { bavail, bsize } = await statfs(folder)
    return { engine: 'folder', answeredInMs: tookMs, findings: [space(bavail * bsize)] }
  } finally {
    await rm(probe, { force: true })
  }
}

async function writeSynced(path: string): Promise<void> {
  const file = await open(path, 'w', 0o600)
  try {
    await file.writeFile('civigraph')
    await file.sync()
  } finally {
    await file.close()
  }
}

function space(bytes: number): Finding {
  const observation = `${(bytes / wantedBytes).toFixed(1)} GiB free`
  return bytes < wantedBytes
    ? doubtful('space', observation, 'Free disk space: with a full disk every write is answered with 503.')
    : fine('space', observation)
}
