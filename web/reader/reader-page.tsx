import { useEffect, useRef } from 'react'
import { Band } from '../shared/frame/band.tsx'
import { useTitle } from '../shared/frame/title.ts'
import { SignInAgain } from '../shared/session/sign-in-again.tsx'
import { Contents } from './contents/contents.tsx'
import { useMagazine } from './contents/use-magazine.ts'
import { BeginMagazine } from './editing/begin-magazine.tsx'
import { Who } from './editing/who.tsx'
import { useKeeper } from './offline/keeper.ts'
import { useLanguageInAddress, usePlace } from './place/use-place.ts'
import { Notices } from './reading/notices.tsx'
import { Sheet } from './reading/sheet.tsx'
import { SearchPanel } from './search/search-panel.tsx'
import { useWords } from './words/words.ts'

/** Walks a tenant's tree, one text at a time. */
export function ReaderPage() {
  const { word } = useWords()
  const place = usePlace()
  useLanguageInAddress()
  const magazine = useMagazine(place)
  const { view } = magazine
  useTitle(view?.node.title ?? word('title'))
  useArrival(view?.node.id)
  useKept(magazine.reload)
  return (
    <>
      <Band
        links={{
          label: word('service'),
          items: [
            { href: '/docs', text: word('documentation') },
            { href: '/health', text: word('health') },
          ],
        }}
        who={<Who />}
      />
      <main className="wide" id="content" tabIndex={-1}>
        <Notices magazine={magazine} />
        <SearchPanel key={place.tenant} />
        <div className="reader">
          <Contents magazine={magazine} here={view?.node.id} />
          {view !== undefined && <Sheet key={view.node.id} view={view} magazine={magazine} />}
          {magazine.failure === 'empty' && <BeginMagazine key={place.tenant} tenant={place.tenant} onBegun={magazine.reload} />}
        </div>
      </main>
      <footer>
        <div className="wide">{word('imprint')}</div>
      </footer>
      <SignInAgain />
    </>
  )
}

/** Whoever has come to another text by a link begins at its title. */
function useArrival(id: string | undefined): void {
  const shown = useRef<string>()
  useEffect(() => {
    const isFollowed = shown.current !== undefined && id !== undefined && shown.current !== id
    shown.current = id ?? shown.current
    if (!isFollowed) return
    if (history.state?.goOn !== true) scrollTo({ top: 0, behavior: 'instant' })
    document.querySelector<HTMLElement>('article h1')?.focus({ preventScroll: true })
  }, [id])
}

/** What was read before the keeper began is read once more, so that it is kept. */
function useKept(reload: () => void): void {
  const { isKeeping } = useKeeper()
  const was = useRef(isKeeping)
  useEffect(() => {
    if (isKeeping && !was.current) reload()
    was.current = isKeeping
  }, [isKeeping, reload])
}
