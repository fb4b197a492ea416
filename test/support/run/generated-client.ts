import { spawnSync } from 'node:child_process'

/**
 * Before the first test: generates the code of the client package that is missing or out of date, as in a fresh clone. In a process of its own: the
 * test runner loads another copy of `graphql`, which refuses the schema of this one.
 */
export function setup(): void {
  const { status } = spawnSync(process.execPath, ['packages/civigraph-client/generate/generate-client.ts'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) throw new Error('npm run generate failed')
}
