import { ConflictError, NotFoundError } from '@civigraph/client'
import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { useContentPlace } from '../place/content-place.ts'
import type { PlacedText } from '../place/content-view.ts'
import type { Library } from '../place/library.ts'
import { useContentWords } from '../words/words.ts'
import { Conflict } from './conflict.tsx'
import { changesOf, conflictsOf, contentOf, fieldsOf, isSame, rebased, type TextFields } from './text-fields.ts'
import { TextForm } from './text-form.tsx'
import { useDraft } from './use-draft.ts'
import type { Writer } from './writer.ts'

export interface EditTextProps {
  readonly node: PlacedText
  readonly writer: Writer
  readonly onSaved: () => void
  readonly onLeave: () => void
}

/** attempts to save while others save too */
const maxTries = 5

/** Edits a text. Shows changes by other users before they are overwritten, up to the time of saving. */
export function EditText({ node, writer, onSaved, onLeave }: EditTextProps) {
  const { word } = useContentWords()
  const { library, go } = useContentPlace()
  const draft = useDraft(`${node.tenant_id}.${node.id}`, fieldsOf(node))
  const [theirs, setTheirs] = useState<TextFields>()
  const [isCancelled, setGone] = useState(false)
  const { base, mine } = draft
  const save = async (): Promise<void> => {
    for (let tries = 1; ; tries++) {
      const now = await currentText(library, node.id)
      setGone(now === undefined)
      if (now === undefined) return
      const fields = fieldsOf(now)
      if (conflictsOf(base, mine, fields).length > 0) {
        setTheirs(fields)
        draft.rebase(fields, rebased(base, mine, fields))
        return
      }
      if (isSame(base, mine) || (await isWritten(now.updated_at, tries))) break
    }
    draft.end()
    onSaved()
  }
  /** @returns false when another user saved first: their version is shown before another attempt */
  const isWritten = async (ifUpdatedAt: string, tries: number): Promise<boolean> => {
    try {
      await writer.update({ id: node.id, ifUpdatedAt, ...changesOf(base, mine) })
      return true
    } catch (error) {
      if (error instanceof ConflictError && tries < maxTries) return false
      throw error
    }
  }
  const saveAsNew = async (): Promise<void> => {
    const id = await writer.create({ ...contentOf(mine), parentId: node.parent_id })
    draft.end()
    onSaved()
    go(id)
  }
  return (
    <TextForm
      heading={word('edit.of', { title: node.title })}
      draft={draft}
      save={save}
      onLeave={onLeave}
      notice={
        <>
          {theirs !== undefined && !isSame(theirs, mine) && (
            <Conflict theirs={theirs} mine={mine} onTake={(name) => draft.write(name, theirs[name])} />
          )}
          {isCancelled && (
            <div className="notice bad" role="alert">
              <p>{word('conflict.gone')}</p>
              <Button onPress={() => void saveAsNew()}>{word('conflict.as-new')}</Button>
            </div>
          )}
        </>
      }
    />
  )
}

/** Reads the current text; undefined when it was deleted. */
async function currentText({ readText }: Library, id: string): Promise<PlacedText | undefined> {
  try {
    return (await readText(id)).node
  } catch (error) {
    if (error instanceof NotFoundError) return undefined
    throw error
  }
}
