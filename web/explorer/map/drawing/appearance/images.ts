import { type SentimentCounts, sentiments } from '../../../sentiment/sentiments.ts'
import { radiusOf } from './drawn-place.ts'
import type { Colours } from './theme.ts'

/** device pixels per CSS pixel of the drawn images */
export const pixelRatio = 2
const signs = { positive: '+', neutral: '=', negative: '−', unknown: '?' } as const
const twelfths = 12
const singleRadius = radiusOf(1)

/** Returns an image name that describes a ring, so that equal rings share one image. @param text - formatted count */
export function ringName(counts: SentimentCounts, total: number, text: string): string {
  const parts = [...sentiments, 'unknown' as const].map((sentiment) => Math.round((twelfths * counts[sentiment]) / total))
  return ['ring', Math.round(radiusOf(total)), ...parts, text].join('|')
}

export const signName = (sentiment: keyof typeof signs): string => `sign|${sentiment}`

/** @param size - in pixels; bold for a country */
export const labelName = (text: string, kind: 'country' | 'town'): string => `label|${kind}|${text}`

/** Draws the image that a name describes. @returns undefined for any other name */
export function drawImage(name: string, colours: Colours): ImageData | undefined {
  const [kind, ...parts] = name.split('|')
  if (kind === 'ring') return ring(parts, colours)
  if (kind === 'sign') return sign(parts[0] ?? '', colours)
  return kind === 'label' ? label(parts[0] === 'country', parts.slice(1).join('|'), colours) : undefined
}

function canvas(width: number, height: number, draw: (context: OffscreenCanvasRenderingContext2D) => void): ImageData | undefined {
  const [across, down] = [Math.ceil(width * pixelRatio), Math.ceil(height * pixelRatio)]
  const context = new OffscreenCanvas(across, down).getContext('2d')
  if (context === null) return undefined
  context.scale(pixelRatio, pixelRatio)
  draw(context)
  return context.getImageData(0, 0, across, down)
}

/** Draws a disc with its count and a rim divided by sentiment. */
function ring([size, ...rest]: readonly string[], colours: Colours): ImageData | undefined {
  const radius = Number(size)
  const parts = rest.slice(0, 4).map(Number)
  const text = rest.slice(4).join('|')
  const whole = parts.reduce((sum, part) => sum + part, 0) || 1
  const width = Math.max(4, radius * 0.26)
  return canvas(2 * radius + 8, 2 * radius + 8, (context) => {
    context.translate(radius + 4, radius + 4)
    disc(context, radius, colours.centre)
    let from = -Math.PI / 2
    for (const [index, sentiment] of [...sentiments, 'unknown' as const].entries()) {
      const to = from + ((parts[index] ?? 0) / whole) * 2 * Math.PI
      context.beginPath()
      context.arc(0, 0, radius - width / 2, from, to)
      context.lineWidth = width
      context.strokeStyle = colours[sentiment]
      context.stroke()
      from = to
    }
    context.font = `650 ${Math.min(13, Math.max(9.5, (2.6 * (radius - width)) / text.length))}px system-ui, sans-serif`
    write(context, text, colours.count)
  })
}

/** Draws a disc with the sign of a sentiment, for one expression. */
function sign(sentiment: string, colours: Colours): ImageData | undefined {
  const label = sentiments.find((each) => each === sentiment) ?? 'unknown'
  return canvas(2 * singleRadius + 8, 2 * singleRadius + 8, (context) => {
    context.translate(singleRadius + 4, singleRadius + 4)
    disc(context, singleRadius + 1, colours.centre)
    context.beginPath()
    context.arc(0, 0, singleRadius - 1, 0, 2 * Math.PI)
    context.fillStyle = colours[label]
    context.fill()
    context.font = '700 13px system-ui, sans-serif'
    write(context, signs[label], label === 'unknown' ? colours.count : colours.centre)
  })
}

function disc(context: OffscreenCanvasRenderingContext2D, radius: number, colour: string): void {
  context.shadowColor = 'rgb(0 0 0 / 30%)'
  context.shadowBlur = 4 * pixelRatio
  context.shadowOffsetY = pixelRatio
  context.beginPath()
  context.arc(0, 0, radius, 0, 2 * Math.PI)
  context.fillStyle = colour
  context.fill()
  context.shadowColor = 'transparent'
}

/** Draws a name in any script, with a halo in the colour of land. */
function label(isCountry: boolean, text: string, colours: Colours): ImageData | undefined {
  const font = `${isCountry ? '600 ' : ''}11px system-ui, sans-serif`
  const measuring = new OffscreenCanvas(1, 1).getContext('2d')
  if (measuring === null) return undefined
  measuring.font = font
  const width = Math.ceil(measuring.measureText(text).width) + 6
  return canvas(width, 18, (context) => {
    context.translate(width / 2, 9)
    context.font = font
    context.lineJoin = 'round'
    context.lineWidth = 3
    context.strokeStyle = colours.land
    context.textAlign = 'center'
    context.textBaseline = 'middle'
    context.strokeText(text, 0, 0)
    write(context, text, colours.name)
  })
}

function write(context: OffscreenCanvasRenderingContext2D, text: string, colour: string): void {
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  context.fillStyle = colour
  context.fillText(text, 0, 0.5)
}
