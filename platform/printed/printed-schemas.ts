import { parseConfig } from '../../foundation/config/config.ts'
import { silentLog } from '../../foundation/log.ts'
import { componentNames } from '../../foundation/process/build-info.ts'
import { composeSupergraph } from '../../gateway/supergraph/supergraph.ts'
import { streamDocument } from '../../rest-adapters/classification/stream/asyncapi.ts'
import { openApiOf } from '../../rest-adapters/documentation/openapi.ts'
import { realtimeDocument } from '../../rest-adapters/exploration/realtime/asyncapi.ts'
import { routesOf } from '../../rest-adapters/routes.ts'
import { nodesSdl } from '../../subgraphs/nodes/index.ts'
import { createSubgraph } from '../components/components.ts'
import { openSharedEngines } from '../engines/shared-engines.ts'

/**
 * Returns the schemas of the public interfaces: each subgraph, the supergraph, the OpenAPI document of each REST component, and the AsyncAPI
 * documents. Creates engines without starting them. @returns content by path below schema/
 */
export async function printedSchemas(): Promise<ReadonlyMap<string, string>> {
  const config = parseConfig({ NODE_ENV: 'test' }, '/')
  const engines = await openSharedEngines(config, new Uint8Array(32), true, silentLog)
  const build = { version: '1.0.0', commit: 'unknown', schemaLevel: 0 }
  const files = new Map<string, string>()
  for (const name of componentNames) {
    const { sdl } = await createSubgraph(name, { engines, config, build, log: silentLog })
    files.set(`${name}.graphql`, sdl)
    files.set(`rest/${name}.openapi.json`, `${JSON.stringify(openApiOf(name, routesOf(name, config)), null, 2)}\n`)
  }
  files.set('rest/classification.asyncapi.json', `${JSON.stringify(streamDocument(), null, 2)}\n`)
  files.set('rest/exploration.asyncapi.json', `${JSON.stringify(realtimeDocument(), null, 2)}\n`)
  files.set('nodes.graphql', nodesSdl)
  files.set(
    'supergraph.graphql',
    `${composeSupergraph([...componentNames, 'nodes'].map((name) => ({ name, sdl: files.get(`${name}.graphql`) ?? '' })))}\n`,
  )
  return files
}
