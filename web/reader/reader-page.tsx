import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { Link } from 'wouter'
import { Contents } from '../shared/content/outline/contents.tsx'
import { useMagazine } from '../shared/content/outline/use-magazine.ts'
import { type ContentPlace, ContentPlaceProvider } from '../shared/content/place/content-place.ts'
import type { Library } from '../shared/content/place/library.ts'
import { useArrival } from '../shared/content/place/place-link.tsx'
import { defaultTenant, TenantForm } from '../shared/content/tenant-form.tsx'
import { TrashList } from '../shared/content/trash/trash-list.tsx'
import { BeginMagazine } from '../shared/content/writing/begin-magazine.tsx'
import { useWriter } from '../shared/content/writing/writer.ts'
import { PageHeader } from '../shared/frame/page-header.tsx'
import { useTitle } from '../shared/frame/page-hooks.ts'
import { useSession } from '../shared/session/session.tsx'
import { SignInAgain } from '../shared/session/sign-in-again.tsx'
import { useOfflineCache } from './offline/offline-cache.ts'
import { useLanguageInAddress, usePlace } from './place/use-place.ts'
import { shownTitle } from './pyramid/picture-elements.ts'
import { Pyramid } from './pyramid/pyramid.ts'
import { PyramidPicture, type PyramidPictureProps, PyramidZoom } from './pyramid/pyramid-picture.tsx'
import { Notices } from './reading/notices.tsx'
import { Sheet } from './reading/sheet.tsx'
import { SearchPanel } from './search/search-panel.tsx'
import { readerLibrary, readWith } from './service/content-service.ts'
import { UserStatus } from './user-status.tsx'
import { useWords } from './words/words.ts'

/** Shows a tenant's texts, one at a time or as a pyramid. */
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
  const contentPlace = useMemo((): ContentPlace => ({ ...place, library, drafts: 'reader.draft', level: 1 }), [place, library])
  // an editor may have changed the texts on their pages
  const isEdited = useWriter(place.tenant || defaultTenant) !== undefined && place.view === undefined
  const pyramid = useMemo(() => new Pyramid(library), [library, isEdited])
  // the text takes the focus when the user comes from the other view
  const firstView = useRef(place.view)
  const hasChanged = useRef(false)
  hasChanged.current ||= firstView.current !== place.view
  return (
    <ContentPlaceProvider value={contentPlace}>
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
        {place.view === 'pyramid' ? (
          <PyramidView pyramid={pyramid} takesFocus={hasChanged.current} />
        ) : (
          <PageView library={library} takesFocus={hasChanged.current} />
        )}
      </main>
      <footer>
        <div className="wide">{word('imprint')}</div>
      </footer>
      <SignInAgain />
    </ContentPlaceProvider>
  )
}

interface PageViewProps {
  readonly library: Library
  /** whether the title takes the focus, because the user came from the pyramid */
  readonly takesFocus: boolean
}

/** One text, with the contents beside it. */
function PageView({ library, takesFocus }: PageViewProps) {
  const { word } = useWords()
  const place = usePlace()
  const magazine = useMagazine(library, place.id)
  const tenantId = place.tenant || defaultTenant
  const writer = useWriter(tenantId)
  const { view, failure, reload } = magazine
  useTitle(view?.node.title ?? word('title'))
  useArrival(view?.node.id, beginAtTitle)
  const isShown = view !== undefined
  useEffect(() => {
    if (isShown && takesFocus) beginAtTitle()
    // once, when the first text is shown
  }, [isShown])
  useRereadOnceStored(() => {
    const open = [...magazine.outline.branches].filter(([, branch]) => branch.isOpen).map(([id]) => id)
    for (const id of new Set([place.id, ...open])) void library.readText(id).catch(() => undefined)
  })
  const begun = (): void => {
    reload()
    place.go(undefined)
  }
  return (
    <>
      <Notices source={view} failure={failure} reload={reload} />
      <div className="reader-bar">
        <SearchPanel key={place.tenant} />
        <Views id={view?.node.depth === 0 ? undefined : view?.node.id} />
      </div>
      <div className="with-contents">
        <Contents magazine={magazine} here={view?.node.id}>
          <TenantChoice />
        </Contents>
        {view !== undefined && <Sheet key={view.node.id} view={view} magazine={magazine} />}
        {failure === 'empty' && writer !== undefined && (
          <BeginMagazine key={place.tenant} writer={writer} tenantId={tenantId} onBegun={reload}>
            <TrashList tenantId={tenantId} onRestored={begun} />
          </BeginMagazine>
        )}
      </div>
    </>
  )
}

/** The tree around a text. */
function PyramidView({ pyramid, takesFocus }: PyramidPictureProps) {
  const { word } = useWords()
  const place = usePlace()
  const { current, failure, source } = useSyncExternalStore(pyramid.subscribe, pyramid.state)
  useTitle(current === undefined ? word('pyramid') : shownTitle(current.title, word('untitled')))
  useRereadOnceStored(() => pyramid.readAgain())
  return (
    <>
      <Notices source={source} failure={failure} reload={() => void pyramid.retry(place.id)} />
      <div className="reader-bar">
        <SearchPanel key={place.tenant} />
        <Views id={current === undefined || current.depth === 0 ? undefined : current.id} />
        <PyramidZoom pyramid={pyramid} />
      </div>
      <PyramidPicture pyramid={pyramid} takesFocus={takesFocus} />
    </>
  )
}

/** Changes between the two views of a place. @param id - undefined for the root */
function Views({ id }: { id: string | undefined }) {
  const { word } = useWords()
  const { view, addressIn } = usePlace()
  return (
    <nav className="views" aria-label={word('views')}>
      <ul>
        {(['page', 'pyramid'] as const).map((each) => (
          <li key={each}>
            <Link href={addressIn(each, id)} aria-current={each === (view ?? 'page') ? 'page' : undefined}>
              {word(`views.${each}`)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
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
  const open = (wanted: string): void => go(undefined, wanted === defaultTenant ? '' : wanted)
  return <TenantForm tenant={tenant || defaultTenant} className="tenant" onOpen={open} />
}
