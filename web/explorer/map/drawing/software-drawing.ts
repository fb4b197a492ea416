import type { Map as MapLibre } from 'maplibre-gl'

/** renderer names of software WebGL implementations */
const software = /swiftshader|llvmpipe|software|basic render/i
/** device pixel ratio while the map rests */
const atRest = (): number => Math.min(1, devicePixelRatio)
const moving = 0.5
/** pause in ms after which a movement has ended */
const restMs = 150

/** Returns whether WebGL runs in software: then the time of a frame grows with its pixels. */
export function isDrawnBySoftware(): boolean {
  const context = document.createElement('canvas').getContext('webgl2')
  if (context === null) return false
  const renderer = context.getExtension('WEBGL_debug_renderer_info')?.UNMASKED_RENDERER_WEBGL ?? context.RENDERER
  const name = String(context.getParameter(renderer))
  context.getExtension('WEBGL_lose_context')?.loseContext()
  return software.test(name)
}

/**
 * Reduces the pixels of a software-drawn map: full resolution at rest, a quarter while moving, and no sky, which MapLibre draws even for
 * maps seen from above (two fifths of a frame).
 */
export function drawWithFewPixels(map: MapLibre): void {
  map.painter.drawFunctions = { ...map.painter.drawFunctions, sky: () => {} }
  const draw = (ratio: number): void => {
    if (map.getPixelRatio() === ratio || map.painter.context.gl.isContextLost()) return
    // setPixelRatio() would end the movement
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
