import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import countries from 'i18n-iso-countries'
import { type Page, type PageFile, pageFile } from '../serving/page-file.ts'
import { translatedPage, translationFiles } from '../serving/translated-page.ts'

const folder = 'web/explorer'
const scripts = [
  'details',
  'domains',
  'feed',
  'filters',
  'history',
  'live',
  'main',
  'map/gestures',
  'map/markers',
  'map/projection',
  'map/world',
  'map/world-map',
  'service',
  'words',
  'words/words-ar',
  'words/words-en',
  'words/words-fr',
]

/** `GET /`: the explorer, a map of what citizens say with its topics, its sentiment over time and a live feed. */
export function explorerPage(): Page {
  return translatedPage({
    title: 'What citizens say',
    description: 'What citizens say: by topic, by sentiment and by place, live.',
    summary: 'The explorer: a page that shows the data of this service, live',
    file: `${folder}/main.html`,
    name: 'explorer',
    styles: ['/pages/exploration/explorer.css'],
    libraries: ['/pages/vendor/topojson-client/topojson-client.min.js'],
    script: '/pages/exploration/main.js',
  })
}

/** What the page loads, besides what all pages share: all of it from here, so that it works without any other network. */
export function explorerPageFiles(): readonly PageFile[] {
  const require = createRequire(import.meta.url)
  const fileOf = (name: string, path: string): string => join(dirname(require.resolve(`${name}/package.json`)), path)
  return [
    ...translationFiles(),
    ...scripts.map((name) => pageFile(`/pages/exploration/${name}.js`, `${folder}/${name}.js`)),
    pageFile('/pages/exploration/explorer.css', `${folder}/explorer.css`),
    pageFile('/pages/exploration/map/places.tsv', `${folder}/map/places.tsv`),
    ...['110m', '50m'].map((scale) => pageFile(`/pages/exploration/world-${scale}.json`, fileOf('world-atlas', `countries-${scale}.json`))),
    pageFile('/pages/vendor/topojson-client/topojson-client.min.js', fileOf('topojson-client', 'dist/topojson-client.min.js')),
    pageFile('/pages/vendor/socket.io/socket.io.esm.min.js', fileOf('socket.io-client', 'dist/socket.io.esm.min.js')),
    // The outlines have the numbers of ISO 3166-1, browsers know names by its letters.
    { path: '/pages/exploration/country-codes.json', mediaType: 'application/json', content: JSON.stringify(countries.getNumericCodes()) },
  ]
}
