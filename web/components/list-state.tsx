import { useEffect, useSyncExternalStore } from 'react'
import { useSharedWords } from '../shared/words/language.tsx'
import { Button } from './button.tsx'
import { Problem } from './problem.tsx'

export interface ListStateProps {
  readonly isLoading: boolean
  readonly isEmpty: boolean
  readonly problem: Error | undefined
  /** text for a list without entries */
  readonly empty: string
  readonly onRetry: () => void
}

/** What a list shows instead of entries, or after a failure beside them: loading, empty, failed with a retry, or offline. */
export function ListState({ isLoading, isEmpty, problem, empty, onRetry }: ListStateProps) {
  const { word } = useSharedWords()
  const isOnline = useOnline()
  const hasFailed = problem !== undefined
  useEffect(() => {
    if (!hasFailed) return
    addEventListener('online', onRetry)
    return () => removeEventListener('online', onRetry)
  }, [hasFailed, onRetry])
  if (hasFailed)
    return (
      <div className="list-state">
        {isOnline ? (
          <Problem error={problem} />
        ) : (
          <div role="alert" className="notice bad">
            <p>{word('error.offline')}</p>
          </div>
        )}
        <Button isPending={isLoading} onPress={onRetry}>
          {word('fault.again')}
        </Button>
      </div>
    )
  if (!isEmpty) return null
  return isLoading ? (
    <p role="status" className="empty">
      {word('loading')}
    </p>
  ) : (
    <p className="empty">{empty}</p>
  )
}

function useOnline(): boolean {
  return useSyncExternalStore(
    (changed) => {
      addEventListener('online', changed)
      addEventListener('offline', changed)
      return () => {
        removeEventListener('online', changed)
        removeEventListener('offline', changed)
      }
    },
    () => navigator.onLine,
  )
}
