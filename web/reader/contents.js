/** The contents at the side: a tree whose branches are read when somebody opens them. */
import { element } from '/pages/element.js'
import { addressOf } from './address.js'
import { word, written } from './words.js'

/** so many levels above the text are shown; the trail has the others */
const levelsAbove = 4

export class Contents {
  #place
  #read
  #branches = new Map()
  #top
  /** counts what is shown: what was begun before gives way */
  #shows = 0

  /** @param {HTMLElement} place @param {(id: string, after?: string) => Promise<{ children: object[], next?: string }>} read */
  constructor(place, read) {
    this.#place = place
    this.#read = read
    place.addEventListener('keydown', (event) => this.#move(event))
  }

  forget() {
    this.#top = undefined
    this.#branches.clear()
    this.#place.replaceChildren()
  }

  /**
   * Shows where a node stands: what is above it open, itself marked, what is below it open.
   * @param {boolean} isHere - false: it is only shown, the reader is elsewhere
   */
  async show({ node, ancestors, children, next }, isHere = true) {
    const show = ++this.#shows
    const way = [...ancestors, node].slice(-levelsAbove - 1)
    const [top] = way
    if (this.#top !== top.id) {
      this.forget()
      this.#top = top.id
      this.#place.replaceChildren(element('ul', {}, this.#branch({ children_count: 1, ...top }).item))
    }
    const own = this.#branch(node)
    this.#fill(own, children, next, true)
    for (const [at, { id }] of way.slice(0, -1).entries()) {
      const branch = this.#branches.get(id)
      if (!branch.isRead) await this.#readInto(branch)
      if (show !== this.#shows) return
      // it may be on a page of children that was not read yet
      const below = way[at + 1]
      if (!this.#branches.get(below.id)?.item.isConnected) branch.list.append(this.#branch({ children_count: 1, ...below }).item)
      this.#open(branch, true)
    }
    this.#rename(own, node)
    this.#open(own, children.length > 0)
    for (const { id, link } of this.#branches.values()) {
      if (isHere && id === node.id) link.setAttribute('aria-current', 'page')
      else link.removeAttribute('aria-current')
    }
  }

  /** The texts beside a node, as far as they are read. @returns {[before?: object, after?: object]} */
  beside({ id }, parentId) {
    const nodes = this.#branches.get(parentId)?.nodes ?? []
    const at = nodes.findIndex((each) => each.id === id)
    return at < 0 ? [] : [nodes[at - 1], nodes[at + 1]]
  }

  #branch(node) {
    const { id } = node
    const known = this.#branches.get(id)
    if (known !== undefined) {
      this.#rename(known, node)
      return known
    }
    const list = element('ul', { hidden: '' })
    const link = element('a', { href: addressOf(id), 'data-place': '' })
    const toggle = element(
      'button',
      { type: 'button', class: 'toggle', 'aria-expanded': 'false' },
      element('span', { 'aria-hidden': 'true' }),
    )
    const item = element('li', {}, element('div', { class: 'line' }, toggle, link), list)
    const branch = { id, item, list, link, toggle, nodes: [], isRead: false }
    toggle.addEventListener('click', () => this.#toggle(branch))
    this.#branches.set(id, branch)
    this.#rename(branch, node)
    return branch
  }

  #rename({ link, toggle, item }, { title, locale, children_count: count }) {
    link.textContent = title
    const { dir, lang } = written({ locale })
    link.dir = dir
    if (lang === undefined) link.removeAttribute('lang')
    else link.lang = lang
    toggle.hidden = count === 0
    item.classList.toggle('leaf', count === 0)
    this.#name(toggle, title)
  }

  #name(toggle, title) {
    toggle.dataset.title = title
    toggle.setAttribute('aria-label', word(toggle.getAttribute('aria-expanded') === 'true' ? 'close' : 'open', { title }))
  }

  async #toggle(branch) {
    const opens = branch.list.hidden
    if (opens && !branch.isRead) {
      try {
        await this.#readInto(branch)
      } catch {
        // the page says so; the branch stays closed and can be tried again
        return
      }
    }
    this.#open(branch, opens)
  }

  #open({ list, toggle }, opens) {
    list.hidden = !opens
    toggle.setAttribute('aria-expanded', String(opens))
    this.#name(toggle, toggle.dataset.title)
  }

  async #readInto(branch, after) {
    const { children, next } = await this.#read(branch.id, after)
    this.#fill(branch, children, next, after === undefined)
  }

  #fill(branch, children, next, isFirst) {
    const same = isFirst && branch.isRead && children.every(({ id }, at) => branch.nodes[at]?.id === id)
    if (same && (next !== undefined || children.length === branch.nodes.length)) {
      for (const child of children) this.#branch(child)
      return
    }
    branch.isRead = true
    branch.nodes = isFirst ? children : [...branch.nodes, ...children]
    branch.list.querySelector(':scope > .rest')?.remove()
    const items = children.map((child) => this.#branch(child).item)
    if (isFirst) branch.list.replaceChildren(...items)
    else branch.list.append(...items)
    if (next === undefined) return
    const button = element('button', { type: 'button', class: 'button plain small' }, word('more'))
    const rest = element('li', { class: 'rest' }, button)
    button.addEventListener('click', async () => {
      try {
        await this.#readInto(branch, next)
        this.#branches.get(branch.nodes[children.length]?.id)?.link.focus()
      } catch {
        // the page says so; the button stays
      }
    })
    branch.list.append(rest)
  }

  /** Arrows go from line to line; the one that points inwards opens, the other closes or goes up. */
  #move(event) {
    const line = event.target.closest?.('li')
    if (!line || event.ctrlKey || event.metaKey || event.altKey) return
    const branch = [...this.#branches.values()].find(({ item }) => item === line)
    if (branch === undefined) return
    const inwards = document.documentElement.dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
    const outwards = inwards === 'ArrowLeft' ? 'ArrowRight' : 'ArrowLeft'
    const links = [...this.#place.querySelectorAll('.line a')].filter((link) => link.checkVisibility())
    const at = links.indexOf(branch.link)
    const focus = (link) => link?.focus()
    if (event.key === 'ArrowDown') focus(links[at + 1])
    else if (event.key === 'ArrowUp') focus(links[at - 1])
    else if (event.key === 'Home') focus(links[0])
    else if (event.key === 'End') focus(links.at(-1))
    else if (event.key === inwards) {
      if (branch.toggle.hidden) return
      if (branch.list.hidden) this.#toggle(branch)
      else focus(links[at + 1])
    } else if (event.key === outwards) {
      if (!branch.toggle.hidden && !branch.list.hidden) this.#open(branch, false)
      else focus(line.parentElement.closest('li')?.querySelector(':scope > .line a'))
    } else return
    event.preventDefault()
  }
}
