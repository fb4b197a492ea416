/** @jsxImportSource preact */
import { useLayoutEffect, useRef } from 'preact/hooks'

interface TabListProps {
  readonly label: string
  readonly tabs: readonly { readonly id: string; readonly name: string }[]
  readonly chosen: string
  /** id of the tab panel */
  readonly panel: string
  readonly onChoose: (id: string) => void
  /** by the Delete key or the middle mouse button */
  readonly onRemove?: (id: string) => void
}

export const tabOf = (panel: string, id: string): string => `${panel}-tab-${id}`

/** A list of tabs: Tab reaches the selected one, arrow keys the others. @see ARIA Authoring Practices, Tabs */
export function TabList({ label, tabs, chosen, panel, onChoose, onRemove }: TabListProps) {
  const place = useRef<HTMLDivElement>(null)
  const byKey = useRef(false)
  // before the next key, which may remove this tab
  useLayoutEffect(() => {
    const tab = place.current?.querySelector<HTMLElement>('[aria-selected=true]')
    tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    if (byKey.current) tab?.focus()
    byKey.current = false
  }, [chosen])

  const press = (event: KeyboardEvent): void => {
    const index = tabs.findIndex(({ id }) => id === chosen)
    const next = document.documentElement.dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
    const to: Readonly<Record<string, number>> = {
      ArrowLeft: index - 1,
      ArrowRight: index - 1,
      [next]: index + 1,
      Home: 0,
      End: tabs.length - 1,
    }
    const go = tabs.at((to[event.key] ?? index) % tabs.length)
    const isRemoved = event.key === 'Delete' && onRemove !== undefined
    if (event.altKey || event.ctrlKey || event.metaKey || (!(event.key in to) && !isRemoved)) return
    event.preventDefault()
    byKey.current = true
    if (isRemoved) onRemove(chosen)
    else if (go !== undefined) onChoose(go.id)
  }
  return (
    <div role="tablist" class="tabs" aria-label={label} ref={place} onKeyDown={press}>
      {tabs.map(({ id, name }) => (
        <button
          key={id}
          type="button"
          role="tab"
          id={tabOf(panel, id)}
          aria-selected={id === chosen}
          aria-controls={panel}
          tabIndex={id === chosen ? 0 : -1}
          dir="auto"
          onClick={() => onChoose(id)}
          onAuxClick={(event) => event.button === 1 && onRemove?.(id)}
        >
          {name}
        </button>
      ))}
    </div>
  )
}
