import type { CDPSession, Page } from 'playwright-core'
import { expect } from 'vitest'

/** The focused element, as the browser exposes it to a screen reader. */
export interface FocusedElement {
  readonly role: string
  readonly name: string
}

/** @param within - maximum number of key presses (default: 12)   @param key - the key to press (default: Tab) */
export interface KeyOptions {
  readonly within?: number
  readonly key?: string
}

/** Returns position and visibility of the focused element. Elements that only a script can focus need no visible focus. */
const focusScript = `(() => {
  const element = document.activeElement
  // the first line of a wrapped link
  const { top, bottom, left, right } = element.getClientRects()[0] ?? element.getBoundingClientRect()
  const [x, y] = [Math.max(left, 0) + Math.min(right, innerWidth), Math.max(top, 0) + Math.min(bottom, innerHeight)].map((sum) => sum / 2)
  const there = document.elementFromPoint(x, y)
  const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element)
  return {
    isLost: element === document.body || element === document.documentElement,
    coveredBy: element.contains(there) ? null : (there?.outerHTML ?? 'outside of the window').slice(0, 200),
    hasRing: element.tabIndex < 0 || (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0) || boxShadow !== 'none',
    html: element.outerHTML.slice(0, 160) + JSON.stringify({ top, bottom, left, right, innerHeight }),
  }
})()`

/** Records announcements of a screen reader: changes within existing live regions, and new alerts. */
const listen = `{
  globalThis.announcements = []
  const live = '[role=status], [role=alert], [role=log], [aria-live]:not([aria-live=off])'
  new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes) {
      const region = (target instanceof Element ? target : target.parentElement)?.closest(live)
      const alerts = [...addedNodes].flatMap((node) => node instanceof Element ? [node, ...node.querySelectorAll('[role=alert]')] : [])
      for (const each of [region, ...alerts.filter((node) => node.matches('[role=alert]'))]) if (each) announcements.push(each.textContent)
    }
  }).observe(document, { subtree: true, childList: true, characterData: true })
}`

/**
 * A user with a keyboard and no mouse. After each key press the focus must be on an element, visible, and not covered; otherwise the
 * step fails.
 */
export class KeyboardUser {
  readonly #page: Page
  readonly #browser: CDPSession

  private constructor(page: Page, browser: CDPSession) {
    this.#page = page
    this.#browser = browser
  }

  /** Call before the page is opened. */
  static async at(page: Page): Promise<KeyboardUser> {
    await page.addInitScript(listen)
    return new KeyboardUser(page, await page.context().newCDPSession(page))
  }

  async focused(): Promise<FocusedElement> {
    const { result } = await this.#browser.send('Runtime.evaluate', { expression: 'document.activeElement' })
    if (result.objectId === undefined) return { role: 'none', name: '' }
    const { nodes } = await this.#browser.send('Accessibility.getPartialAXTree', { objectId: result.objectId, fetchRelatives: false })
    return { role: String(nodes[0]?.role?.value), name: String(nodes[0]?.name?.value ?? '') }
  }

  /** Presses a key until the focus reaches the element. */
  async go(role: string, name: string | RegExp, { within = 12, key = 'Tab' }: KeyOptions = {}): Promise<void> {
    const passed: string[] = []
    for (let presses = 1; presses <= within; presses++) {
      await this.#page.keyboard.press(key)
      const at = await this.focused()
      passed.push(`${at.role} “${at.name}”`)
      await this.#expectSeen()
      if (at.role === role && fits(at.name, name)) return
    }
    expect.fail(`${role} “${name}” is not reached by ${within} × ${key}, but: ${passed.join(', ')}`)
  }

  async press(key: string): Promise<void> {
    await this.#page.keyboard.press(key)
  }

  async type(text: string): Promise<void> {
    await this.#page.keyboard.type(text)
  }

  /** Waits until the page has moved the focus to the element. */
  async isAt(role: string, name: string | RegExp): Promise<void> {
    await expect
      .poll(
        async () => {
          const at = await this.focused()
          return at.role === role && fits(at.name, name) ? 'there' : `${at.role} “${at.name}”`
        },
        { message: `${role} “${name}”`, timeout: 15_000 },
      )
      .toBe('there')
    await this.#expectSeen()
  }

  /** Waits until a screen reader has announced the text, also as the focused element. */
  async announces(text: string | RegExp): Promise<void> {
    const announcement = async (): Promise<string> => {
      const spoken = (await this.#page.evaluate(
        `[...announcements, document.activeElement.matches('p') ? document.activeElement.textContent : '']`,
      )) as string[]
      return spoken.some((each) => fits(each, text)) ? 'announced' : spoken.slice(-5).join(' | ')
    }
    await expect.poll(announcement, { message: String(text), timeout: 15_000 }).toBe('announced')
  }

  /** The browser may still be scrolling. */
  async #expectSeen(): Promise<void> {
    const readFocus = async () => {
      const { html, ...focus } = (await this.#page.evaluate(focusScript)) as { readonly html: string; readonly isLost: boolean }
      return { focus, html }
    }
    const { html } = await readFocus()
    await expect
      .poll(async () => (await readFocus()).focus, { message: html, timeout: 5000, interval: 20 })
      .toEqual({ isLost: false, coveredBy: null, hasRing: true })
  }
}

const fits = (spoken: string, expected: string | RegExp): boolean =>
  typeof expected === 'string' ? spoken.includes(expected) : expected.test(spoken)
