import type { CDPSession, Page } from 'playwright-core'
import { expect } from 'vitest'

/** What has the focus, as the browser tells it to a screen reader. */
export interface Focused {
  readonly role: string
  readonly name: string
}

/** @param within - how often somebody may press the key until they are there (default: 12)   @param key - what they press (default: Tab) */
export interface Way {
  readonly within?: number
  readonly key?: string
}

/** of whatever has the focus: where it is and how it is seen. Nothing that only a script can focus need show it. */
const focusScript = `(() => {
  const element = document.activeElement
  // of a link over several lines: the first
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

/** Keeps what a screen reader says by itself: what changes within a live region that was there before, and alerts that come. */
const listen = `{
  globalThis.saidByItself = []
  const live = '[role=status], [role=alert], [role=log], [aria-live]:not([aria-live=off])'
  new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes) {
      const region = (target instanceof Element ? target : target.parentElement)?.closest(live)
      const alerts = [...addedNodes].flatMap((node) => node instanceof Element ? [node, ...node.querySelectorAll('[role=alert]')] : [])
      for (const each of [region, ...alerts.filter((node) => node.matches('[role=alert]'))]) if (each) saidByItself.push(each.textContent)
    }
  }).observe(document, { subtree: true, childList: true, characterData: true })
}`

/**
 * Somebody who has a keyboard and no mouse. Wherever a key leads them, the focus is somewhere, can be seen, and nothing stands before it: each
 * step fails where that is not so.
 */
export class KeyboardUser {
  readonly #page: Page
  readonly #browser: CDPSession

  private constructor(page: Page, browser: CDPSession) {
    this.#page = page
    this.#browser = browser
  }

  /** Before the page is opened. */
  static async at(page: Page): Promise<KeyboardUser> {
    await page.addInitScript(listen)
    return new KeyboardUser(page, await page.context().newCDPSession(page))
  }

  async focused(): Promise<Focused> {
    const { result } = await this.#browser.send('Runtime.evaluate', { expression: 'document.activeElement' })
    if (result.objectId === undefined) return { role: 'none', name: '' }
    const { nodes } = await this.#browser.send('Accessibility.getPartialAXTree', { objectId: result.objectId, fetchRelatives: false })
    return { role: String(nodes[0]?.role?.value), name: String(nodes[0]?.name?.value ?? '') }
  }

  /** Presses a key until they are at what they look for. */
  async go(role: string, name: string | RegExp, { within = 12, key = 'Tab' }: Way = {}): Promise<void> {
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

  /** Waits until the focus has come there by itself. */
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

  /** Waits until a screen reader has said it by itself, or with what took the focus. */
  async announces(text: string | RegExp): Promise<void> {
    const announcement = async (): Promise<string> => {
      const spoken = (await this.#page.evaluate(
        `[...saidByItself, document.activeElement.matches('p') ? document.activeElement.textContent : '']`,
      )) as string[]
      return spoken.some((each) => fits(each, text)) ? 'announced' : spoken.slice(-5).join(' | ')
    }
    await expect.poll(announcement, { message: String(text), timeout: 15_000 }).toBe('announced')
  }

  /** The browser may still be scrolling there. */
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
