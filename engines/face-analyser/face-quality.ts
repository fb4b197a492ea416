import type { FacePose, FaceQuality } from './face-analyser.ts'
import type { Point } from './face-chip.ts'
import { chipSize } from './networks/face-descriptor-graph.ts'

const inset = 30

export function faceQuality(chip: Uint8Array): FaceQuality {
  const grey = new Float32Array(chipSize * chipSize)
  for (let pixel = 0; pixel < grey.length; pixel++) grey[pixel] = luma(chip, pixel * 3)
  const at = (x: number, y: number): number => grey[y * chipSize + x] ?? 0
  let edges = 0
  let edgesSquared = 0
  let brightness = 0
  let dark = 0
  let bright = 0
  const levels: number[] = []
  for (let y = inset; y < chipSize - inset; y++) {
    for (let x = inset; x < chipSize - inset; x++) {
      const here = at(x, y)
      const edge = 4 * here - at(x - 1, y) - at(x + 1, y) - at(x, y - 1) - at(x, y + 1)
      edges += edge
      edgesSquared += edge * edge
      brightness += here
      levels.push(here)
      if (here < 20) dark += 1
      if (here > 240) bright += 1
    }
  }
  const count = (chipSize - 2 * inset) ** 2
  return {
    sharpness: edgesSquared / count - (edges / count) ** 2,
    brightness: brightness / count,
    highlight: Float32Array.from(levels).sort()[Math.floor(count * 0.98)] ?? 0,
    shareDark: dark / count,
    shareBright: bright / count,
  }
}

/** ITU-R BT.601 */
function luma(chip: Uint8Array, at: number): number {
  return 0.299 * (chip[at] ?? 0) + 0.587 * (chip[at + 1] ?? 0) + 0.114 * (chip[at + 2] ?? 0)
}

export function facePose(landmarks: readonly Point[]): FacePose {
  const [left, right, nose] = [36, 45, 33].map((index) => landmarks[index] ?? { x: 0, y: 0 })
  if (left === undefined || right === undefined || nose === undefined) return { roll: 0, yaw: 0 }
  const [dx, dy] = [right.x - left.x, right.y - left.y]
  const along = ((nose.x - left.x) * dx + (nose.y - left.y) * dy) / Math.max(1, dx * dx + dy * dy)
  return { roll: (Math.atan2(dy, dx) * 180) / Math.PI, yaw: Math.max(-1, Math.min(1, 2 * along - 1)) }
}
