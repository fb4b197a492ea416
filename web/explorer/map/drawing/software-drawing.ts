/** how programs that draw in place of a graphics card name themselves */
const software = /swiftshader|llvmpipe|software|basic render/i

/** Whether no graphics card draws here: then each pixel costs time, whatever is on the map. */
export function isDrawnBySoftware(): boolean {
  const context = document.createElement('canvas').getContext('webgl2')
  if (context === null) return false
  const renderer = context.getExtension('WEBGL_debug_renderer_info')?.UNMASKED_RENDERER_WEBGL ?? context.RENDERER
  const name = String(context.getParameter(renderer))
  context.getExtension('WEBGL_lose_context')?.loseContext()
  return software.test(name)
}
