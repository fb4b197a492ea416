/** @jsxImportSource preact */
import { TabList } from '../frame/tab-list.tsx'
import { useWords } from '../words/words.tsx'
import { nameOf, type QueryDocument } from './documents.ts'

interface DocumentBarProps {
  readonly open: readonly QueryDocument[]
  readonly seen: string
  readonly panel: string
  readonly onShow: (id: string) => void
  readonly onAdd: () => void
  readonly onClose: (id: string) => void
}

/** The open documents, named after their operations. */
export function DocumentBar({ open, seen, panel, onShow, onAdd, onClose }: DocumentBarProps) {
  const { word } = useWords()
  return (
    <div class="documents">
      <h1>{word('title')}</h1>
      <TabList
        label={word('documents')}
        tabs={open.map((each) => ({ id: each.id, name: nameOf(each) ?? word('document.unnamed') }))}
        chosen={seen}
        panel={panel}
        onChoose={onShow}
        onRemove={onClose}
      />
      <button type="button" class="button plain small" onClick={onAdd}>
        {word('document.new')}
      </button>
      <button type="button" class="button plain small" onClick={() => onClose(seen)}>
        {word('document.close')}
      </button>
    </div>
  )
}
