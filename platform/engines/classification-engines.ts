import type { Geocoder } from '../../engines/geocoder/geocoder.ts'
import { installedEncoder } from '../../engines/inference/installed-models.ts'
import type { LanguageModel } from '../../engines/language-model/language-model.ts'
import { openAiLanguageModel } from '../../engines/language-model/openai-language-model.ts'
import { nameOf, onnxSentenceEncoder } from '../../engines/sentence-encoder/onnx-sentence-encoder.ts'
import type { RunningEncoder } from '../../engines/sentence-encoder/sentence-encoder.ts'
import { projectionEncoder } from '../../engines/sentence-encoder/sentence-projection.ts'
import { systemClock } from '../../foundation/clock.ts'
import type { Config } from '../../foundation/config/config.ts'
import type { Log } from '../../foundation/log.ts'
import { readBuildInfo } from '../../foundation/process/build-info.ts'

/**
 * Returns the installed encoder, or the projection without one. @throws {Error} one sentence if the installed one is unusable, instead of falling
 * back to incomparable vectors
 */
export function sentenceEncoder({ modelsFolder, onnxExecutionProviders }: Config, log: Log): RunningEncoder {
  const model = installedEncoder(modelsFolder)
  return model === undefined ? projectionEncoder() : onnxSentenceEncoder({ model, executionProviders: onnxExecutionProviders, log })
}

/** Returns the name of the encoder, which identifies comparable vectors. */
export function encoderName({ modelsFolder }: Config): string {
  const model = installedEncoder(modelsFolder)
  return model === undefined ? projectionEncoder().model : nameOf(model)
}

export function languageModelOf({ languageModel }: Config): LanguageModel | undefined {
  return languageModel && openAiLanguageModel({ ...languageModel, clock: systemClock })
}

/** Loads modules on demand: the gazetteer's data is not needed with Nominatim. */
export async function geocoderOf({ geocoder, publicUrl }: Config): Promise<Geocoder> {
  const { url, countries } = geocoder
  if (url === undefined) {
    const { gazetteer } = await import('../../engines/geocoder/gazetteer.ts')
    return gazetteer({ preferredCountries: countries })
  }
  const { nominatimGeocoder } = await import('../../engines/geocoder/nominatim-geocoder.ts')
  const userAgent = `Civigraph/${readBuildInfo().version}${publicUrl === undefined ? '' : ` (+${publicUrl})`}`
  return nominatimGeocoder({ url, countries, userAgent, clock: systemClock })
}
