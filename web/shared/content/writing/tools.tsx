import { Button } from '../../../components/button.tsx'
import type { PlacedText } from '../place/content-view.ts'
import { useContentWords } from '../words/words.ts'
import './writing.css'

/** Actions on a text. */
export type Task = 'edit' | 'new' | 'translate' | 'order' | 'remove'

/** Returns whether the form replaces the text. */
export const isWriting = (task: Task | undefined): boolean => task === 'edit' || task === 'new' || task === 'translate'

/** The actions for editors of a text. */
export function Tools({ node, onBegin }: { node: PlacedText; onBegin: (task: Task) => void }) {
  const { word } = useContentWords()
  return (
    // biome-ignore lint/a11y/useSemanticElements: no fieldset, which is of a form
    <div className="row tools" role="group" aria-label={word('edit.tools')}>
      <Button onPress={() => onBegin('edit')}>{word('edit.edit')}</Button>
      <Button onPress={() => onBegin('new')}>{word('edit.new')}</Button>
      {node.parent_id !== null && <Button onPress={() => onBegin('translate')}>{word('edit.translate')}</Button>}
      {node.children_count > 0 && <Button onPress={() => onBegin('order')}>{word('edit.order')}</Button>}
      <Button look="danger" onPress={() => onBegin('remove')}>
        {word('edit.remove')}
      </Button>
    </div>
  )
}
