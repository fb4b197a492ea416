import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { clientSchema } from './generate/client-schema.ts'

/** Makes what the package holds beside its operations: its modules with their declarations, and the schema that clients see. */
const here = import.meta.dirname
execFileSync(process.execPath, [join(here, '../../node_modules/typescript/bin/tsc'), '-p', here], { stdio: 'inherit' })
writeFileSync(join(here, 'schema.graphql'), clientSchema())
