import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { clientSchema } from './generate/cache-schema.ts'
import { generateClient } from './generate/generate-client.ts'

/** Builds everything in the package except its operations: generated code, modules, declarations and the client schema. */
const here = import.meta.dirname
await generateClient()
execFileSync(process.execPath, [join(here, '../../node_modules/typescript/bin/tsc'), '-p', here], { stdio: 'inherit' })
writeFileSync(join(here, 'schema.graphql'), clientSchema())
