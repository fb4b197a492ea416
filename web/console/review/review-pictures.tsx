import type { ReviewImagesQuery } from '@civigraph/client/documents'
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { useSession } from '../../shared/session/session.tsx'
import { useWords } from '../words/words.ts'

type Evidence = NonNullable<ReviewImagesQuery['reviewImages']>
type ReviewPicturesProps = Pick<Evidence, 'images' | 'frames'>

/** Selfie and document side by side at the same size, further pictures below. They are not stored outside this page. */
export function ReviewPictures({ images, frames }: ReviewPicturesProps) {
  const { word, named, number } = useWords()
  return (
    <section aria-labelledby="pictures">
      <h2 id="pictures">{word('review.pictures')}</h2>
      <p className="quiet">{word('review.picture-help')}</p>
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

interface View {
  readonly zoom: number
  /** quarter turns clockwise */
  readonly turns: number
  readonly light: number
  /** offset of the picture in px */
  readonly x: number
  readonly y: number
}
const plainView: View = { zoom: 1, turns: 0, light: 1, x: 0, y: 0 }
const [leastZoom, mostZoom, zoomStep] = [1, 8, 1.5]
const [leastLight, mostLight, lightStep] = [0.25, 4, 1.25]
const panStep = 40

const limited = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value))

/** Changes of the view by key. */
const changes: Readonly<Record<string, (view: View) => View>> = {
  '+': (view) => ({ ...view, zoom: limited(view.zoom * zoomStep, leastZoom, mostZoom) }),
  '-': (view) => {
    const zoom = limited(view.zoom / zoomStep, leastZoom, mostZoom)
    return zoom === leastZoom ? { ...view, zoom, x: 0, y: 0 } : { ...view, zoom }
  },
  r: (view) => ({ ...view, turns: view.turns + 1 }),
  l: (view) => ({ ...view, light: limited(view.light * lightStep, leastLight, mostLight) }),
  d: (view) => ({ ...view, light: limited(view.light / lightStep, leastLight, mostLight) }),
  '0': () => plainView,
  ArrowLeft: (view) => ({ ...view, x: view.x + panStep }),
  ArrowRight: (view) => ({ ...view, x: view.x - panStep }),
  ArrowUp: (view) => ({ ...view, y: view.y + panStep }),
  ArrowDown: (view) => ({ ...view, y: view.y - panStep }),
}
const tools = [
  { key: '+', word: 'review.zoom-in' },
  { key: '-', word: 'review.zoom-out' },
  { key: 'r', word: 'review.rotate' },
  { key: 'l', word: 'review.lighter' },
  { key: 'd', word: 'review.darker' },
  { key: '0', word: 'review.reset' },
] as const

/** An image URL is valid for one minute and for its requester only: the page fetches it immediately, with the user's token. */
function Picture({ path, caption }: { path: string; caption: string }) {
  const { word, number } = useWords()
  const { send } = useSession()
  const [source, setSource] = useState<string>()
  const [problem, setProblem] = useState(false)
  const [view, setView] = useState(plainView)
  const grip = useRef<{ readonly x: number; readonly y: number }>(undefined)
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
  const change = (key: string): void => setView((before) => changes[key]?.(before) ?? before)
  const press = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey || changes[event.key] === undefined) return
    // the arrow keys scroll the page as long as the whole picture is visible
    if (event.key.startsWith('Arrow') && view.zoom === leastZoom) return
    event.preventDefault()
    change(event.key)
  }
  const drag = ({ clientX, clientY }: PointerEvent): void => {
    const from = grip.current
    if (from === undefined) return
    grip.current = { x: clientX, y: clientY }
    setView((before) => ({ ...before, x: before.x + clientX - from.x, y: before.y + clientY - from.y }))
  }
  const { zoom, turns, light, x, y } = view
  return (
    <figure className="picture">
      <figcaption>{caption}</figcaption>
      {source === undefined ? (
        <p role={problem ? 'alert' : 'status'}>{word(problem ? 'review.no-picture' : 'loading')}</p>
      ) : (
        <>
          {/* biome-ignore lint/a11y/useSemanticElements: no fieldset, which is of a form */}
          <div
            className="frame"
            role="group"
            aria-label={word('review.picture', { name: caption })}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: its keys change the picture
            tabIndex={0}
            onKeyDown={press}
            onPointerDown={(event) => {
              if (zoom === leastZoom) return
              grip.current = { x: event.clientX, y: event.clientY }
              event.currentTarget.setPointerCapture(event.pointerId)
            }}
            onPointerMove={drag}
            onPointerUp={() => {
              grip.current = undefined
            }}
          >
            <img
              src={source}
              alt={caption}
              draggable={false}
              style={{
                transform: `translate(${x}px, ${y}px) scale(${zoom}) rotate(${turns * 90}deg)`,
                filter: `brightness(${light})`,
              }}
            />
          </div>
          <div className="tools">
            {tools.map(({ key, word: name }) => (
              <Button key={key} aria-label={word(name)} aria-keyshortcuts={key} onPress={() => change(key)}>
                <span aria-hidden="true">{{ '+': '+', '-': '−', r: '⟳', l: '☀', d: '☾', '0': '↺' }[key]}</span>
              </Button>
            ))}
            <output className="quiet">
              {word('review.view', { zoom: number(Math.round(zoom * 100)), light: number(Math.round(light * 100)) })}
            </output>
          </div>
        </>
      )}
    </figure>
  )
}
