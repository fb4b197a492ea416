/**
 * Handles arrow keys in the tree: up and down move, the inward arrow opens a branch, the outward one closes it or moves to its parent.
 * @param toggle - opens or closes a branch
 */
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
