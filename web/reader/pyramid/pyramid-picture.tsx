import { useEffect, useRef, useSyncExternalStore } from 'react'
import { Link } from 'wouter'
import { written } from '../../shared/content/text/language-of.ts'
import { usePlace } from '../place/use-place.ts'
import { useWords } from '../words/words.ts'
import { followGestures } from './gestures.ts'
import { nodeIdAt, PictureElements, type PictureWords, shownTitle } from './picture-elements.ts'
import type { Pyramid } from './pyramid.ts'
import './pyramid.css'
import { followKeys } from './pyramid-keys.ts'
import { PyramidPath } from './pyramid-path.tsx'

const still = matchMedia('(prefers-reduced-motion: reduce)')
/** pause after which the address follows the keys */
const addressMs = 250

export interface PyramidPictureProps {
  readonly pyramid: Pyramid
  /** whether the text takes the focus, because the user came from its page */
  readonly takesFocus: boolean
}

/** The tree of a tenant as a pyramid: the root at the top, the children of each open text in the row below it. */
export function PyramidPicture({ pyramid, takesFocus }: PyramidPictureProps) {
  const { word } = useWords()
  const { id, addressIn } = usePlace()
  const { current, ancestors, isCut, failure, news } = useSyncExternalStore(pyramid.subscribe, pyramid.state)
  const isFirst = useRef(true)
  useEffect(() => {
    void pyramid.go(id, takesFocus && isFirst.current)
    isFirst.current = false
  }, [pyramid, id, takesFocus])
  const picture = usePicture(pyramid)
  const title = current === undefined ? '' : shownTitle(current.title, word('untitled'))
  const count = current?.children_count ?? 0
  return (
    <section className="pyramid" aria-label={word('pyramid')}>
      <div className="pyramid-frame" hidden={current === undefined && failure !== undefined}>
        <PyramidPath ancestors={ancestors} current={current} isCut={isCut} />
        <div className="picture" ref={picture.frame}>
          <div className="fillers" aria-hidden="true" ref={picture.fillers} />
          <div
            className="blocks"
            role="tree"
            aria-label={word('pyramid')}
            aria-orientation="horizontal"
            aria-describedby="pyramid-keys"
            ref={picture.blocks}
          />
        </div>
        {current !== undefined && (
          <div className="pyramid-text">
            <div className="pyramid-about">
              <h1 {...written(current)}>{title}</h1>
              {current.summary !== undefined && current.summary !== null && current.summary !== '' && (
                <p {...written(current)}>{current.summary}</p>
              )}
            </div>
            <div className="pyramid-do">
              <Link className="button main" href={addressIn('page', current.depth === 0 ? undefined : current.id)}>
                {word('pyramid.read')}
              </Link>
              {count > 0 && <span className="quiet">{word('inside.count', { count })}</span>}
            </div>
          </div>
        )}
      </div>
      <p className="quiet" id="pyramid-keys">
        {word('pyramid.keys')}
      </p>
      <p className="unseen" role="status">
        {news?.kind === 'loaded' && word('pyramid.loaded', { count: news.count, total: news.total })}
        {news?.kind === 'failed' && word('pyramid.failed')}
        {news?.kind === 'gone' && word('pyramid.gone', { title: shownTitle(news.title, word('untitled')) })}
      </p>
    </section>
  )
}

/** Zooms without a wheel or two fingers. */
export function PyramidZoom({ pyramid }: { pyramid: Pyramid }) {
  const { word } = useWords()
  return (
    <fieldset className="pyramid-zoom" aria-label={word('pyramid.zoom')}>
      <button type="button" onClick={() => pyramid.zoomStep(-1)} aria-label={word('pyramid.out')}>
        <Icon path="M5 12h14" />
      </button>
      <button type="button" onClick={() => pyramid.zoomStep(1)} aria-label={word('pyramid.in')}>
        <Icon path="M5 12h14M12 5v14" />
      </button>
      <button type="button" onClick={() => pyramid.fit()} aria-label={word('pyramid.fit')}>
        <Icon path="M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5" />
      </button>
    </fieldset>
  )
}

function Icon({ path }: { path: string }) {
  return (
    <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
      <path d={path} fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  )
}

/** Draws the picture while it is mounted, and lets the user move in it. */
function usePicture(pyramid: Pyramid) {
  const [frame, blocks, fillers] = [useRef<HTMLDivElement>(null), useRef<HTMLDivElement>(null), useRef<HTMLDivElement>(null)]
  const { word, number, language } = useWords()
  const { addressIn, show } = usePlace()
  const isRightToLeft = language === 'ar'
  const words: PictureWords = {
    ...{ untitled: word('untitled'), pending: word('loading'), failed: word('pyramid.retry'), isRightToLeft, number },
    more: (count) => word('pyramid.more', { count }),
    addressOf: (id) => addressIn('pyramid', id),
  }
  // the handlers below are set once
  const now = useRef({ words, show })
  now.current = { words, show }
  useEffect(() => pyramid.redraw(), [pyramid, language])

  useEffect(() => {
    const [place, tree, layer] = [frame.current, blocks.current, fillers.current]
    if (place === null || tree === null || layer === null) return
    const elements = new PictureElements(tree, layer)
    let size = { width: place.clientWidth, height: place.clientHeight }
    const observer = new ResizeObserver(() => {
      size = { width: place.clientWidth, height: place.clientHeight }
      pyramid.redraw()
    })
    observer.observe(place)
    let waiting: ReturnType<typeof setTimeout> | undefined
    const showPlace = (replaces: boolean): void => {
      clearTimeout(waiting)
      waiting = undefined
      const { current } = pyramid.tree
      if (current !== undefined) now.current.show('pyramid', current.depth === 0 ? undefined : current.id, replaces)
    }
    const read = (): void => {
      const { current } = pyramid.tree
      if (current === undefined) return
      // Back returns to this text
      if (waiting !== undefined) showPlace(true)
      now.current.show('page', current.depth === 0 ? undefined : current.id)
    }
    const stop = pyramid.play({
      size: () => size,
      draw: (picture, shown, within) => elements.draw(picture, shown, within, now.current.words),
      focus(node) {
        const element = elements.elementOf(node)
        element?.focus({ preventScroll: true })
        return element !== undefined
      },
      hasFocus: () => tree.contains(document.activeElement),
      isStill: () => still.matches,
      arrived(_, isStep) {
        clearTimeout(waiting)
        if (isStep) waiting = setTimeout(() => showPlace(true), addressMs)
        else showPlace(false)
      },
    })
    const stopGestures = followGestures(place, {
      pan: (start, top) => pyramid.pan(start, top),
      zoom: (factor, at) => pyramid.zoom(factor, at),
      canPan: (start, top) => pyramid.canPan(start, top),
      isRightToLeft: () => now.current.words.isRightToLeft,
    })
    const onKey = (event: KeyboardEvent): void => followKeys(event, pyramid, now.current.words.isRightToLeft, read)
    const onClick = (event: MouseEvent): void => {
      // in another tab it is an ordinary link
      if (event.ctrlKey || event.metaKey || event.shiftKey || !(event.target instanceof Element)) return
      event.preventDefault()
      press(pyramid, event.target)
    }
    tree.addEventListener('keydown', onKey)
    place.addEventListener('click', onClick)
    return () => {
      if (waiting !== undefined) showPlace(true)
      observer.disconnect()
      tree.removeEventListener('keydown', onKey)
      place.removeEventListener('click', onClick)
      stopGestures()
      stop()
      tree.replaceChildren()
      layer.replaceChildren()
    }
  }, [pyramid])
  return { frame, blocks, fillers }
}

/** Handles a click: it selects a text and opens it, and closes an open one that was selected before. */
function press(pyramid: Pyramid, target: Element): void {
  const node = pyramid.tree.get(nodeIdAt(target) ?? '')
  if (node === undefined) return
  const filler = target.closest('.filler')
  if (filler !== null) {
    if (filler.matches('.run')) {
      const box = filler.getBoundingClientRect()
      const frame = filler.parentElement?.getBoundingClientRect()
      if (frame !== undefined) pyramid.zoom(4, { start: box.left - frame.left + box.width / 2, top: box.top - frame.top })
    } else if (filler.matches('.more, .failed')) pyramid.loadAgain(node)
    return
  }
  const wasCurrent = node === pyramid.tree.current
  if (!wasCurrent) pyramid.select(node, false)
  if (!node.isOpen || wasCurrent) pyramid.setOpen(node, !node.isOpen)
}
