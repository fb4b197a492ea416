import { type Grey, sample } from '../page/pixels.ts'
import type { Rectangle } from '../page/rectangle.ts'

/** Cuts a line out, level. */
export function cutLine(page: Grey, { centre, width: wide, height: high, angle }: Rectangle): Grey {
  const [width, height] = [Math.max(1, Math.round(wide)), Math.max(1, Math.round(high))]
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const data = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) {
    const down = y + 0.5 - height / 2
    for (let x = 0; x < width; x++) {
      const along = x + 0.5 - width / 2
      data[y * width + x] = sample(page, centre.x + along * cos - down * sin - 0.5, centre.y + along * sin + down * cos - 0.5)
    }
  }
  return { width, height, data }
}
