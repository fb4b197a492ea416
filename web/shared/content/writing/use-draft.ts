import { useEffect, useState } from 'react'
import { browserStorage } from '../../frame/browser-storage.ts'
import { useContentPlace } from '../place/content-place.ts'
import { type FieldName, fieldNames, isSame, type TextFields } from './text-fields.ts'

/** A draft and the version it started from. */
interface DraftTexts {
  readonly base: TextFields
  readonly mine: TextFields
}

export interface Draft extends DraftTexts {
  /** whether the draft was restored from an earlier page */
  readonly isRestored: boolean
  write(name: FieldName, text: string): void
  /** rebases the draft on another user's version */
  rebase(base: TextFields, mine: TextFields): void
  /** deletes the draft after saving or discarding */
  end(): void
}

/** A draft that the browser stores until it is saved, beyond the page and the session. @param name - of the draft */
export function useDraft(name: string, initial: TextFields): Draft {
  const { drafts } = useContentPlace()
  const key = `civigraph.${drafts}.${name}`
  const [stored] = useState(() => writtenIn(browserStorage<DraftTexts>(key).read()))
  const [isRestored, setRestored] = useState(stored !== undefined)
  const [written, setWritten] = useState<DraftTexts>(stored ?? { base: initial, mine: initial })
  useEffect(() => {
    browserStorage<DraftTexts>(key).write(isSame(written.base, written.mine) ? undefined : written)
  }, [key, written])
  return {
    ...written,
    isRestored,
    write: (field, text) => setWritten(({ base, mine }) => ({ base, mine: { ...mine, [field]: text } })),
    rebase: (base, mine) => setWritten({ base, mine }),
    end() {
      browserStorage(key).write(undefined)
      setRestored(false)
      setWritten({ base: initial, mine: initial })
    },
  }
}

function writtenIn({ base, mine }: Partial<DraftTexts> = {}): DraftTexts | undefined {
  return isFields(base) && isFields(mine) ? { base, mine } : undefined
}

const isFields = (value: unknown): value is TextFields =>
  typeof value === 'object' && value !== null && fieldNames.every((name) => typeof (value as Record<string, unknown>)[name] === 'string')
