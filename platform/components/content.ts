import { join } from 'node:path'
import { treeSnapshots } from '../../engines/tree-store/tree-snapshot.ts'
import { typstTypesetter } from '../../engines/typesetting/typst-typesetter.ts'
import { systemClock } from '../../foundation/clock.ts'
import { projectFolder } from '../../foundation/process/build-info.ts'
import { type ContentEngines, createContent, createContentUpkeep } from '../../subgraphs/content/index.ts'
import { demonstrationIn } from '../demonstration/placeholder-tree.ts'
import { auditNoteOf, type Component, type ComponentOptions } from './component.ts'

const templateFile = join(projectFolder, 'engines/typesetting/publication.typ')

/** Component E on the engines of a process. */
export const content: Component = {
  async subgraph(options) {
    const { engines, config } = options
    const { pdf, trashDays } = config.content
    const typesetter = typstTypesetter({ ...pdf, templateFile })
    const subgraph = await createContent(
      { ...enginesOf(options), typesetter, database: engines.database, auditNote: auditNoteOf(options) },
      { version: options.build.version, pdf, placeholderIn: demonstrationIn, trashDays, publicUrl: config.restPublicUrls.content },
    )
    return { subgraph, engines: [engines.database, engines.trees], background: [typesetter] }
  },

  upkeep: (options) => createContentUpkeep(enginesOf(options), options.config.content),
}

function enginesOf({ engines, config, log }: ComponentOptions): ContentEngines {
  const snapshots = treeSnapshots(config.content.snapshotFolder)
  return { store: engines.trees, snapshots, clock: systemClock, log: log.child({ component: 'content' }) }
}
