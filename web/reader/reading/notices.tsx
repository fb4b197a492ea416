import { Button } from '../../components/button.tsx'
import type { Magazine } from '../../shared/content/outline/use-magazine.ts'
import { momentText } from '../../shared/content/text/language-of.ts'
import { useKeeper } from '../offline/keeper.ts'
import { usePlace } from '../place/use-place.ts'
import { useWords } from '../words/words.ts'

/** Why something is not shown, or that it is an older copy. */
export function Notices({ magazine: { view, failure, reload } }: { magazine: Magazine }) {
  const { word, language } = useWords()
  const { go } = usePlace()
  const { isOnline } = useKeeper()
  const { snapshotAt, keptAt } = view ?? {}
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
      {failure !== undefined && (
        <div className="notice bad" role="alert">
          <p>{word(failure === 'failed' && !isOnline ? 'failure.offline' : `failure.${failure}`)}</p>
          <p>
            {failure === 'absent' ? (
              <Button onPress={() => go(undefined)}>{word('start')}</Button>
            ) : (
              <Button onPress={reload}>{word('fault.again')}</Button>
            )}
          </p>
        </div>
      )}
    </>
  )
}
