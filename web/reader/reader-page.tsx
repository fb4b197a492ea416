import { useEffect, useMemo, useRef } from 'react'
import { Contents } from '../shared/content/outline/contents.tsx'
import { useMagazine } from '../shared/content/outline/use-magazine.ts'
import { type ContentPlace, ContentPlaceProvider } from '../shared/content/place/content-place.ts'
import { useArrival } from '../shared/content/place/place-link.tsx'
import { TenantForm, usualTenant } from '../shared/content/tenant-form.tsx'
import { TrashList } from '../shared/content/trash/trash-list.tsx'
import { BeginMagazine } from '../shared/content/writing/begin-magazine.tsx'
import { useWriter } from '../shared/content/writing/writer.ts'
import { PageHeader } from '../shared/frame/page-header.tsx'
import { useTitle } from '../shared/frame/page-hooks.ts'
import { useSession } from '../shared/session/session.tsx'
import { SignInAgain } from '../shared/session/sign-in-again.tsx'
import { useOfflineCache } from './offline/offline-cache.ts'
import { useLanguageInAddress, usePlace } from './place/use-place.ts'
import { Notices } from './reading/notices.tsx'
import { Sheet } from './reading/sheet.tsx'
import { SearchPanel } from './search/search-panel.tsx'
import { readerLibrary, readWith } from './service/content-service.ts'
import { UserStatus } from './user-status.tsx'
import { useWords } from './words/words.ts'

/** Shows a tenant's texts, one at a time. */
export function ReaderPage() {
  const { word } = useWords()
  const place = usePlace()
  useLanguageInAddress()
  const { send, signedIn } = useSession()
  // a user may read other texts than before signing in
  const library = useMemo(() => {
    readWith(signedIn === undefined ? fetch : send)
    return readerLibrary(place.tenant)
  }, [place.tenant, send, signedIn])
  const ways = useMemo((): ContentPlace => ({ ...place, library, drafts: 'reader.draft', level: 1 }), [place, library])
  const magazine = useMagazine(library, place.id)
  const tenantId = place.tenant || usualTenant
  const writer = useWriter(tenantId)
  const { view } = magazine
  useTitle(view?.node.title ?? word('title'))
  useArrival(view?.node.id, beginAtTitle)
  useRereadOnceStored(() => {
    const open = [...magazine.outline.branches].filter(([, branch]) => branch.isOpen).map(([id]) => id)
    for (const id of new Set([place.id, ...open])) void library.readText(id).catch(() => undefined)
  })
  const begun = (): void => {
    magazine.reload()
    place.go(undefined)
  }
  return (
    <ContentPlaceProvider value={ways}>
      <PageHeader
        links={{
          label: word('service'),
          items: [
            { href: '/docs', text: word('documentation') },
            { href: '/health', text: word('health') },
          ],
        }}
        who={<UserStatus />}
      />
      <main className="wide" id="content" tabIndex={-1}>
        <Notices magazine={magazine} />
        <SearchPanel key={place.tenant} />
        <div className="with-contents">
          <Contents magazine={magazine} here={view?.node.id}>
            <TenantChoice />
          </Contents>
          {view !== undefined && <Sheet key={view.node.id} view={view} magazine={magazine} />}
          {magazine.failure === 'empty' && writer !== undefined && (
            <BeginMagazine key={place.tenant} writer={writer} tenantId={tenantId} onBegun={magazine.reload}>
              <TrashList tenantId={tenantId} onRestored={begun} />
            </BeginMagazine>
          )}
        </div>
      </main>
      <footer>
        <div className="wide">{word('imprint')}</div>
      </footer>
      <SignInAgain />
    </ContentPlaceProvider>
  )
}

/** Focuses the title, unless the reading continues at a stored position. */
function beginAtTitle(): void {
  if (history.state?.goOn !== true) scrollTo({ top: 0, behavior: 'instant' })
  document.querySelector<HTMLElement>('article h1')?.focus({ preventScroll: true })
}

/** Reads the texts again that were read before the service worker was active, so that it caches them. */
function useRereadOnceStored(readAgain: () => void): void {
  const { isSaving } = useOfflineCache()
  const was = useRef(isSaving)
  useEffect(() => {
    if (isSaving && !was.current) readAgain()
    was.current = isSaving
  })
}

/** Selects the organisation. */
function TenantChoice() {
  const { tenant, go } = usePlace()
  const open = (wanted: string): void => go(undefined, wanted === usualTenant ? '' : wanted)
  return <TenantForm tenant={tenant || usualTenant} className="tenant" onOpen={open} />
}
