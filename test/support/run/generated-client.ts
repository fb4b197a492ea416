import { generateClient } from '../../../packages/civigraph-client/generate/generate-client.ts'

/** Before the first test: generates the code of the client package that is missing or out of date, as in a fresh clone. */
export async function setup(): Promise<void> {
  await generateClient()
}
