import type { RocPoint } from './rates.ts'

export interface Curve {
  readonly name: string
  readonly colour: string
  readonly dashes?: string
  readonly points: readonly RocPoint[]
}

const size = { width: 640, height: 420 }
const plot = { left: 60, top: 20, right: 620, bottom: 360 }
/** Powers of ten of the false accept rate. */
const minPower = -5
const ticks = [0.5, 0.6, 0.7, 0.8, 0.9, 1]

const across = (share: number): number =>
  plot.left + (1 - Math.log10(Math.max(share, 10 ** minPower)) / minPower) * (plot.right - plot.left)
const up = (share: number): number => plot.bottom - ((Math.max(share, 0.5) - 0.5) / 0.5) * (plot.bottom - plot.top)

/** Draws receiver operating characteristics as SVG: true accept rate by false accept rate. */
export function rocPlot(curves: readonly Curve[]): string {
  const grid = [
    ...ticks.map(
      (share) => line(plot.left, up(share), plot.right, up(share)) + label(plot.left - 8, up(share) + 4, `${100 * share} %`, 'end'),
    ),
    ...Array.from({ length: 1 - minPower }, (_, n) => 10 ** (minPower + n)).map(
      (share) =>
        line(across(share), plot.top, across(share), plot.bottom) +
        label(across(share), plot.bottom + 18, `${+(100 * share).toPrecision(1)} %`, 'middle'),
    ),
  ]
  const drawn = curves.map(({ points, colour, dashes }) => {
    const path = points.map(({ falseAccepts, trueAccepts }) => `${across(falseAccepts).toFixed(1)},${up(trueAccepts).toFixed(1)}`).join(' ')
    return `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"${dashes === undefined ? '' : ` stroke-dasharray="${dashes}"`}/>`
  })
  const legend = curves.map(({ name, colour, dashes }, row) => {
    const y = plot.bottom - 14 - 18 * (curves.length - 1 - row)
    const stroke = `stroke="${colour}" stroke-width="2"${dashes === undefined ? '' : ` stroke-dasharray="${dashes}"`}`
    return `<line x1="${plot.right - 190}" y1="${y - 4}" x2="${plot.right - 150}" y2="${y - 4}" ${stroke}/>${label(plot.right - 142, y, name, 'start')}`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" font-family="sans-serif" font-size="12">
<rect width="${size.width}" height="${size.height}" fill="#fff"/>
${[...grid, ...drawn, ...legend].join('\n')}
${label((plot.left + plot.right) / 2, size.height - 16, 'pairs of two people accepted', 'middle')}
${label(plot.left + 6, plot.top + 14, 'pairs of one person accepted', 'start')}
</svg>
`
}

const line = (x1: number, y1: number, x2: number, y2: number): string =>
  `<line x1="${x1.toFixed(1)}" y1="${y1.toFixed(1)}" x2="${x2.toFixed(1)}" y2="${y2.toFixed(1)}" stroke="#ddd"/>`
const label = (x: number, y: number, text: string, anchor: 'start' | 'middle' | 'end'): string =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}" fill="#333">${text}</text>`
