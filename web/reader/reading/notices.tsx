import { FailureNotice } from '../../shared/content/outline/failure-notice.tsx'
import type { Failure } from '../../shared/content/outline/use-magazine.ts'
import type { Source } from '../../shared/content/place/content-view.ts'
import { momentText } from '../../shared/content/text/language-of.ts'
import { useOfflineCache } from '../offline/offline-cache.ts'
import { useWords } from '../words/words.ts'

export interface NoticesProps {
  /** of what is shown */
  readonly source: Source | undefined
  readonly failure: Failure | undefined
  /** loads again what failed */
  readonly reload: () => void
}

/** Messages about a missing text or an older copy. */
export function Notices({ source, failure, reload }: NoticesProps) {
  const { word, language } = useWords()
  const { isOnline } = useOfflineCache()
  const { snapshotAt, savedAt } = source ?? {}
  return (
    <>
      <div role="status">
        {!isOnline && <p className="notice warn">{word('offline.now')}</p>}
        {savedAt !== undefined ? (
          <p className="notice warn">{word('offline.copy', { moment: momentText(savedAt, language) })}</p>
        ) : (
          snapshotAt !== undefined && <p className="notice warn">{word('snapshot', { moment: momentText(snapshotAt, language) })}</p>
        )}
      </div>
      <FailureNotice magazine={{ failure, reload }} text={failure === 'failed' && !isOnline ? word('failure.offline') : undefined} />
    </>
  )
}
