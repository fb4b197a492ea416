import { useState } from 'react'
import { Translations } from '../../shared/content/outline/translations.tsx'
import type { Magazine } from '../../shared/content/outline/use-magazine.ts'
import type { ContentView } from '../../shared/content/place/content-view.ts'
import { ShownText } from '../../shared/content/text/shown-text.tsx'
import { Trail } from '../../shared/content/text/trail.tsx'
import { isWriting, type Task, Tools } from '../../shared/content/writing/tools.tsx'
import type { Writer } from '../../shared/content/writing/writer.ts'
import { WritingDesk } from '../../shared/content/writing/writing-desk.tsx'

export interface TextSheetProps {
  readonly view: ContentView
  readonly magazine: Magazine
  readonly writer: Writer
  /** called after a change */
  readonly onChanged: () => void
}

/** The selected text, or the form that changes it. */
export function TextSheet({ view, magazine: { outline, isReading }, writer, onChanged }: TextSheetProps) {
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
      {/* the sorted list is directly below the title */}
      <ShownText text={task === 'order' ? { ...node, body: null } : node} below={0}>
        <Translations node={node} outline={outline} />
      </ShownText>
      {desk}
    </div>
  )
}
