import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { DecodedBase64 } from '../../../foundation/graphql/image-content.ts'
import { decodeImage } from '../../../subgraphs/verification/submission/decode-image.ts'

const bytes = randomBytes(1000)
const text = bytes.toString('base64')

describe('a submitted image', () => {
  it.each([
    ['base64', text],
    ['without padding', text.replace(/=+$/, '')],
    ['base64url', bytes.toString('base64url')],
    ['a data URL', `data:image/jpeg;base64,${text}`],
    ['with lines and blanks', text.replace(/.{76}/g, '$&\r\n ')],
  ])('is decoded %s', (_, content) => {
    const image = decodeImage(content)
    expect('bytes' in image && Buffer.from(image.bytes).equals(bytes)).toBe(true)
  })
  it.each(['=', '====', 'A', 'AAAAA', 'AAAA!AAA', 'AA=A', 'AAAA====', 'AAAA=AAA', `${text}é`, 'data:,AAAA'])(
    '%j is not base64',
    (content) => expect(decodeImage(content)).toEqual({ problem: 'invalid_base64' }),
  )
  it.each(['', ' \n', 'data:image/png;base64,', new DecodedBase64(Buffer.alloc(0), Buffer.alloc(0))])('%j is empty', (content) =>
    expect(decodeImage(content)).toEqual({ problem: 'empty_image' }),
  )
  it('is refused when it is 5 MB of padding and a letter', () => {
    expect(decodeImage(`${'='.repeat(5 * 1024 * 1024)}A`)).toEqual({ problem: 'invalid_base64' })
  })
  it('is too large beyond 5 MB', () => {
    expect(decodeImage(Buffer.alloc(5 * 1024 * 1024).toString('base64'))).toHaveProperty('bytes')
    expect(decodeImage(Buffer.alloc(5 * 1024 * 1024 + 1).toString('base64'))).toEqual({ problem: 'image_too_large' })
  })
})
