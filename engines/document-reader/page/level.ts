import type { Box } from '../document-reader.ts'
import { type Grey, quarterTurn, rotate, rotatedSize } from './pixels.ts'

/** A page with level lines, and the mapping back to the picture. */
export interface Level {
  /** computed on first use */
  readonly page: Grey
  /** of the page */
  readonly width: number
  readonly height: number
  readonly picture: Grey
  readonly turn: 0 | 90 | 180 | 270
  readonly degrees: number
}

export function levelled(picture: Grey, turn: Level['turn'], degrees: number): Level {
  const size = turn === 90 || turn === 270 ? { width: picture.height, height: picture.width } : picture
  let page: Grey | undefined
  return {
    ...rotatedSize(size, degrees),
    picture,
    turn,
    degrees,
    get page() {
      page ??= rotate(quarterTurn(picture, turn), degrees)
      return page
    },
  }
}

export const turned = ({ picture, turn, degrees }: Level, by: 90 | 180 | 270): Level =>
  levelled(picture, ((turn + by) % 360) as Level['turn'], degrees)

/** Whether a measured direction is unusual: most pictures are nearly level. */
export const isDoubtful = ({ turn, degrees }: Pick<Level, 'turn' | 'degrees'>): boolean => turn !== 0 || Math.abs(degrees) > 2

/** Counts the sides of the picture that cut text off. */
export function cutSides(level: Level, boxes: readonly Box[]): number {
  const { width, height } = turnedSize(level)
  const cut = { left: false, top: false, right: false, bottom: false }
  for (const { left, top, width: wide, height: high } of boxes) {
    const near = Math.max(2, high * 0.12)
    for (const [x, y] of [
      [left, top + high / 2],
      [left + wide, top + high / 2],
      [left + wide / 2, top],
      [left + wide / 2, top + high],
    ] as const) {
      const at = inPicture(level, x, y)
      if (at.x < near) cut.left = true
      if (at.y < near) cut.top = true
      if (at.x > width - near) cut.right = true
      if (at.y > height - near) cut.bottom = true
    }
  }
  return Object.values(cut).filter(Boolean).length
}

const turnedSize = ({ picture, turn }: Level): { width: number; height: number } =>
  turn === 90 || turn === 270 ? { width: picture.height, height: picture.width } : picture

/** Maps a point of the level page to the picture, except for quarter turns. */
function inPicture(level: Level, x: number, y: number): { x: number; y: number } {
  const { width, height } = turnedSize(level)
  if (level.width === width && level.height === height) return { x, y }
  const angle = (level.degrees * Math.PI) / 180
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)]
  const [dx, dy] = [x - level.width / 2, y - level.height / 2]
  return { x: width / 2 + dx * cos + dy * sin, y: height / 2 - dx * sin + dy * cos }
}
