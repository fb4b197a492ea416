import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type BuiltPage, builtPage } from '../serving/built-page.ts'
import { type PageFile, pageFile } from '../serving/page-file.ts'
import type { GraphiqlFacts } from './facts.ts'

/**
 * GraphiQL and what it runs on, all from the installed packages. GraphiQL 4 and React 18 are the last with bundles for a browser; from
 * GraphiQL 5 and React 19 on only a bundler can put them together.
 * @param facts.hasComponents - over another graph there are no examples, and nobody knows how to sign in
 */
export function graphiqlPage(facts: GraphiqlFacts): BuiltPage {
  const require = createRequire(import.meta.url)
  const vendor = (name: string, file: string) =>
    pageFile(`/pages/vendor/${name}/${file.replace('umd/', '')}`, join(dirname(require.resolve(`${name}/package.json`)), file))
  const { page, files } = builtPage('graphiql', {
    summary: 'GraphiQL: a page to write operations in and run them',
    path: '/graphiql',
    facts,
    // it writes styles into its page: its editor places every line so
    sources: { 'style-src': "'unsafe-inline'" },
  })
  const bundles = [
    vendor('graphiql', 'graphiql.min.js'),
    withoutFonts(vendor('graphiql', 'graphiql.min.css')),
    vendor('react', 'umd/react.production.min.js'),
    vendor('react-dom', 'umd/react-dom.production.min.js'),
  ]
  return { page, files: [...files, ...bundles] }
}

/** Its style sheet carries two families of fonts as text, 265 of its 274 kB compressed, and nothing is painted before they are there: those of the device do. */
function withoutFonts(style: PageFile): PageFile {
  return { ...style, content: String(style.content).replaceAll(/@font-face\s*\{[^}]*\}\s*/g, '') }
}
