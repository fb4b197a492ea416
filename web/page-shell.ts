import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

const folder = `${import.meta.dirname}/shared/frame`

/**
 * Adds to each page the shared head and a body that is visible until the page's script starts, with a message if it does not. A classic
 * script in the head sets language and colours before the first paint.
 */
export function pageShell(): Plugin {
  let beginning = ''
  return {
    name: 'page-shell',
    buildStart() {
      beginning = this.emitFile({ type: 'chunk', id: `${folder}/first-look.ts`, name: 'first-look' })
    },
    transformIndexHtml: {
      order: 'pre',
      handler: (html) =>
        html.replace('<head>', () => `<head>\n${textOf('head.html')}`).replace('</body>', () => `${textOf('body.html')}</body>`),
    },
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const script = `<script src="/pages/${this.getFileName(beginning)}"></script>`
        for (const file of Object.values(bundle))
          if (file.type === 'asset' && file.fileName.endsWith('.html'))
            file.source = String(file.source).replace('<head>', () => `<head>\n  ${script}`)
      },
    },
  }
}

const textOf = (name: string): string => readFileSync(`${folder}/${name}`, 'utf8')
