import type { ReviewImagesQuery } from '@civigraph/client/documents'
import { type CSSProperties, type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { Toolbar } from 'react-aria-components'
import { Button } from '../../components/button.tsx'
import { useSession } from '../../shared/session/session.tsx'
import { useWords } from '../words/words.ts'

type Evidence = NonNullable<ReviewImagesQuery['reviewImages']>
type ReviewPicturesProps = Pick<Evidence, 'images' | 'frames'>

/**
 * The faces of selfie and document side by side at the same size, the whole document and further pictures below. They are not stored outside this page.
 */
export function ReviewPictures({ images, frames }: ReviewPicturesProps) {
  const { word, named, number } = useWords()
  const sources = useSources([...images, ...frames].map(({ url }) => url))
  const selfie = images.find(({ image }) => image === 'SELFIE')
  const portrait = images.find(({ image, face }) => image !== 'SELFIE' && face !== null)
  const pair = selfie?.face != null && portrait?.face != null ? { selfie, portrait } : undefined
  return (
    <section aria-labelledby="pictures">
      <h2 id="pictures">{word('review.pictures')}</h2>
      {pair !== undefined && (
        <div className="pictures faces">
          <Picture source={sources.get(pair.selfie.url)} caption={named('image', 'SELFIE')} face={pair.selfie.face} />
          <Picture source={sources.get(pair.portrait.url)} caption={word('review.portrait')} face={pair.portrait.face} />
        </div>
      )}
      <div className="pictures">
        {images.map(({ image, url }) =>
          pair?.selfie.image === image ? null : <Picture key={image} source={sources.get(url)} caption={named('image', image)} />,
        )}
        {frames.map(({ atMs, url }) => (
          <Picture key={url} source={sources.get(url)} caption={word('review.frame', { seconds: number(Math.round(atMs / 100) / 10) })} />
        ))}
      </div>
      <p className="quiet">
        {word('review.picture-help')} {pair !== undefined && word('review.face-help')}
      </p>
    </section>
  )
}

/** The console serves the images at its own address too. */
const ownPath = (url: string): string => url.slice(url.indexOf('/review/images/'))

/** Address of a loaded picture in this page; undefined while it loads. */
type Source = string | 'failed' | undefined

/**
 * Loads each picture once, because each access is audited. A URL is valid for one minute and for its requester only: the page fetches it immediately,
 * with the user's token.
 */
function useSources(urls: readonly string[]): ReadonlyMap<string, Source> {
  const { send } = useSession()
  const [sources, setSources] = useState<ReadonlyMap<string, Source>>(new Map())
  const wanted = urls.join(' ')
  useEffect(() => {
    const unmounted = new AbortController()
    const made: string[] = []
    const load = async (url: string): Promise<string> => {
      const response = await send(ownPath(url), { signal: unmounted.signal, cache: 'no-store' })
      if (!response.ok) throw new Error(`${response.status}`)
      const bytes = await response.blob()
      unmounted.signal.throwIfAborted()
      const source = URL.createObjectURL(bytes)
      made.push(source)
      return source
    }
    for (const url of wanted.split(' ').filter((each) => each !== '')) {
      const show = (source: Source): void => {
        if (!unmounted.signal.aborted) setSources((before) => new Map(before).set(url, source))
      }
      load(url).then(show, () => show('failed'))
    }
    return () => {
      unmounted.abort()
      for (const source of made) URL.revokeObjectURL(source)
    }
  }, [wanted, send])
  return sources
}

interface View {
  readonly zoom: number
  /** quarter turns clockwise */
  readonly turns: number
  readonly light: number
  /** shows the whole picture, not its face */
  readonly isWhole: boolean
  /** offset of the picture in px */
  readonly x: number
  readonly y: number
}
const plainView: View = { zoom: 1, turns: 0, light: 1, isWhole: false, x: 0, y: 0 }
const [minZoom, maxZoom, zoomStep] = [1, 8, 1.5]
const [minLight, maxLight, lightStep] = [0.25, 4, 1.25]
const panStep = 40

const limited = (value: number, min: number, max: number): number => Math.min(max, Math.max(min, value))

/** Changes of the view by key. */
const changes: Readonly<Record<string, (view: View) => View>> = {
  '+': (view) => ({ ...view, zoom: limited(view.zoom * zoomStep, minZoom, maxZoom) }),
  '-': (view) => {
    const zoom = limited(view.zoom / zoomStep, minZoom, maxZoom)
    return zoom === minZoom ? { ...view, zoom, x: 0, y: 0 } : { ...view, zoom }
  },
  r: (view) => ({ ...view, turns: view.turns + 1 }),
  l: (view) => ({ ...view, light: limited(view.light * lightStep, minLight, maxLight) }),
  d: (view) => ({ ...view, light: limited(view.light / lightStep, minLight, maxLight) }),
  f: (view) => ({ ...plainView, light: view.light, isWhole: !view.isWhole }),
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
  { key: 'f', word: 'review.whole' },
  { key: '0', word: 'review.reset' },
] as const
const symbols = { '+': '+', '-': '−', r: '⟳', l: '☀', d: '☾', f: '▣', '0': '↺' } as const

type Face = NonNullable<Evidence['images'][number]['face']>

/** share of the frame that a face fills; the rest shows the head around it */
const faceShare = 55

/** Returns the style that centres a face, upright and as large as every other face. */
function faceStyle({ x, y, width, height, turn }: Face, { x: right, y: down, zoom, turns }: View): CSSProperties {
  const isSideways = turn % 180 !== 0
  const size = `calc(${faceShare}cqmin / ${Math.max(0.01, isSideways ? width : height)})`
  const centre = `translate(${-100 * (x + width / 2)}%, ${-100 * (y + height / 2)}%)`
  return {
    ...(isSideways ? { width: size, height: 'auto' } : { height: size, width: 'auto' }),
    transform: `translate(${right}px, ${down}px) scale(${zoom}) rotate(${turn + turns * 90}deg) ${centre}`,
  }
}

interface PictureProps {
  readonly source: Source
  readonly caption: string
  /** shown first, instead of the whole picture */
  readonly face?: Face | null
}

/** A picture that its keys and buttons zoom, rotate and brighten. */
function Picture({ source, caption, face = null }: PictureProps) {
  const { word, number } = useWords()
  const [view, setView] = useState(plainView)
  const grip = useRef<{ readonly x: number; readonly y: number }>(undefined)
  const change = (key: string): void => setView((before) => changes[key]?.(before) ?? before)
  const press = (event: KeyboardEvent): void => {
    // also with Caps Lock
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
    if (event.altKey || event.ctrlKey || event.metaKey || changes[key] === undefined) return
    if (key === 'f' && face === null) return
    // the arrow keys scroll the page as long as the whole picture is visible
    if (key.startsWith('Arrow') && view.zoom === minZoom) return
    event.preventDefault()
    change(key)
  }
  const drag = ({ clientX, clientY }: PointerEvent): void => {
    const from = grip.current
    if (from === undefined) return
    grip.current = { x: clientX, y: clientY }
    setView((before) => ({ ...before, x: before.x + clientX - from.x, y: before.y + clientY - from.y }))
  }
  const { zoom, turns, light, isWhole, x, y } = view
  const shownFace = isWhole ? null : face
  const offered = face === null ? tools.filter(({ key }) => key !== 'f') : tools
  return (
    <figure className="picture">
      <figcaption>{caption}</figcaption>
      {source === undefined || source === 'failed' ? (
        <p role={source === undefined ? 'status' : 'alert'}>{word(source === undefined ? 'loading' : 'review.no-picture')}</p>
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
              if (zoom === minZoom) return
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
              className={shownFace === null ? undefined : 'face'}
              style={{
                ...(shownFace === null
                  ? { transform: `translate(${x}px, ${y}px) scale(${zoom}) rotate(${turns * 90}deg)` }
                  : faceStyle(shownFace, view)),
                filter: `brightness(${light})`,
              }}
            />
          </div>
          {/* one stop for Tab, because the frame has the same keys */}
          <Toolbar className="picture-tools" aria-label={caption}>
            {offered.map(({ key, word: name }) => (
              <Button key={key} aria-label={word(name)} aria-keyshortcuts={key} onPress={() => change(key)}>
                <span aria-hidden="true">{symbols[key]}</span>
              </Button>
            ))}
          </Toolbar>
          <output className="quiet">
            {word('review.view', { zoom: number(Math.round(zoom * 100)), light: number(Math.round(light * 100)) })}
          </output>
        </>
      )}
    </figure>
  )
}
