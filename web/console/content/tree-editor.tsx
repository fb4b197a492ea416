import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { Button } from '../../components/button.tsx'
import { Contents } from '../../shared/content/outline/contents.tsx'
import { useMagazine } from '../../shared/content/outline/use-magazine.ts'
import { type ContentPlace, ContentPlaceProvider } from '../../shared/content/place/content-place.ts'
import { useContentWords } from '../../shared/content/words/words.ts'
import { BeginMagazine } from '../../shared/content/writing/begin-magazine.tsx'
import type { Writer } from '../../shared/content/writing/writer.ts'
import { useSession } from '../../shared/session/session.tsx'
import { addressOfText } from './address.ts'
import { graphLibrary } from './graph-library.ts'
import { TextSheet } from './text-sheet.tsx'

export interface TreeEditorProps {
  readonly tenantId: string
  /** the text that is shown; undefined: the root */
  readonly id: string | undefined
  readonly writer: Writer
  /** what stands below, and what calls when something has come back. @param reload - reads what is shown once more   @param turn - of changes */
  readonly below: (reload: () => void, turn: number) => ReactNode
}

/** The tree of a tenant, and the text of it that is chosen, to be changed by whoever may. */
export function TreeEditor({ tenantId, id, writer, below }: TreeEditorProps) {
  const { word } = useContentWords()
  const { send, signedIn } = useSession()
  const [, navigate] = useLocation()
  const [turn, setTurn] = useState(0)
  const person = signedIn?.administrator.id ?? ''
  const library = useMemo(() => graphLibrary(send, tenantId), [send, tenantId])
  const place = useMemo((): ContentPlace => {
    const addressOf = (to: string | undefined): string => addressOfText(tenantId, to)
    // what somebody has typed is nobody else's who signs in there
    return { library, drafts: `console.draft.${person}`, level: 2, addressOf, go: (to) => navigate(addressOf(to)) }
  }, [library, tenantId, person, navigate])
  const magazine = useMagazine(library, id)
  const { view, failure, reload } = magazine
  useArrival(view?.node.id)
  const changed = (): void => {
    reload()
    setTurn((before) => before + 1)
  }
  return (
    <ContentPlaceProvider value={place}>
      {failure !== undefined && (
        <div className="notice bad" role="alert">
          <p>{word(`failure.${failure}`)}</p>
          <Button onPress={failure === 'absent' ? () => place.go(undefined) : reload}>
            {word(failure === 'absent' ? 'start' : 'fault.again')}
          </Button>
        </div>
      )}
      <div className="with-contents">
        <Contents magazine={magazine} here={view?.node.id} />
        {view !== undefined && <TextSheet key={view.node.id} view={view} magazine={magazine} writer={writer} onChanged={changed} />}
        {failure === 'empty' && <BeginMagazine writer={writer} tenantId={tenantId} onBegun={changed} />}
      </div>
      {below(reload, turn)}
    </ContentPlaceProvider>
  )
}

/** Whoever has come to another text by a link goes on at its title. */
function useArrival(id: string | undefined): void {
  const shown = useRef<string>()
  useEffect(() => {
    const isFollowed = shown.current !== undefined && id !== undefined && shown.current !== id
    shown.current = id ?? shown.current
    if (isFollowed) document.querySelector<HTMLElement>('.sheet article h2')?.focus()
  }, [id])
}
