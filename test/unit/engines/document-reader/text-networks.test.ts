import { describe, expect, it } from 'vitest'
import { smallestRectangle } from '../../../../engines/document-reader/page/rectangle.ts'
import { decoderOf } from '../../../../engines/document-reader/text-networks/ctc-decoding.ts'
import { regionsOf } from '../../../../engines/document-reader/text-networks/differentiable-binarisation.ts'
import { wordsOf } from '../../../../engines/document-reader/text-networks/line-words.ts'
import { networkZone } from '../../../../engines/document-reader/text-networks/network-zone.ts'
import { classesOf, isSupported, withClasses } from '../../../../engines/document-reader/text-networks/supported-characters.ts'
import { OnnxGraph } from '../../../../engines/inference/onnx-writer.ts'

const alphabet = ['', ...'OMA0<éI', ' ']
const decode = decoderOf(alphabet)

/** Returns scores of steps: each step's classes by their character, blank where the step has no entry. */
function steps(...classesOfSteps: readonly Readonly<Record<string, number>>[]) {
  const scores = Float32Array.from(
    classesOfSteps.flatMap((step) => alphabet.map((character) => step[character] ?? (character === '' ? 0.05 : 0))),
  )
  return { scores, count: classesOfSteps.length }
}

const textOf = (line: readonly { readonly text: string }[]): string => line.map(({ text }) => text).join('')

describe('decoding the output of a text network', () => {
  it('merges repeated steps of a character unless a blank separates them', () => {
    const { print } = decode(steps({ M: 0.9 }, { M: 0.8 }, {}, { M: 0.7 }, { é: 0.9 }))
    expect(textOf(print)).toBe('MMé')
    expect(print.map(({ at }) => at)).toEqual([0.2, 0.7, 0.9])
    expect(print[0]?.confidence).toBeCloseTo(0.9)
  })

  it('limits a zone to its alphabet, and scores each cell as a letter and as a digit', () => {
    const { print, zone } = decode(steps({ é: 0.9, A: 0.08 }, { O: 0.6, '0': 0.4 }))
    expect(textOf(print)).toBe('éO')
    expect(textOf(zone)).toBe('AO')
    expect(zone[1]?.digit).toEqual({ text: '0', confidence: expect.closeTo(0.4) })
  })
})

describe('the characters retained from a network', () => {
  it('are those of documents in Latin script and of machine-readable zones', () => {
    const classes = classesOf('<\n西\nÉ\nа\n７\n7\n’\n🛅')
    expect(classes).toEqual(['', '<', '西', 'É', 'а', '７', '7', '’', '🛅', ' '])
    expect(classes.filter(isSupported)).toEqual(['', '<', 'É', '7', '’', ' '])
  })

  /** Returns a graph with three input features and a score for each of four classes. */
  function lastLayer(): { model: Uint8Array; weights: Float32Array } {
    const weights = Float32Array.from({ length: 12 }, (_, at) => at)
    const graph = new OnnxGraph()
    const features = graph.input('x', 'float32', [1, 3])
    const weighed = graph.operator('MatMul', [features, graph.floats(weights, [3, 4])])
    graph.operator('Add', [weighed, graph.floats([0.5, 0.25, 0.125, 0])], {}, 'scores')
    graph.output('scores', [1, 4])
    return { model: graph.toModel('tiny'), weights }
  }

  it('select the columns of its last layer', () => {
    const { model } = lastLayer()
    const reduced = Buffer.from(withClasses(model, 4, [0, 3]))
    expect(reduced.includes(Buffer.from(Float32Array.of(0, 3, 4, 7, 8, 11).buffer))).toBe(true)
    expect(reduced.includes(Buffer.from(Float32Array.of(0.5, 0).buffer))).toBe(true)
    expect(reduced.length).toBeLessThan(model.length)
  })

  it('cannot be selected in a model that is not such a network', () => {
    const { model } = lastLayer()
    expect(() => withClasses(model, 5, [0])).toThrow('does not distinguish 5 characters')
    expect(() => withClasses(model.subarray(0, 60), 4, [0])).toThrow(/truncated|not an ONNX file/)
    expect(() => withClasses(Buffer.from('<html>Not found</html>'), 4, [0])).toThrow(/truncated|not an ONNX file|distinguish/)
  })
})

describe('regions of text', () => {
  const map = (width: number, height: number, isText: (x: number, y: number) => boolean) => {
    const data = Float32Array.from({ length: width * height }, (_, at) => (isText(at % width, Math.floor(at / width)) ? 0.9 : 0))
    return { width, height, data }
  }

  it('are the spots of a detector, grown to the height of their letters', () => {
    const [region, ...others] = regionsOf(
      map(200, 60, (x, y) => x >= 20 && x < 120 && y >= 20 && y < 30),
      { x: 2, y: 2 },
    )
    expect(others).toEqual([])
    expect(region).toMatchObject({ centre: { x: 140, y: 50 }, angle: 0, confidence: expect.closeTo(0.9) })
    // area over circumference: 1000 / 220, by 1.4, at both sides
    expect(region?.height).toBeCloseTo(2 * (10 + (2 * 1.4 * 1000) / 220))
  })

  it('are rotated with their text', () => {
    const slope = Math.tan((20 * Math.PI) / 180)
    const [region] = regionsOf(
      map(200, 120, (x, y) => x >= 20 && x < 160 && Math.abs(y - 30 - (x - 20) * slope) < 6),
      { x: 1, y: 1 },
    )
    expect(((region?.angle ?? 0) * 180) / Math.PI).toBeCloseTo(20, 0)
  })

  it('are absent where the detector is unsure or marks a speck', () => {
    const faint = { ...map(60, 60, () => false), data: new Float32Array(3600).fill(0.3) }
    expect(regionsOf(faint, { x: 1, y: 1 })).toEqual([])
    expect(
      regionsOf(
        map(60, 60, (x, y) => x === 30 && y === 30),
        { x: 1, y: 1 },
      ),
    ).toEqual([])
  })

  it('have no rectangle when all points lie on one line', () => {
    expect(smallestRectangle([0, 1, 2, 3].map((x) => ({ x, y: x })))).toBeUndefined()
  })
})

const lineOf = (text: string) =>
  [...text].map((character, at) => ({
    text: character,
    confidence: 0.9,
    at: (at + 0.5) / text.length,
    letter: { text: character === '0' ? 'O' : character, confidence: 0.3 },
    digit: { text: character === 'O' ? '0' : character, confidence: 0.2 },
  }))

describe('words of a line', () => {
  const region = { centre: { x: 100, y: 20 }, width: 200, height: 20, angle: 0 }

  it('end at blanks, and at gaps without a blank', () => {
    expect(wordsOf(lineOf('NOM M'), region).map(({ text }) => text)).toEqual(['NOM', 'M'])
    const apart = lineOf('SEXEM').map((character, at) => ({ ...character, at: at < 4 ? at * 0.05 : 0.9 }))
    expect(wordsOf(apart, region).map(({ text }) => text)).toEqual(['SEXE', 'M'])
  })

  it('lie at the position of their letters', () => {
    const [first, second] = wordsOf(lineOf('ab cde fgh'), region)
    expect(first?.box).toMatchObject({ left: expect.closeTo(0), width: expect.closeTo(40) })
    expect(second?.box.left).toBeCloseTo(60)
  })
})

describe('a zone among the lines of a page', () => {
  const at = (y: number, text: string) => {
    const line = lineOf(text)
    return { region: { centre: { x: 500, y }, width: 900, height: 30, angle: 0 }, line: { print: line, zone: line } }
  }
  const first = 'P<CMRETOUNDI<<MAMADOU<LAMINE<<<<<<<<<<<<<<<<'
  const second = 'FN81335578CMR7702093M2709248<<<<<<<<<<<<<<04'
  const textsOf = (zone: ReturnType<typeof networkZone>) => zone?.reading?.cells.map(textOf)

  it('consists of the lowest lines of equal length with fillers', () => {
    const zone = networkZone([at(100, 'PASSEPORT'), at(800, first), at(850, second)])
    expect(zone?.reading?.format.name).toBe('TD3')
    expect(textsOf(zone)).toEqual([first, second])
  })

  it('regains fillers lost in a long run, and drops surplus ones', () => {
    expect(textsOf(networkZone([at(800, first.slice(0, -2)), at(850, second.replace('M2709248', 'M2709248<<'))]))).toEqual([first, second])
  })

  it('has letters where only letters are allowed, and digits where only digits are', () => {
    const zone = networkZone([at(800, first.replace('ETOUNDI', 'ET0UNDI')), at(850, second.replace('7702093', '77O2O93'))])
    expect(textsOf(zone)).toEqual([first, second])
  })

  it('is not detected in ordinary lines of print', () => {
    expect(networkZone([at(800, 'DATE OF BIRTH: 03.08.1996     SEX: F'), at(850, 'SERIAL NUMBER: 240117733 ID NUMBER: 3')])).toBeUndefined()
    expect(networkZone([at(800, first)])).toBeUndefined()
  })
})
