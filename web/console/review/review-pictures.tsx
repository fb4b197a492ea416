import type { ReviewImagesQuery } from '@civigraph/client/documents'
import { useEffect, useState } from 'react'
import { useSession } from '../../shared/session/session.tsx'
import { useWords } from '../words/words.ts'

type Evidence = NonNullable<ReviewImagesQuery['reviewImages']>
type ReviewPicturesProps = Pick<Evidence, 'images' | 'frames'>

/** The photos side by side at the width of the page. They are not stored outside this page. */
export function ReviewPictures({ images, frames }: ReviewPicturesProps) {
  const { word, named, number } = useWords()
  return (
    <section aria-labelledby="pictures">
      <h2 id="pictures">{word('review.pictures')}</h2>
      <div className="pictures">
        {images.map(({ image, url }) => (
          <Picture key={image} path={ownPath(url)} caption={named('image', image)} />
        ))}
        {frames.map(({ atMs, url }) => (
          <Picture key={url} path={ownPath(url)} caption={word('review.frame', { seconds: number(Math.round(atMs / 100) / 10) })} />
        ))}
      </div>
    </section>
  )
}

/** The console serves the images at its own address too. */
const ownPath = (url: string): string => url.slice(url.indexOf('/review/images/'))

/** An image URL is valid for one minute and for its requester only: the page fetches it immediately, with the user's token. */
function Picture({ path, caption }: { path: string; caption: string }) {
  const { word } = useWords()
  const { send } = useSession()
  const [source, setSource] = useState<string>()
  const [problem, setProblem] = useState(false)
  const [isLarge, setLarge] = useState(false)
  useEffect(() => {
    const gone = new AbortController()
    let made: string | undefined
    const load = async (): Promise<void> => {
      const response = await send(path, { signal: gone.signal, cache: 'no-store' })
      if (!response.ok) throw new Error(`${response.status}`)
      made = URL.createObjectURL(await response.blob())
      if (gone.signal.aborted) URL.revokeObjectURL(made)
      else setSource(made)
    }
    load().catch(() => !gone.signal.aborted && setProblem(true))
    return () => {
      gone.abort()
      if (made !== undefined) URL.revokeObjectURL(made)
    }
  }, [path, send])
  return (
    <figure className={isLarge ? 'picture large' : 'picture'}>
      {source === undefined ? (
        <p role={problem ? 'alert' : 'status'}>{word(problem ? 'review.no-picture' : 'loading')}</p>
      ) : (
        <button type="button" aria-pressed={isLarge} onClick={() => setLarge(!isLarge)}>
          <img src={source} alt={caption} />
        </button>
      )}
      <figcaption>{caption}</figcaption>
    </figure>
  )
}
