import type { Map as MapLibre } from 'maplibre-gl'

/** how programs that draw in place of a graphics card name themselves */
const software = /swiftshader|llvmpipe|software|basic render/i
/** pixels drawn in a row for each of the page */
const atRest = (): number => Math.min(1, devicePixelRatio)
const moving = 0.5
/** no movement follows another one within that */
const restMs = 150

/** Whether no graphics card draws here: then each pixel costs time, whatever is on the map. */
export function isDrawnBySoftware(): boolean {
  const context = document.createElement('canvas').getContext('webgl2')
  if (context === null) return false
  const renderer = context.getExtension('WEBGL_debug_renderer_info')?.UNMASKED_RENDERER_WEBGL ?? context.RENDERER
  const name = String(context.getParameter(renderer))
  context.getExtension('WEBGL_lose_context')?.loseContext()
  return software.test(name)
}

/**
 * Draws a map with few pixels: those of the page when it rests, a quarter of them while it moves, and never those of a sky, which no map has
 * that is seen from above (MapLibre colours each pixel with it all the same: two fifths of the time of a frame).
 */
export function drawWithFewPixels(map: MapLibre): void {
  map.painter.drawFunctions = { ...map.painter.drawFunctions, sky: () => {} }
  const draw = (ratio: number): void => {
    if (map.getPixelRatio() === ratio || map.painter.context.gl.isContextLost()) return
    // setPixelRatio() would do the same and end the movement
    map._overridePixelRatio = ratio
    map._resizeInternal()
    map.triggerRepaint()
  }
  let rest: ReturnType<typeof setTimeout> | undefined
  map.on('movestart', () => {
    clearTimeout(rest)
    draw(moving)
  })
  map.on('moveend', () => {
    clearTimeout(rest)
    rest = setTimeout(() => draw(atRest()), restMs)
  })
  map.on('remove', () => clearTimeout(rest))
  draw(atRest())
}
