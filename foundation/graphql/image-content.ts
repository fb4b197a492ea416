import { GraphQLScalarType, Kind } from 'graphql'
import { InvalidInput } from '../fault.ts'

/**
 * A base64 text that was decoded where it arrived and never became a JavaScript string: an image of 200 kB costs a tenth of the time.
 * In JSON it is its text again, so it goes to a subgraph of another process like any other.
 */
export class DecodedBase64 {
  readonly #text: Buffer
  readonly bytes: Uint8Array

  /** @param text - as it came, ASCII   @param bytes - what it says */
  constructor(text: Buffer, bytes: Uint8Array) {
    this.#text = text
    this.bytes = bytes
  }

  toJSON(): string {
    return this.#text.toString('latin1')
  }
}

export type ImageContent = string | DecodedBase64

const read = (value: unknown): ImageContent => {
  if (typeof value === 'string' || value instanceof DecodedBase64) return value
  throw new InvalidInput('An ImageContent is a string')
}

export const ImageContentScalar = new GraphQLScalarType<ImageContent>({
  name: 'ImageContent',
  description: 'The bytes of an image as a string: base64, or a data URL with base64 data.',
  serialize: () => {
    throw new Error('images are not given back')
  },
  parseValue: read,
  parseLiteral: (node) => read(node.kind === Kind.STRING ? node.value : undefined),
})
