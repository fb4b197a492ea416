import { useState } from 'react'
import { Translations } from '../../shared/content/outline/translations.tsx'
import type { Magazine } from '../../shared/content/outline/use-magazine.ts'
import type { ContentView } from '../../shared/content/place/content-view.ts'
import { Trail } from '../../shared/content/text/trail.tsx'
import { TrashList } from '../../shared/content/trash/trash-list.tsx'
import { isWriting, type Task, Tools } from '../../shared/content/writing/tools.tsx'
import { useWriter } from '../../shared/content/writing/writer.ts'
import { WritingDesk } from '../../shared/content/writing/writing-desk.tsx'
import { usePlace } from '../place/use-place.ts'
import { Article } from './article.tsx'
import { ChildTexts } from './child-texts.tsx'
import { ContinueReading } from './continue-reading.tsx'
import { Downloads } from './downloads.tsx'
import { SiblingLinks } from './sibling-links.tsx'

/** A text with its navigation; editors see their form in its place. */
export function Sheet({ view, magazine }: { view: ContentView; magazine: Magazine }) {
  const { node } = view
  const { outline, isReading, reload } = magazine
  const { go } = usePlace()
  const writer = useWriter(node.tenant_id)
  const [task, setTask] = useState<Task>()
  const desk = writer !== undefined && task !== undefined && (
    <WritingDesk task={task} node={node} writer={writer} onChanged={reload} onLeave={() => setTask(undefined)} />
  )
  const restored = (id: string): void => {
    reload()
    go(id)
  }
  if (desk !== false && isWriting(task)) return <div className="sheet desk">{desk}</div>
  return (
    <div className="sheet" aria-busy={isReading}>
      <Trail {...view} />
      {writer !== undefined && <Tools node={node} onBegin={setTask} />}
      <Article node={node}>
        <Translations node={node} outline={outline} />
      </Article>
      {desk}
      {node.depth === 0 && <ContinueReading tenant={node.tenant_id} />}
      {task !== 'order' && <ChildTexts id={node.id} magazine={magazine} />}
      <SiblingLinks node={node} outline={outline} />
      {writer !== undefined && <TrashList tenantId={node.tenant_id} onRestored={restored} />}
      <Downloads node={node} />
    </div>
  )
}
