import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { capture, type DamageLevel, damage } from '../../../demonstration/capture/capture.ts'
import { generateHolder } from '../../../demonstration/documents/holder.ts'
import { drawIdentityCard } from '../../../demonstration/documents/identity-card.ts'
import { drawPassport } from '../../../demonstration/documents/passport.ts'
import { differentPersons, drawFace, drawGroup } from '../../../demonstration/documents/selfie.ts'
import { type DetectedFace, faceDistance } from '../../../engines/face-analyser/face-analyser.ts'
import { onnxFaceAnalyser } from '../../../engines/face-analyser/onnx-face-analyser.ts'
import { InvalidImage } from '../../../engines/inference/images/invalid-image.ts'
import { silentLog } from '../../../foundation/log.ts'
import { defaultThresholds } from '../../../subgraphs/verification/checks/thresholds.ts'
import { behindMask, inSunglasses } from '../../support/samples/faces/covered-face.ts'

const analyser = onnxFaceAnalyser({ threads: 1, executionProviders: ['cpu'], log: silentLog })
/** The thresholds of verification between one person and two. */
const { faceSame, faceOther } = defaultThresholds
const never = new AbortController().signal

beforeAll(() => analyser.start(AbortSignal.timeout(60_000)))
afterAll(() => analyser.stop())

async function onlyFace(image: Uint8Array, kind: 'selfie' | 'document'): Promise<DetectedFace> {
  const { faces } = await analyser.analyse(image, kind, never)
  expect(faces).toHaveLength(1)
  const [face] = faces
  if (face === undefined) throw new Error('no face')
  return face
}

async function problemOf(image: Uint8Array): Promise<string> {
  const thrown = await analyser.analyse(image, 'document', never).catch((error: unknown) => error)
  expect(thrown).toBeInstanceOf(InvalidImage)
  return thrown instanceof InvalidImage ? thrown.problem : ''
}

describe('faces of drawn persons', () => {
  const selfies = new Map<number, DetectedFace>()
  beforeAll(async () => {
    for (const seed of differentPersons) selfies.set(seed, await onlyFace(await drawFace(seed), 'selfie'))
  })
  const selfie = (seed: number): DetectedFace => selfies.get(seed) ?? expect.fail(`no selfie of ${seed}`)
  const others = (seed: number): readonly number[] => differentPersons.filter((other) => other !== seed)

  it('have a descriptor of 128 numbers and measurements', () => {
    const { descriptor, ...face } = selfie(5)
    expect(descriptor).toHaveLength(128)
    expect(face).toMatchObject({ turn: 0 })
    expect(face.box.x).toBeGreaterThan(100)
    expect(face.box.x + face.box.width).toBeLessThan(500)
    expect(face.sharpness).toBeGreaterThan(250)
    expect(face.brightness).toBeGreaterThan(60)
    expect(Math.abs(face.pose.roll)).toBeLessThan(5)
    expect(Math.abs(face.pose.yaw)).toBeLessThan(0.2)
  })

  it('are different persons beyond the reject threshold', () => {
    for (const seed of differentPersons) {
      for (const other of others(seed)) {
        expect(faceDistance(selfie(seed).descriptor, selfie(other).descriptor)).toBeGreaterThan(faceOther)
      }
    }
  })

  it.each([
    { name: 'lit from the other side', look: { light: 0.65 } },
    { name: 'at half the light', look: { brightness: 0.5 } },
    { name: 'with the head tilted', look: { rotate: -8 } },
    { name: 'noisy', look: { noise: 40 } },
    { name: 'blurred', look: { blur: 2 } },
    { name: 'in a poor JPEG', look: { jpegQuality: 40 } },
    { name: 'in black and white', look: { grey: true } },
    { name: 'small', look: { scale: 0.35 } },
  ])('are the same person $name', async ({ look }) => {
    for (const seed of differentPersons) {
      const face = await onlyFace(await drawFace(seed, look), 'selfie')
      expect(faceDistance(face.descriptor, selfie(seed).descriptor)).toBeLessThan(faceSame)
      for (const other of others(seed)) {
        expect(faceDistance(face.descriptor, selfie(other).descriptor)).toBeGreaterThan(faceSame)
      }
    }
  })

  it.each<{ document: string; level: DamageLevel }>(
    ['card', 'French card', 'passport'].flatMap((document) =>
      (['clean', 'scan', 'photo', 'bad'] as const).map((level) => ({ document, level })),
    ),
  )('match on a $document ($level), and no other person does', async ({ document, level }) => {
    for (const seed of differentPersons) {
      const face = await onlyFace(await damage(await draw(document, seed), level), 'document')
      expect(faceDistance(face.descriptor, selfie(seed).descriptor)).toBeLessThan(faceSame)
      // a bad capture of another person may go to review, but is never accepted
      const line = level === 'bad' ? faceSame : faceOther
      for (const other of others(seed)) {
        expect(faceDistance(face.descriptor, selfie(other).descriptor)).toBeGreaterThan(line)
      }
    }
  })

  it('are detected on a small card in a large page', async () => {
    const page = await capture(await draw('card', 5), { margin: 900, background: '#ffffff', scale: 0.5 })
    const face = await onlyFace(page, 'document')
    expect(faceDistance(face.descriptor, selfie(5).descriptor)).toBeLessThan(faceSame)
  })

  it.each([90, 180, 270])('are detected on a card turned by %i degrees, with the correcting rotation', async (rotate) => {
    const { height, width } = await sharp(await draw('card', 5)).metadata()
    const face = await onlyFace(await capture(await draw('card', 5), { rotate }), 'document')
    expect(face.turn).toBe(360 - rotate)
    expect(faceDistance(face.descriptor, selfie(5).descriptor)).toBeLessThan(faceSame)
    const centre = { x: face.box.x + face.box.width / 2, y: face.box.y + face.box.height / 2 }
    if (rotate === 180) expect(centre.x).toBeGreaterThan(width * 0.6)
    else if (rotate === 90) expect(centre.y).toBeLessThan(width * 0.4)
    else expect(centre.y).toBeGreaterThan(width * 0.6)
    expect(height).toBeLessThan(width)
  })

  it('are all detected in a picture of several persons', async () => {
    const { faces } = await analyser.analyse(await drawGroup([5, 23]), 'selfie', never)
    expect(faces).toHaveLength(2)
  })

  it('are not detected on a picture without faces', async () => {
    const { back } = await drawIdentityCard(generateHolder(5))
    expect(await analyser.analyse(back, 'document', never)).toMatchObject({ format: 'png', faces: [] })
  })

  it('measure as covered with drawn sunglasses and behind a drawn mask, and not without them', async () => {
    const { eyesCovered, mouthCovered } = defaultThresholds
    for (const seed of differentPersons) {
      const { covering, landmarks } = selfie(seed)
      expect(covering.eyes).toBeLessThan(eyesCovered)
      expect(covering.mouth).toBeLessThan(mouthCovered)
      const shaded = await onlyFace(await inSunglasses(await drawFace(seed), landmarks), 'selfie')
      expect(shaded.covering.eyes).toBeGreaterThan(eyesCovered)
      const masked = await onlyFace(await behindMask(await drawFace(seed), landmarks), 'selfie')
      expect(masked.covering.mouth).toBeGreaterThan(mouthCovered)
    }
  })

  it('have the same apparent age in any light, above that of a small child', async () => {
    for (const seed of differentPersons) {
      const dim = await onlyFace(await drawFace(seed, { brightness: 0.6 }), 'selfie')
      expect(Math.abs(dim.apparentAge - selfie(seed).apparentAge)).toBeLessThan(5)
      expect(dim.apparentAge).toBeGreaterThan(defaultThresholds.childFace)
    }
  })

  it.each([90, 180, 270])('are detected upright on a selfie taken at %i degrees', async (rotate) => {
    for (const seed of differentPersons) {
      const face = await onlyFace(await capture(await drawFace(seed), { rotate }), 'selfie')
      expect(face.turn).toBe(360 - rotate)
      expect(faceDistance(face.descriptor, selfie(seed).descriptor)).toBeLessThan(faceSame)
    }
  })

  it('measure darker and softer in a dark or blurred picture', async () => {
    const dark = await onlyFace(await drawFace(5, { brightness: 0.3 }), 'selfie')
    expect(dark.brightness).toBeLessThan(60)
    const soft = await onlyFace(await drawFace(5, { blur: 4 }), 'selfie')
    expect(soft.sharpness).toBeLessThan(100)
  })
})

describe('images', () => {
  it('are rotated by their EXIF orientation', async () => {
    const sideways = await sharp(await drawFace(5))
      .rotate(270)
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    const { width, height, faces } = await analyser.analyse(sideways, 'selfie', never)
    expect({ width, height }).toEqual({ width: 600, height: 720 })
    expect(faces.map((face) => face.turn)).toEqual([0])
  })

  it.each([
    { name: 'CMYK', make: (face: Buffer) => sharp(face).toColourspace('cmyk').jpeg().toBuffer() },
    { name: '16 bits', make: (face: Buffer) => sharp(face).toColourspace('rgb16').png().toBuffer() },
    { name: 'grey', make: (face: Buffer) => sharp(face).grayscale().toColourspace('b-w').png().toBuffer() },
    { name: 'transparency', make: (face: Buffer) => sharp(face).ensureAlpha(0.9).png().toBuffer() },
    { name: 'a palette', make: (face: Buffer) => sharp(face).png({ palette: true }).toBuffer() },
    { name: 'WebP', make: (face: Buffer) => sharp(face).webp().toBuffer() },
    { name: 'progressive JPEG', make: (face: Buffer) => sharp(face).jpeg({ progressive: true }).toBuffer() },
  ])('with $name contain a detected face', async ({ make }) => {
    await onlyFace(await make(await drawFace(23)), 'selfie')
  })

  it('of 40 megapixels are analysed, with boxes in the submitted pixels', async () => {
    const large = await sharp(await drawFace(5))
      .resize(5700, 6840)
      .jpeg({ quality: 60 })
      .toBuffer()
    const { width, height, faces } = await analyser.analyse(large, 'selfie', never)
    expect({ width, height }).toEqual({ width: 5700, height: 6840 })
    expect(faces[0]?.box.width).toBeGreaterThan(2000)
  })

  it.each([
    { name: 'empty', bytes: Buffer.alloc(0), problem: 'not_an_image' },
    { name: 'text', bytes: Buffer.from('no image at all'), problem: 'not_an_image' },
    { name: 'a page named as an image', bytes: Buffer.from('<!doctype html><img src="file:///etc/passwd">'), problem: 'not_an_image' },
    {
      name: 'a drawing that names other files',
      bytes: Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>'),
      problem: 'unsupported_format',
    },
    { name: 'a GIF', bytes: Buffer.from('GIF89a\x01\0\x01\0'), problem: 'unsupported_format' },
    { name: 'a PDF', bytes: Buffer.from('%PDF-1.7'), problem: 'unsupported_format' },
    { name: 'a head without a body', bytes: Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), problem: 'truncated' },
    {
      name: 'over 5 MB',
      bytes: Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(5 * 1024 * 1024)]),
      problem: 'image_too_large',
    },
  ])('are refused when they are $name', async ({ bytes, problem }) => {
    expect(await problemOf(bytes)).toBe(problem)
  })

  it('are refused below 80 pixels and above 40 megapixels, whatever the file size', async () => {
    const blank = (width: number, height: number) =>
      sharp({ create: { width, height, channels: 3, background: '#fff' }, limitInputPixels: false })
        .png()
        .toBuffer()
    expect(await problemOf(await blank(600, 79))).toBe('image_too_small')
    const bomb = await blank(10_000, 10_000)
    expect(bomb.length).toBeLessThan(1_000_000)
    expect(await problemOf(bomb)).toBe('image_too_large')
  })

  it('are refused above 9 megapixels if they are frames, of which a job has many', async () => {
    const film = await sharp({ create: { width: 3001, height: 3000, channels: 3, background: '#fff' } })
      .jpeg()
      .toBuffer()
    await expect(analyser.analyse(film, 'frame', never)).rejects.toMatchObject({ problem: 'image_too_large' })
    expect((await analyser.analyse(film, 'selfie', never)).faces).toEqual([])
  })

  it.each(['jpeg', 'png', 'webp'] as const)('are refused when a %s is truncated at any position', async (format) => {
    const intact = await sharp(await drawFace(5))
      .toFormat(format)
      .toBuffer()
    for (const share of [0.01, 0.3, 0.6, 0.95]) {
      expect(await problemOf(intact.subarray(0, Math.floor(intact.length * share)))).toBe('truncated')
    }
  })

  it('are refused when they are complete but damaged', async () => {
    const intact = await sharp(await drawFace(5))
      .png()
      .toBuffer()
    const damaged = Buffer.from(intact)
    damaged.fill(0x55, Math.floor(intact.length / 2), Math.floor(intact.length / 2) + 200)
    expect(await problemOf(damaged)).toBe('damaged_image')
  })

  it('are refused when they are animated', async () => {
    const frames = await Promise.all([5, 23].map((seed) => drawFace(seed, { scale: 0.3 })))
    const animation = await sharp(frames, { join: { animated: true } })
      .webp()
      .toBuffer()
    expect(await problemOf(animation)).toBe('animated_image')
    const still = await sharp(frames[0]).png().toBuffer()
    const control = Buffer.from([0, 0, 0, 8, ...Buffer.from('acTL'), 0, 0, 0, 2, 0, 0, 0, 0, 0xf3, 0x8d, 0x93, 0x70])
    expect(await problemOf(Buffer.concat([still.subarray(0, 33), control, still.subarray(33)]))).toBe('animated_image')
  })
})

describe('the face analyser', () => {
  it('names its models and their versions', () => {
    expect(analyser.versions.face_detector).toMatch(/face-api \d+\.\d+/)
    expect(analyser.versions.face_runtime).toMatch(/^onnxruntime \d+/)
  })

  it('does not block the event loop', async () => {
    const image = await drawFace(5)
    const waits: number[] = []
    let over = false
    const work = analyser.analyse(image, 'selfie', never).finally(() => {
      over = true
    })
    while (!over) {
      const from = performance.now()
      await new Promise((resolve) => setTimeout(resolve, 2))
      waits.push(performance.now() - from)
    }
    await work
    expect(waits.length).toBeGreaterThan(5)
  })

  it('is aborted at once by its caller, and continues with the next image', async () => {
    const image = await drawFace(5)
    const caller = new AbortController()
    const aborted = analyser.analyse(image, 'document', caller.signal)
    setTimeout(() => caller.abort(new Error('the client disconnected')), 20)
    await expect(aborted).rejects.toThrow('the client disconnected')
    await expect(analyser.analyse(image, 'selfie', AbortSignal.abort(new Error('too late')))).rejects.toThrow('too late')
    await onlyFace(image, 'selfie')
  })

  it('refuses work before its start and after its stop', async () => {
    const other = onnxFaceAnalyser({ threads: 1, executionProviders: ['cpu'], log: silentLog })
    const image = await drawFace(5)
    await expect(other.analyse(image, 'selfie', never)).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' })
    await other.start(never)
    const pending = other.analyse(image, 'selfie', never)
    const refused = expect(pending).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' })
    await other.stop()
    await refused
    await expect(other.analyse(image, 'selfie', never)).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' })
  })

  it('is unavailable when its models cannot be loaded', async () => {
    const broken = onnxFaceAnalyser({ threads: 1, executionProviders: ['no such provider'], log: silentLog })
    await broken.start(never)
    await expect(broken.analyse(await drawFace(5), 'selfie', never)).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' })
    await broken.stop()
  })

  it.each(['stop', 'exit'])('lets the process end cleanly during its work (%s)', async (way) => {
    const script = fileURLToPath(new URL('../../support/processes/end-while-analysing.ts', import.meta.url))
    const child = spawn(process.execPath, [script, way], { stdio: ['pipe', 'ignore', 'pipe'] })
    child.stdin.end(await drawFace(5))
    const complaints: Buffer[] = []
    child.stderr.on('data', (chunk: Buffer) => complaints.push(chunk))
    const ended = await new Promise<unknown>((resolve) => child.once('close', (code, signal) => resolve({ code, signal })))
    expect({ ended, complaints: Buffer.concat(complaints).toString() }).toEqual({ ended: { code: 7, signal: null }, complaints: '' })
  })
})

async function draw(document: string, seed: number): Promise<Buffer> {
  if (document === 'passport') return drawPassport(generateHolder(seed))
  if (document === 'card') return (await drawIdentityCard(generateHolder(seed))).front
  const holder = generateHolder(seed, { documentNumber: '970675C00123', nationality: 'FRA', issuingCountry: 'FRA' })
  return (await drawIdentityCard(holder, { layout: 'french' })).front
}
