import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Supergraph } from '@apollo/federation-internals'
import { schemaFindings } from './schema-rules.ts'

/** Part of `npm run check`: the composed graph follows docs/graphql-conventions.md. */
const supergraph = readFileSync(join(process.cwd(), 'schema/supergraph.graphql'), 'utf8')
const findings = schemaFindings(Supergraph.build(supergraph).apiSchema().toGraphQLJSSchema())
for (const finding of findings) process.stderr.write(`${finding}\n`)
process.exitCode = findings.length === 0 ? 0 : 1
