/** @jsxImportSource preact */
import { useRef, useState } from 'preact/hooks'

const [minShare, maxShare, step] = [20, 80, 5]

/**
 * A bar that resizes two panes, by pointer or arrow keys: sets `--share` on their parent, the first pane's share in per cent.
 * @see ARIA Authoring Practices, Window Splitter
 */
export function Splitter({ label }: { readonly label: string }) {
  const place = useRef<HTMLHRElement>(null)
  const [share, setShare] = useState(50)
  const move = (to: number): void => {
    const next = Math.round(Math.min(Math.max(to, minShare), maxShare))
    setShare(next)
    place.current?.parentElement?.style.setProperty('--share', String(next))
  }
  const press = (event: KeyboardEvent): void => {
    const isMirrored = document.documentElement.dir === 'rtl'
    const [more, less] = isMirrored ? ['ArrowLeft', 'ArrowRight'] : ['ArrowRight', 'ArrowLeft']
    const to: Readonly<Record<string, number>> = { [more]: share + step, [less]: share - step, Home: minShare, End: maxShare }
    const wanted = to[event.key]
    if (wanted === undefined) return
    event.preventDefault()
    move(wanted)
  }
  const drag = ({ buttons, clientX }: PointerEvent): void => {
    const [before, after] = [place.current?.previousElementSibling, place.current?.nextElementSibling]
    if (buttons === 0 || before == null || after == null) return
    const [first, second] = [before.getBoundingClientRect(), after.getBoundingClientRect()]
    const [left, right] = [Math.min(first.left, second.left), Math.max(first.right, second.right)]
    const part = ((clientX - left) / (right - left)) * 100
    move(first.left < second.left ? part : 100 - part)
  }
  return (
    <hr
      class="splitter"
      ref={place}
      aria-label={label}
      aria-orientation="vertical"
      aria-valuenow={share}
      aria-valuemin={minShare}
      aria-valuemax={maxShare}
      tabIndex={0}
      onKeyDown={press}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onDblClick={() => move(50)}
    />
  )
}
