import sharp from 'sharp'
import type { DetectedFace } from '../../../../engines/face-analyser/face-analyser.ts'

type Landmarks = DetectedFace['landmarks']
type Place = Landmarks[number]

const place = (landmarks: Landmarks, index: number): Place => landmarks[index] ?? { x: 0, y: 0 }
const between = (a: Place, b: Place): Place => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 })

/** Draws dark glasses over the eyes of a face. @param landmarks - of the face, in pixels */
export function inSunglasses(picture: Uint8Array, landmarks: Landmarks): Promise<Buffer> {
  const [right, left] = [between(place(landmarks, 36), place(landmarks, 39)), between(place(landmarks, 42), place(landmarks, 45))]
  const apart = Math.hypot(left.x - right.x, left.y - right.y)
  const lens = ({ x, y }: Place): string =>
    `<ellipse cx="${x}" cy="${y + 0.06 * apart}" rx="${0.42 * apart}" ry="${0.33 * apart}" fill="#16161c"/>`
  return drawnOver(
    picture,
    `${lens(right)}${lens(left)}<path d="M${right.x},${right.y} L${left.x},${left.y}" stroke="#16161c" stroke-width="${0.08 * apart}"/>`,
  )
}

/** Draws a mask over mouth, nose and chin of a face. @param landmarks - of the face, in pixels */
export function behindMask(picture: Uint8Array, landmarks: Landmarks): Promise<Buffer> {
  const edge = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 29].map((index) => place(landmarks, index))
  const points = edge.map(({ x, y }) => `${x},${y}`).join(' ')
  return drawnOver(picture, `<polygon points="${points}" fill="#a9cbe0" stroke="#a9cbe0" stroke-width="12" stroke-linejoin="round"/>`)
}

async function drawnOver(picture: Uint8Array, shapes: string): Promise<Buffer> {
  const { width, height } = await sharp(picture).metadata()
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${shapes}</svg>`
  return sharp(picture)
    .composite([{ input: Buffer.from(drawing) }])
    .jpeg({ quality: 92 })
    .toBuffer()
}
