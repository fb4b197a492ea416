import { Button } from '../../../components/button.tsx'
import { useContentPlace } from '../place/content-place.ts'
import { useContentWords } from '../words/words.ts'
import type { Magazine } from './use-magazine.ts'

export interface FailureNoticeProps {
  readonly magazine: Pick<Magazine, 'failure' | 'reload'>
  /** a more specific message of the page */
  readonly text?: string | undefined
}

/** A message about a text that cannot be shown, with a way on. */
export function FailureNotice({ magazine: { failure, reload }, text }: FailureNoticeProps) {
  const { word } = useContentWords()
  const { go } = useContentPlace()
  if (failure === undefined) return null
  return (
    <div className="notice bad" role="alert">
      <p>{text ?? word(`failure.${failure}`)}</p>
      <p>
        {failure === 'absent' ? (
          <Button onPress={() => go(undefined)}>{word('start')}</Button>
        ) : (
          <Button onPress={reload}>{word('fault.again')}</Button>
        )}
      </p>
    </div>
  )
}
