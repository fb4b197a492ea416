import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { contentSecurityPolicy, type PageFile, pageFile } from '../serving/page-file.ts'

/**
 * GraphiQL and what it runs on, all from the installed packages. GraphiQL 4 and React 18 are the last with bundles for a browser; from
 * GraphiQL 5 and React 19 on only a bundler can put them together.
 * @param hasComponents - over another graph there are no examples, and nobody knows how to sign in
 */
export function graphiqlFiles(hasComponents: boolean): readonly PageFile[] {
  const require = createRequire(import.meta.url)
  const folderOf = (name: string): string => dirname(require.resolve(`${name}/package.json`))
  const socketFolder = dirname(fileURLToPath(import.meta.resolve('graphql-ws/client')))
  // The client imports one chunk beside it, whose name holds a hash.
  const examples = pageFile('/pages/examples.json', 'web/graphiql/examples.json')
  const socketFiles = readdirSync(socketFolder).filter((name) => /^(client|common-[\w-]+)\.js$/.test(name))
  return [
    pageFile('/graphiql', 'web/graphiql/graphiql.html'),
    ...['graphiql', 'credentials', 'examples', 'sign-in'].map((name) => pageFile(`/pages/${name}.js`, `web/graphiql/${name}.js`)),
    hasComponents ? examples : { ...examples, content: '[]' },
    pageFile('/pages/graphiql.css', 'web/graphiql/graphiql.css'),
    ...['graphiql.min.js', 'graphiql.min.css'].map((name) => pageFile(`/pages/vendor/graphiql/${name}`, join(folderOf('graphiql'), name))),
    ...['react', 'react-dom'].map((name) =>
      pageFile(`/pages/vendor/${name}/${name}.production.min.js`, join(folderOf(name), `umd/${name}.production.min.js`)),
    ),
    ...socketFiles.map((name) => pageFile(`/pages/vendor/graphql-ws/${name}`, join(socketFolder, name))),
  ]
}

/** GraphiQL writes styles into its page (its editor places every line so) and carries its fonts in its style sheet. */
export const graphiqlPolicy: string = contentSecurityPolicy({ 'style-src': "'unsafe-inline'", 'font-src': 'data:' })
