import { type ReactNode, useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { Contents } from '../../shared/content/outline/contents.tsx'
import { FailureNotice } from '../../shared/content/outline/failure-notice.tsx'
import { useMagazine } from '../../shared/content/outline/use-magazine.ts'
import { type ContentPlace, ContentPlaceProvider } from '../../shared/content/place/content-place.ts'
import { useArrival } from '../../shared/content/place/place-link.tsx'
import { BeginMagazine } from '../../shared/content/writing/begin-magazine.tsx'
import type { Writer } from '../../shared/content/writing/writer.ts'
import { useSession } from '../../shared/session/session.tsx'
import { graphLibrary } from './graph-library.ts'
import { TextSheet } from './text-sheet.tsx'

export interface TreeEditorProps {
  readonly tenantId: string
  /** the displayed text; undefined: the root */
  readonly id: string | undefined
  readonly writer: Writer
  /**
   * Content below the tree.
   * @param reload - reads the displayed text again
   * @param reloadKey - number of changes so far
   */
  readonly below: (reload: () => void, reloadKey: number) => ReactNode
}

/** The tree of a tenant with its selected text, for users who may change them. */
export function TreeEditor({ tenantId, id, writer, below }: TreeEditorProps) {
  const { send, signedIn } = useSession()
  const [, navigate] = useLocation()
  const [reloadKey, setReloadKey] = useState(0)
  const person = signedIn?.administrator.id ?? ''
  const library = useMemo(() => graphLibrary(send, tenantId), [send, tenantId])
  const place = useMemo((): ContentPlace => {
    const addressOf = (to: string | undefined): string => addressOfText(tenantId, to)
    // drafts are stored per user
    return { library, drafts: `console.draft.${person}`, level: 2, addressOf, go: (to) => navigate(addressOf(to)) }
  }, [library, tenantId, person, navigate])
  const magazine = useMagazine(library, id)
  const { view, failure, reload } = magazine
  useArrival(view?.node.id, focusTitle)
  const changed = (): void => {
    reload()
    setReloadKey((before) => before + 1)
  }
  return (
    <ContentPlaceProvider value={place}>
      <FailureNotice magazine={magazine} />
      <div className="with-contents">
        <Contents magazine={magazine} here={view?.node.id} />
        {view !== undefined && (
          <TextSheet key={view.node.id} tenantId={tenantId} view={view} magazine={magazine} writer={writer} onChanged={changed} />
        )}
        {failure === 'empty' && <BeginMagazine writer={writer} tenantId={tenantId} onBegun={changed} />}
      </div>
      {below(reload, reloadKey)}
    </ContentPlaceProvider>
  )
}

const focusTitle = (): void => document.querySelector<HTMLElement>('.sheet article h2')?.focus()

/** Returns the address of a text in the console. @param id - undefined for the root of the tenant */
export const addressOfText = (tenantId: string, id: string | undefined): string =>
  `/content/${[tenantId, ...(id === undefined ? [] : [id])].map(encodeURIComponent).join('/')}`
