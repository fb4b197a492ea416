import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ort from 'onnxruntime-node'
import type { Grey } from '../page/pixels.ts'
import { type Decode, decoderOf, type RecognisedLine } from './ctc-decoding.ts'
import { regionsOf, type TextRegion } from './differentiable-binarisation.ts'
import { detectorInput, lineHeight, orientationInput, orientationSize, recogniserInput } from './network-inputs.ts'
import { classesOf, isSupported, withClasses } from './supported-characters.ts'

/** file names in the manifest of the model */
const files = {
  detection: 'detection.onnx',
  recognition: 'recognition.onnx',
  characters: 'characters.txt',
  orientation: 'orientation.onnx',
}

export interface TextNetworksOptions {
  /** folder of the files */
  readonly folder: string
  readonly executionProviders: readonly string[]
}

/** Score of each clockwise turn to be the one that makes a page upright. */
export type Uprightness = Readonly<Record<0 | 90 | 180 | 270, number>>

/**
 * The PP-OCR networks: text detection, line recognition and page orientation. @see Du et al., "PP-OCR: A Practical Ultra Lightweight OCR System",
 * 2020
 */
export interface TextNetworks {
  /** Returns text line regions in pixels of the page, top first; at most 300. */
  detect(page: Grey): Promise<readonly TextRegion[]>
  /** @param lines - upright, one text line each */
  recognise(lines: readonly Grey[]): Promise<readonly RecognisedLine[]>
  orientation(page: Grey): Promise<Uprightness>
}

/** @throws {Error} if a file is not a network with the expected inputs and outputs */
export async function openTextNetworks({ folder, executionProviders }: TextNetworksOptions): Promise<TextNetworks> {
  const read = (file: string): Buffer => readFileSync(join(folder, file))
  const open = (model: Uint8Array): Promise<ort.InferenceSession> =>
    ort.InferenceSession.create(model, {
      executionProviders: [...executionProviders],
      // sides are read concurrently: a second thread for one costs an eighth more in total
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      enableMemPattern: false,
      // input sizes vary and the arena keeps the largest of each (263 MB after ten pages, 108 MB without it)
      enableCpuMemArena: false,
      logSeverityLevel: 3,
    })
  const classes = classesOf(read(files.characters).toString('utf8'))
  const classIndexes = classes.flatMap((character, at) => (isSupported(character) ? [at] : []))
  const detector = await open(read(files.detection))
  const recogniser = await open(withClasses(read(files.recognition), classes.length, classIndexes))
  const orientation = await open(read(files.orientation))
  const networks = withSessions({ detector, recogniser, orientation }, decoderOf(classIndexes.map((at) => classes[at] ?? '')))
  await requireAnswers(networks)
  return networks
}

interface Sessions {
  readonly detector: ort.InferenceSession
  readonly recogniser: ort.InferenceSession
  readonly orientation: ort.InferenceSession
}

function withSessions({ detector, recogniser, orientation }: Sessions, decode: Decode): TextNetworks {
  return {
    async detect(page) {
      const { data, width, height } = detectorInput(page)
      const answer = await run(detector, data, [1, 3, height, width])
      return regionsOf({ width, height, data: answer.data }, { x: page.width / width, y: page.height / height })
    },
    async recognise(lines) {
      const recognised: RecognisedLine[] = []
      // one at a time: on one thread a batch is no faster and pads shorter lines
      for (const line of lines) {
        const { data, width, height } = recogniserInput(line)
        const answer = await run(recogniser, data, [1, 3, height, width])
        recognised.push(decode({ scores: answer.data, count: answer.dims[1] ?? 0 }))
      }
      return recognised
    },
    async orientation(page) {
      const { data } = await run(orientation, orientationInput(page), [1, 3, orientationSize, orientationSize])
      const [upright = 0, right = 0, head = 0, left = 0] = data
      // converts the orientation of the page to the turn that corrects it
      return { 0: upright, 90: left, 180: head, 270: right }
    },
  }
}

interface Answer {
  readonly data: Float32Array
  readonly dims: readonly number[]
}

async function run(session: ort.InferenceSession, data: Float32Array, dims: readonly number[]): Promise<Answer> {
  const [name = ''] = session.inputNames
  const answers = await session.run({ [name]: new ort.Tensor('float32', data, [...dims]) })
  const [answer] = Object.values(answers)
  if (answer instanceof ort.Tensor && answer.data instanceof Float32Array) return { data: answer.data, dims: answer.dims }
  throw new Error(`The text network with the input ${name} returned no numbers: run "models verify"`)
}

/** Fails at the start instead of with the first document. */
async function requireAnswers(networks: TextNetworks): Promise<void> {
  const blank: Grey = { width: 64, height: lineHeight, data: new Uint8Array(64 * lineHeight).fill(255) }
  await networks.detect(blank)
  await networks.recognise([blank])
  await networks.orientation(blank)
}
