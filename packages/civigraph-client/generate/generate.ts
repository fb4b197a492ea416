import { generateClient } from './generate-client.ts'

/** `npm run generate`: generates what is due, and prints the files it wrote. */
for (const file of await generateClient()) process.stdout.write(`packages/civigraph-client/src/${file}\n`)
