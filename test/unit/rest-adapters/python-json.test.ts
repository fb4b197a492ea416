import { describe, expect, it } from 'vitest'
import { echoOf } from '../../../rest-adapters/json/echo.ts'
import {
  JsonSyntaxError,
  JsonTooExtreme,
  maxNested,
  parsePythonJson,
  plainJson,
  TooManyValues,
} from '../../../rest-adapters/json/python-json.ts'

const errorIn = (text: string): unknown => {
  try {
    parsePythonJson(text)
  } catch (error) {
    if (error instanceof JsonSyntaxError) return [error.position, error.message]
    throw error
  }
  return undefined
}
const echo = (text: string): string | undefined => echoOf(parsePythonJson(text), 1_000_000)

describe('JSON as CPython reads it', () => {
  // each row was verified with the json module of CPython 3.11 and 3.12
  it.each([
    ['', 0, 'Expecting value'],
    ['  ', 2, 'Expecting value'],
    ['{', 1, 'Expecting property name enclosed in double quotes'],
    ['{,}', 1, 'Expecting property name enclosed in double quotes'],
    ["{'a': 1}", 1, 'Expecting property name enclosed in double quotes'],
    ['{"a"}', 4, "Expecting ':' delimiter"],
    ['{"a" 1}', 5, "Expecting ':' delimiter"],
    ['{"a":}', 5, 'Expecting value'],
    ['{"a":1', 6, "Expecting ',' delimiter"],
    ['{"a":1 "b"', 7, "Expecting ',' delimiter"],
    ['{"a":1,', 7, 'Expecting property name enclosed in double quotes'],
    ['[1,]', 3, 'Expecting value'],
    ['[1 2]', 3, "Expecting ',' delimiter"],
    ['[', 1, 'Expecting value'],
    ['1 1', 2, 'Extra data'],
    ['01', 1, 'Extra data'],
    ['1.', 1, 'Extra data'],
    ['1e+', 1, 'Extra data'],
    ['-', 0, 'Expecting value'],
    ['+1', 0, 'Expecting value'],
    ['nul', 0, 'Expecting value'],
    ['-Inf', 0, 'Expecting value'],
    ['"a', 0, 'Unterminated string starting at'],
    ['["a\\', 1, 'Unterminated string starting at'],
    ['"a\tb"', 2, 'Invalid control character at'],
    ['"a\\x"', 2, 'Invalid \\escape'],
    ['"a\\u12"', 3, 'Invalid \\uXXXX escape'],
    ['"\\u0041', 2, 'Invalid \\uXXXX escape'],
    ['"\\ud83d\\u12"', 8, 'Invalid \\uXXXX escape'],
    ['["😀",]', 5, 'Expecting value'],
    ['\u00a01', 0, 'Expecting value'],
  ])('finds the error of %j at code point %i: %s', (text, position, sentence) => {
    expect(errorIn(text)).toEqual([position, sentence])
  })

  it.each(['NaN', ' [Infinity, -Infinity]\r\n', '{"a": 1E+2, "b": -0.5e-7}', '"\\ud800 \\u00e9 \\/"', '{"a":1,"a":{}}'])(
    'reads %j',
    (text) => {
      expect(errorIn(text)).toBeUndefined()
    },
  )

  it('reads what JSON.parse reads, with the same result', () => {
    const texts = [
      'null',
      '[true,false,null]',
      '{"b":[1.5,{"a":"\\"\\\\\\n"}],"1":"x","__proto__":{"a":1}}',
      '[[],{},"",0,-0,1e3,"\\ud83d\\ude00"]',
    ]
    for (const text of texts) expect(plainJson(parsePythonJson(text))).toEqual(JSON.parse(text))
  })

  it('refuses nesting and integers beyond the limits of CPython', () => {
    expect(() => parsePythonJson(`${'['.repeat(maxNested + 1)}${']'.repeat(maxNested + 1)}`)).toThrow(JsonTooExtreme)
    expect(() => parsePythonJson('{"a":'.repeat(200_000))).toThrow(JsonTooExtreme)
    expect(() => parsePythonJson(`[-${'7'.repeat(4301)}]`)).toThrow(JsonTooExtreme)
    expect(errorIn(`[-${'7'.repeat(4300)}, ${'7'.repeat(5000)}.5, ${'7'.repeat(5000)}e1]`)).toBeUndefined()
  })

  it('keeps at most as many values as an echo may have, and still finds later errors', () => {
    const many = `[${'1,'.repeat(600_000)}1`
    expect(() => parsePythonJson(`${many}]`)).toThrow(TooManyValues)
    expect(errorIn(many)).toEqual([many.length, "Expecting ',' delimiter"])
  })
})

describe('the echo of a refused value', () => {
  it.each([
    ['1.0', '1.0'],
    ['1.50E3', '1.50E3'],
    ['123456789012345678901234567890', '123456789012345678901234567890'],
    ['-0', '0'],
    ['-0.0', '-0.0'],
    ['[NaN,Infinity,-Infinity,1e999]', '[null,null,null,null]'],
    [`1${'0'.repeat(400)}`, `1${'0'.repeat(400)}`],
    ['"\\ud800x"', '"\ufffdx"'],
    ['"\\u0000"', '"\\u0000"'],
    ['{"b":1,"1":2,"a":{},"c":[]}', '{"b":1,"1":2,"a":{},"c":[]}'],
    ['{"a":1,"b":2,"a":3}', '{"a":3,"b":2}'],
  ])('of %s is %s', (text, expected) => expect(echo(text)).toBe(expected))

  it('cuts strings over 1,024 characters to 32, at any depth, names included, and counts code points', () => {
    expect(echo(JSON.stringify('x'.repeat(1024)))).toHaveLength(1026)
    expect(echo(JSON.stringify('x'.repeat(1025)))).toBe(`"${'x'.repeat(32)}..."`)
    expect(echo(JSON.stringify('😀'.repeat(1024)))).toBe(`"${'😀'.repeat(1024)}"`)
    expect(echo(JSON.stringify('😀'.repeat(1025)))).toBe(`"${'😀'.repeat(32)}..."`)
    expect(echo(JSON.stringify([{ ['k'.repeat(2000)]: ['v'.repeat(2000)] }]))).toBe(`[{"${'k'.repeat(32)}...":["${'v'.repeat(32)}..."]}]`)
  })

  it('is omitted when it would be too long', () => {
    expect(echoOf(parsePythonJson('[1,2,3]'), 6)).toBeUndefined()
    expect(echoOf(parsePythonJson('[1,2,3]'), 7)).toBe('[1,2,3]')
  })
})
