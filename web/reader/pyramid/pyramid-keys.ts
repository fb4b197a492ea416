import type { Pyramid } from './pyramid.ts'

const panStep = 120

/**
 * Handles the keys of a horizontal tree (WAI-ARIA): down opens a text or goes to its first child, up closes it or goes to its parent, the
 * other arrows go along the row, letters to a title. With Shift the arrows move the picture.
 * @param read - opens the current text
 * @see https://www.w3.org/WAI/ARIA/apg/patterns/treeview/
 */
export function followKeys(event: KeyboardEvent, pyramid: Pyramid, isRightToLeft: boolean, read: () => void): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const onward = isRightToLeft ? 'ArrowLeft' : 'ArrowRight'
  const { key } = event
  if (event.shiftKey && key.startsWith('Arrow')) {
    const across = key === 'ArrowLeft' || key === 'ArrowRight' ? (key === onward ? -panStep : panStep) : 0
    pyramid.pan(across, key === 'ArrowDown' ? -panStep : key === 'ArrowUp' ? panStep : 0)
  } else if (key === 'ArrowDown') pyramid.down()
  else if (key === 'ArrowUp') pyramid.up()
  else if (key === 'ArrowLeft' || key === 'ArrowRight') void pyramid.beside(key === onward ? 1 : -1)
  else if (key === 'Home') pyramid.first()
  else if (key === 'End') pyramid.last()
  else if (key === 'Enter') read()
  else if (key === '+' || key === '=') pyramid.zoomStep(1)
  else if (key === '-') pyramid.zoomStep(-1)
  else if (key === '0' && !pyramid.isTyping) pyramid.fit()
  else if (key === ' ' && !pyramid.isTyping) {
    const { current } = pyramid.tree
    if (current !== undefined) pyramid.setOpen(current, !current.isOpen)
  } else if (/^[\p{L}\p{M}\p{N}\p{P} ]$/u.test(key)) pyramid.type(key)
  else return
  event.preventDefault()
}
