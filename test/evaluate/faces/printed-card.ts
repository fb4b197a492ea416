import sharp from 'sharp'
import { generateHolder } from '../../../demonstration/documents/holder.ts'
import { drawIdentityCard } from '../../../demonstration/documents/identity-card.ts'
import type { DetectedFace } from '../../../engines/face-analyser/face-analyser.ts'

/** Position of the photograph on the drawn card, as shares of its width and height. */
const frame = { x: 3.5 / 85.6, y: 9 / 53.98, width: 24 / 85.6, height: 30.5 / 53.98 }
/** Margin of a portrait around the face, as a share of the face's width. */
const margin = 0.35
const card = drawIdentityCard(generateHolder(1)).then(({ front }) => front)

/**
 * Draws a card with a person's photograph, as a phone captures it at the distance at which the face has the given width: half grey,
 * compressed.
 * @param face - detected on the photograph   @param width - of the printed face, in pixels
 */
export async function printedCard(photograph: Uint8Array, face: DetectedFace, width: number): Promise<Uint8Array> {
  const portrait = await portraitOf(photograph, face)
  const cardWidth = Math.round((width * (1 + 2 * margin)) / frame.width)
  const cardHeight = Math.round((cardWidth * 53.98) / 85.6)
  const fitted = await sharp(portrait)
    .resize(Math.round(frame.width * cardWidth), Math.round(frame.height * cardHeight), { fit: 'cover' })
    .modulate({ saturation: 0.5 })
    .png()
    .toBuffer()
  const blank = await sharp(await card)
    .resize(cardWidth, cardHeight, { fit: 'fill' })
    .png()
    .toBuffer()
  const place = { left: Math.round(frame.x * cardWidth), top: Math.round(frame.y * cardHeight) }
  return sharp(blank)
    .composite([{ input: fitted, ...place }])
    .jpeg({ quality: 70 })
    .toBuffer()
}

/** Head and shoulders, limited by the photograph. */
export async function portraitOf(photograph: Uint8Array, { box }: DetectedFace): Promise<Buffer> {
  const { width = 1, height = 1 } = await sharp(photograph).metadata()
  const left = Math.max(0, Math.round(box.x - margin * box.width))
  const right = Math.min(width, Math.round(box.x + (1 + margin) * box.width))
  const tall = Math.min(height, Math.round((right - left) * 1.27))
  const top = Math.min(height - tall, Math.max(0, Math.round(box.y + box.height / 2 - tall / 2)))
  return sharp(photograph)
    .extract({ left, top, width: right - left, height: tall })
    .png()
    .toBuffer()
}
