/** Arrows go from line to line; the one that points inwards opens, the other closes or goes up. @param toggle - opens or closes the branch of an id */
export function followArrows(event: KeyboardEvent, tree: HTMLElement, toggle: (id: string) => void): void {
  const line = event.target instanceof Element ? event.target.closest('li') : null
  if (line === null || event.ctrlKey || event.metaKey || event.altKey) return
  const links = [...tree.querySelectorAll<HTMLElement>('.line a')]
  const at = links.findIndex((link) => link.closest('li') === line)
  if (at < 0) return
  const isClosed = line.querySelector(':scope > .line > [aria-expanded=false]') !== null
  const isOpen = line.querySelector(':scope > .line > [aria-expanded=true]') !== null
  const inwards = document.documentElement.dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
  const outwards = inwards === 'ArrowLeft' ? 'ArrowRight' : 'ArrowLeft'
  const { node = '' } = line.dataset
  switch (event.key) {
    case 'ArrowDown':
      links[at + 1]?.focus()
      break
    case 'ArrowUp':
      links[at - 1]?.focus()
      break
    case 'Home':
      links[0]?.focus()
      break
    case 'End':
      links.at(-1)?.focus()
      break
    case inwards:
      if (isClosed) toggle(node)
      else if (isOpen) links[at + 1]?.focus()
      break
    case outwards:
      if (isOpen) toggle(node)
      else line.parentElement?.closest('li')?.querySelector<HTMLElement>(':scope > .line a')?.focus()
      break
    default:
      return
  }
  event.preventDefault()
}
