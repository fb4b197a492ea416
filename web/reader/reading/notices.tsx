import { FailureNotice } from '../../shared/content/outline/failure-notice.tsx'
import type { Magazine } from '../../shared/content/outline/use-magazine.ts'
import { momentText } from '../../shared/content/text/language-of.ts'
import { useOfflineCache } from '../offline/offline-cache.ts'
import { useWords } from '../words/words.ts'

/** Messages about a missing text or an older copy. */
export function Notices({ magazine }: { magazine: Magazine }) {
  const { word, language } = useWords()
  const { isOnline } = useOfflineCache()
  const { snapshotAt, keptAt } = magazine.view ?? {}
  return (
    <>
      <div role="status">
        {!isOnline && <p className="notice warn">{word('offline.now')}</p>}
        {keptAt !== undefined ? (
          <p className="notice warn">{word('offline.copy', { moment: momentText(keptAt, language) })}</p>
        ) : (
          snapshotAt !== undefined && <p className="notice warn">{word('snapshot', { moment: momentText(snapshotAt, language) })}</p>
        )}
      </div>
      <FailureNotice magazine={magazine} text={magazine.failure === 'failed' && !isOnline ? word('failure.offline') : undefined} />
    </>
  )
}
