import { groupOf } from '../outline/translations.tsx'
import type { PlacedText } from '../place/content-view.ts'
import { ShownText } from '../text/shown-text.tsx'
import { useContentWords } from '../words/words.ts'
import { contentOf, emptyFields } from './text-fields.ts'
import { TextForm } from './text-form.tsx'
import { useDraft } from './use-draft.ts'
import type { Writer } from './writer.ts'

export interface NewTextProps {
  readonly writer: Writer
  /** id of the parent; undefined: creates a tree */
  readonly parent: Pick<PlacedText, 'id' | 'title' | 'locale'> | undefined
  readonly tenantId: string
  readonly onCreated: (id: string) => void
  readonly onLeave: () => void
}

/** Creates a text. */
export function NewText({ writer, parent, tenantId, onCreated, onLeave }: NewTextProps) {
  const { word } = useContentWords()
  const draft = useDraft(`${tenantId}.in.${parent?.id ?? ''}`, { ...emptyFields, locale: parent?.locale ?? '' })
  const save = async (): Promise<void> => {
    const id = await writer.create({ ...contentOf(draft.mine), ...(parent !== undefined && { parentId: parent.id }) })
    draft.end()
    onCreated(id)
  }
  const heading = parent === undefined ? word('edit.root') : word('edit.in', { title: parent.title })
  return <TextForm heading={heading} draft={draft} save={save} onLeave={onLeave} />
}

export interface NewTranslationProps extends Pick<NewTextProps, 'writer' | 'onCreated' | 'onLeave'> {
  readonly original: PlacedText
}

/** Creates a translation beside the original. */
export function NewTranslation({ original, writer, onCreated, onLeave }: NewTranslationProps) {
  const { word } = useContentWords()
  const draft = useDraft(`${original.tenant_id}.of.${original.id}`, emptyFields)
  const save = async (): Promise<void> => {
    const metadata = { translation_of: groupOf(original) }
    const id = await writer.create({ ...contentOf(draft.mine), parentId: original.parent_id, metadata })
    draft.end()
    onCreated(id)
  }
  return (
    <TextForm
      heading={word('edit.translation-of', { title: original.title })}
      draft={draft}
      save={save}
      onLeave={onLeave}
      beside={
        <section className="panel" aria-label={word('edit.original')}>
          <p className="quiet">{word('edit.original')}</p>
          <ShownText text={original} below={1} />
        </section>
      }
    />
  )
}
