import { join } from 'node:path'
import { type ContentFallback, contentFallback } from '../../engines/tree-store/fallback/content-fallback.ts'
import { treeSnapshots } from '../../engines/tree-store/tree-snapshot.ts'
import { typstTypesetter } from '../../engines/typesetting/typst-typesetter.ts'
import { systemClock } from '../../foundation/clock.ts'
import { projectFolder } from '../../foundation/process/build-info.ts'
import { type ContentEngines, createContent, createContentUpkeep } from '../../subgraphs/content/index.ts'
import { demonstrationIn } from '../demonstration/placeholder-tree.ts'
import type { SharedEngines } from '../engines/shared-engines.ts'
import { auditNoteOf, type Component, type ComponentOptions } from './component.ts'

const templateFile = join(projectFolder, 'engines/typesetting/publication.typ')

/** Component E on the engines of a process. */
export const content: Component = {
  async subgraph(options) {
    const { engines, config } = options
    const { pdf, trashDays, privateTenants } = config.content
    const typesetter = typstTypesetter({ ...pdf, templateFile })
    const subgraph = await createContent(
      {
        ...enginesOf(options),
        typesetter,
        linkKeys: engines.vault.derivedKeys('content links'),
        database: engines.database,
        auditNote: auditNoteOf(options),
      },
      {
        version: options.build.version,
        pdf,
        placeholderIn: demonstrationIn,
        trashDays,
        privateTenants,
        publicUrl: config.restPublicUrls.content,
      },
    )
    return { subgraph, engines: [engines.database, engines.trees], background: [typesetter] }
  },

  upkeep: (options) => createContentUpkeep(enginesOf(options), options.config.content),
}

/** The subgraph of a process and its upkeep share the fallback. */
const fallbacks = new WeakMap<SharedEngines, ContentFallback>()

function enginesOf({ engines, config, log }: ComponentOptions): ContentEngines {
  const { snapshotFolder, fallback: path } = config.content
  const ownLog = log.child({ component: 'content' })
  const snapshots = treeSnapshots(snapshotFolder, (problem) => ownLog.error(problem))
  const fallback =
    path === undefined
      ? undefined
      : (fallbacks.get(engines) ?? contentFallback({ path, folder: join(snapshotFolder, 'fallback'), log: ownLog }))
  if (fallback !== undefined) fallbacks.set(engines, fallback)
  return { store: engines.trees, snapshots, fallback, clock: systemClock, log: ownLog }
}
