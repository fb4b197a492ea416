import { lazyComponent } from '../../frame/lazy-component.tsx'
import { useContentPlace } from '../place/content-place.ts'
import type { PlacedText } from '../place/content-view.ts'
import { EditText } from './edit-text.tsx'
import { NewText, NewTranslation } from './new-text.tsx'
import { RemoveDialog } from './remove-dialog.tsx'
import type { Task } from './tools.tsx'
import type { Writer } from './writer.ts'

/** dragging is a large part of the script of a page */
const OrderTexts = lazyComponent(async () => (await import('./order-texts.tsx')).OrderTexts)

export interface WritingDeskProps {
  readonly task: Task
  readonly node: PlacedText
  readonly writer: Writer
  /** called after a change */
  readonly onChanged: () => void
  readonly onLeave: () => void
}

/** The form for the current action on a text. */
export function WritingDesk({ task, node, writer, onChanged, onLeave }: WritingDeskProps) {
  const { go } = useContentPlace()
  const done = (): void => {
    onLeave()
    onChanged()
  }
  const created = (id: string): void => {
    done()
    go(id)
  }
  const shared = { writer, onLeave }
  switch (task) {
    case 'edit':
      return <EditText {...shared} node={node} onSaved={done} />
    case 'new':
      return <NewText {...shared} parent={node} tenantId={node.tenant_id} onCreated={created} />
    case 'translate':
      return <NewTranslation {...shared} original={node} onCreated={created} />
    case 'order':
      return <OrderTexts {...shared} node={node} onMoved={onChanged} />
    case 'remove':
      return (
        <RemoveDialog
          {...shared}
          node={node}
          onRemoved={() => {
            onLeave()
            go(node.parent_id ?? undefined)
            onChanged()
          }}
        />
      )
  }
}
