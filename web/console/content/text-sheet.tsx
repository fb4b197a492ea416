import { useState } from 'react'
import { Translations } from '../../shared/content/outline/translations.tsx'
import type { Magazine } from '../../shared/content/outline/use-magazine.ts'
import type { ContentView } from '../../shared/content/place/content-view.ts'
import { ShownText } from '../../shared/content/text/shown-text.tsx'
import { Trail } from '../../shared/content/text/trail.tsx'
import { isWriting, type Task, Tools } from '../../shared/content/writing/tools.tsx'
import type { Writer } from '../../shared/content/writing/writer.ts'
import { WritingDesk } from '../../shared/content/writing/writing-desk.tsx'
import { SaveFile } from '../../shared/session/save-file.tsx'
import { useWords } from '../words/words.ts'

export interface TextSheetProps {
  readonly tenantId: string
  readonly view: ContentView
  readonly magazine: Magazine
  readonly writer: Writer
  /** called after a change */
  readonly onChanged: () => void
}

/** The selected text, or the form that changes it. */
export function TextSheet({ tenantId, view, magazine: { outline, isReading }, writer, onChanged }: TextSheetProps) {
  const { word } = useWords()
  const { node } = view
  const [task, setTask] = useState<Task>()
  const desk = task !== undefined && (
    <WritingDesk task={task} node={node} writer={writer} onChanged={onChanged} onLeave={() => setTask(undefined)} />
  )
  if (isWriting(task)) return <div className="sheet desk">{desk}</div>
  return (
    <div className="sheet" aria-busy={isReading}>
      <Trail {...view} />
      <Tools node={node} onBegin={setTask} />
      <p>
        <SaveFile
          label={word('content.pdf')}
          path={`/api/v1/nodes/${encodeURIComponent(node.id)}/pdf`}
          headers={{ 'X-Tenant-Id': tenantId }}
          name={`${node.slug}.pdf`}
          problem={word('content.no-pdf')}
        />
      </p>
      {/* the sorted list is directly below the title */}
      <ShownText text={task === 'order' ? { ...node, body: null } : node} below={0}>
        <Translations node={node} outline={outline} />
      </ShownText>
      {desk}
    </div>
  )
}
