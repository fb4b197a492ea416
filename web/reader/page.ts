import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type Page, type PageFile, pageFile } from '../serving/page-file.ts'
import { translatedPage, translationFiles } from '../serving/translated-page.ts'

const folder = 'web/reader'
const scripts = [
  'address',
  'article',
  'contents',
  'downloads',
  'main',
  'markdown',
  'service',
  'words',
  'words/words-ar',
  'words/words-en',
  'words/words-fr',
]

/** `GET /`: the reader, which walks a tenant's tree one text at a time. */
export function readerPage(): Page {
  return translatedPage({
    title: 'Magazine',
    description: 'An interactive magazine: texts in a tree, to be walked, kept as PDF and taken as JSON.',
    summary: 'The reader: a page that walks the tree of this service',
    file: `${folder}/main.html`,
    name: 'reader-page',
    styles: ['/pages/content/reader.css'],
    script: '/pages/content/main.js',
  })
}

/** What the page loads, besides what all pages share: all of it from here, so that it works without any other network. */
export function readerPageFiles(): readonly PageFile[] {
  const markdownIt = dirname(createRequire(import.meta.url).resolve('markdown-it/package.json'))
  return [
    ...translationFiles(),
    ...scripts.map((name) => pageFile(`/pages/content/${name}.js`, `${folder}/${name}.js`)),
    pageFile('/pages/content/reader.css', `${folder}/reader.css`),
    pageFile('/pages/vendor/markdown-it/markdown-it.mjs', join(markdownIt, 'dist/browser/markdown-it.esm.min.mjs')),
  ]
}
