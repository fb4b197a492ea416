import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { DecodedBase64 } from '../../../foundation/graphql/image-content.ts'
import { decodeBody } from '../../../rest-adapters/request/request-body.ts'

const members = { images: new Set(['selfie', 'front']), values: 20_000, lists: new Map() }
const long = (bytes = 200_001): string => randomBytes(bytes).toString('base64')

/** Decodes a body, and returns its extracted images and its value with the images restored. */
function read(text: string): { readonly images: readonly DecodedBase64[]; readonly value: unknown } {
  const body = decodeBody('application/json', Buffer.from(text), members)
  // bodies of these tests are objects
  const value = (body?.value ?? {}) as Record<string, unknown>
  const restored = body?.withImages?.(value) ?? value
  const images = [restored.selfie, restored.front].filter((member) => member instanceof DecodedBase64)
  return { images, value: JSON.parse(JSON.stringify(restored)) }
}

describe('a body with images', () => {
  it.each([
    ['two images', JSON.stringify({ selfie: long(), name: 'Awa', front: long() }), 2],
    ['lengths that need padding', JSON.stringify({ selfie: long(200_002), front: long(200_000) }), 2],
    ['no padding', JSON.stringify({ selfie: long(200_002).replace(/=+$/, '') }), 1],
    ['the URL alphabet', JSON.stringify({ selfie: randomBytes(90_000).toString('base64url') }), 1],
    ['a data URL', JSON.stringify({ selfie: `data:image/jpeg;base64,${long()}` }), 1],
    ['blanks around the colon and escapes in other strings', `{ "name" : "Ren\\u00e9e \\"x\\\\" , "selfie" :\n "${long()}" }`, 1],
    ['UTF-8 beside the image', JSON.stringify({ name: 'Ousmane Ndiáyé 🦁', selfie: long() }), 1],
    ['the same member twice', `{"selfie":"${long()}","selfie":"${long()}"}`, 1],
    ['a long string in another member', JSON.stringify({ note: long(), selfie: 'short' }), 0],
    ['the name of a member as a value', JSON.stringify({ list: ['selfie', long()] }), 0],
    ['lines in base64', JSON.stringify({ selfie: long().replace(/.{76}/g, '$&\n') }), 0],
    ['escaped slashes', JSON.stringify({ selfie: long() }).replaceAll('/', '\\/'), 0],
    ['a text that is not base64', JSON.stringify({ selfie: `${long(100_000)}!${long(100_000)}` }), 0],
    ['padding in the middle', JSON.stringify({ selfie: `${long(100_000)}${long(100_001)}` }), 0],
    ['half a byte too many', JSON.stringify({ selfie: `${long(90_000)}A` }), 0],
  ])('has the same value with %s', (_, text, count) => {
    const { images, value } = read(text)
    expect(images).toHaveLength(count)
    expect(value).toEqual(JSON.parse(text))
    for (const image of images) {
      const content = image.toJSON().replace(/^data:[^,]*,/, '')
      expect(Buffer.from(content, 'base64').equals(image.bytes)).toBe(true)
    }
  })

  it('reports an error after an image at its position in the whole text', () => {
    const text = `{"selfie":"${long()}","name":}`
    expect(() => decodeBody('application/json', Buffer.from(text), members)).toThrow(
      expect.objectContaining({ entries: [expect.objectContaining({ loc: ['body', text.length - 1] })] }),
    )
  })

  it('refuses a control character in an image as JSON does', () => {
    const text = `{"selfie":"${long()}\u0001"}`
    expect(() => decodeBody('application/json', Buffer.from(text), members)).toThrow()
  })

  it('echoes the submitted image', () => {
    const selfie = long()
    const body = decodeBody('application/json', Buffer.from(JSON.stringify({ selfie })), members)
    expect(body?.written()).toEqual(new Map([['selfie', selfie]]))
  })
})
