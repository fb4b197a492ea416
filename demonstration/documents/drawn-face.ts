import { type SeededRandom, seededRandom } from '../drawing/seeded-random.ts'

/** The appearance of a drawn person; lengths in units of a head of about 200 x 290. */
export interface Person {
  readonly skin: string
  readonly shade: string
  readonly hair: string
  readonly iris: string
  readonly lip: string
  readonly faceWidth: number
  readonly faceHeight: number
  readonly jaw: number
  readonly eyeY: number
  readonly eyeGap: number
  readonly eyeWidth: number
  readonly eyeHeight: number
  readonly brow: number
  readonly browTilt: number
  readonly noseWidth: number
  readonly noseLength: number
  readonly mouthWidth: number
  readonly mouthY: number
  readonly lipHeight: number
  readonly hairTop: number
  readonly longHair: boolean
  readonly beard: boolean
}

const complexions = [
  { skin: '#f0c8a8', shade: '#b98563' },
  { skin: '#d9a07a', shade: '#95613f' },
  { skin: '#a86f4b', shade: '#6b4128' },
  { skin: '#7a4a30', shade: '#45271a' },
  { skin: '#5a3524', shade: '#301a11' },
] as const

/** Returns the same person for the same seed. The order of the random draws must not change. */
export function person(seed: number): Person {
  const random: SeededRandom = seededRandom(seed)
  const { between } = random
  return {
    ...random.pick(complexions),
    hair: random.pick(['#17110e', '#3a2416', '#7a5230', '#8d8d8d', '#b98a4a']),
    iris: random.pick(['#2b1a10', '#4a6b3a', '#3f6a8f', '#5b3a1e']),
    lip: random.pick(['#a8574f', '#8a4038', '#c06a64', '#6e332c']),
    faceWidth: between(92, 116),
    faceHeight: between(132, 156),
    jaw: between(0.55, 0.95),
    eyeY: between(-26, -10),
    eyeGap: between(38, 52),
    eyeWidth: between(18, 25),
    eyeHeight: between(8, 13),
    brow: between(5, 11),
    browTilt: between(-6, 6),
    noseWidth: between(15, 27),
    noseLength: between(42, 60),
    mouthWidth: between(30, 46),
    mouthY: between(66, 84),
    lipHeight: between(7, 13),
    hairTop: between(0.35, 0.75),
    longHair: random.next() < 0.4,
    beard: random.next() < 0.3,
  }
}

export interface Lighting {
  readonly background?: string
  /** Direction of the light, 0 (left) to 1 (right) */
  readonly light?: number
}

/** Size of a portrait in its own units. */
export const portrait = { width: 600, height: 720 } as const

export interface Frame {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** The part of a portrait on a document: the head fills three quarters of the height (ICAO 9303-3, 3.9). */
export const passportFrame: Frame = { x: 90, y: 75, width: 420, height: 525 }

/** Returns an SVG element with the part `view` of a portrait, cropped to `place`. */
export function portraitSvg(
  who: Person,
  { background = '#9fb4c4', light = 0.35 }: Lighting = {},
  place: Frame = { x: 0, y: 0, ...portrait },
  view: Frame = { x: 0, y: 0, ...portrait },
): string {
  const { width, height } = portrait
  // Ids are shared by the whole drawing, which may contain several portraits.
  const own = `at${place.x}-${place.y}-`
  const blur = (strength: number): string =>
    `<filter id="${own}blur${strength}" x="-50%" y="-50%" width="200%" height="200%"><feGaussianBlur stdDeviation="${strength / 2}"/></filter>`
  const features = [
    shoulders(who),
    head(who),
    who.beard ? beard(who) : '',
    eye(who, -1),
    eye(who, 1),
    nose(who),
    mouth(who),
    fringe(who),
  ].join('')
  return `<svg xmlns="http://www.w3.org/2000/svg" x="${place.x}" y="${place.y}" width="${place.width}" height="${place.height}" viewBox="${view.x} ${view.y} ${view.width} ${view.height}" preserveAspectRatio="xMidYMid slice">
<defs>${blur(2)}${blur(6)}${blur(14)}
<radialGradient id="${own}skin" cx="${light}" cy=".38" r=".75"><stop offset="0" stop-color="${who.skin}"/><stop offset=".55" stop-color="${who.skin}"/><stop offset="1" stop-color="${who.shade}"/></radialGradient></defs>
<rect width="${width}" height="${height}" fill="${background}"/>
<g transform="translate(${width / 2},${height * 0.47}) scale(${width / 420})">
${features.replaceAll('#own-', `#${own}`).replaceAll('"own-', `"${own}`)}
</g></svg>`
}

function shoulders({ longHair, faceWidth: w, faceHeight: h, hair, shade }: Person): string {
  const behind = longHair ? `<ellipse cy="10" rx="${w * 1.3}" ry="${h * 1.25}" fill="${hair}"/>` : ''
  return `${behind}<path d="M${-w * 0.55},${h * 0.5} L${-w * 0.6},${h * 1.35} Q${-w * 2},${h * 1.5} ${-w * 2.1},${h * 2.4} L${w * 2.1},${h * 2.4} Q${w * 2},${h * 1.5} ${w * 0.6},${h * 1.35} L${w * 0.55},${h * 0.5}Z" fill="${shade}"/>
<path d="M${-w * 0.75},${h * 1.32} Q0,${h * 1.75} ${w * 0.75},${h * 1.32} L${w * 2.1},${h * 1.7} V${h * 2.6} H${-w * 2.1} V${h * 1.7}Z" fill="#2f3f56"/>`
}

function head({ faceWidth: w, faceHeight: h, jaw, shade, lip }: Person): string {
  const sides = [-1, 1]
  const ears = sides.map((side) => `<ellipse cx="${side * w}" cy="4" rx="13" ry="27" fill="${shade}"/>`)
  const cheeks = sides.map(
    (side) => `<ellipse cx="${side * w * 0.52}" cy="34" rx="24" ry="20" fill="${lip}" opacity=".16" filter="url(#own-blur14)"/>`,
  )
  return `${ears.join('')}<path d="M0,${-h} C${w * 0.75},${-h} ${w},${-h * 0.55} ${w},${-h * 0.05} C${w},${h * 0.45} ${w * jaw},${h * 0.8} ${w * 0.32},${h * 0.97} Q0,${h * 1.06} ${-w * 0.32},${h * 0.97} C${-w * jaw},${h * 0.8} ${-w},${h * 0.45} ${-w},${-h * 0.05} C${-w},${-h * 0.55} ${-w * 0.75},${-h} 0,${-h}Z" fill="url(#own-skin)"/>${cheeks.join('')}`
}

function beard({ faceWidth: w, faceHeight: h, jaw, mouthY, hair }: Person): string {
  return `<path d="M${-w * 0.95},20 C${-w},${h * 0.6} ${-w * jaw},${h * 0.9} 0,${h * 1.05} C${w * jaw},${h * 0.9} ${w},${h * 0.6} ${w * 0.95},20 C${w * 0.7},${mouthY - 28} ${w * 0.3},${mouthY - 24} 0,${mouthY - 20} C${-w * 0.3},${mouthY - 24} ${-w * 0.7},${mouthY - 28} ${-w * 0.95},20Z" fill="${hair}" opacity=".8" filter="url(#own-blur6)"/>`
}

function eye(who: Person, side: -1 | 1): string {
  const { eyeWidth: w, eyeHeight: h, eyeGap, eyeY, shade, iris, hair, brow, browTilt } = who
  const opening = `<path d="M${-w},2 Q0,${-h * 1.7} ${w},0 Q0,${h * 1.5} ${-w},2Z"`
  const clip = `own-eye${side}`
  return `<g transform="translate(${side * eyeGap},${eyeY})">
<ellipse rx="${w * 1.35}" ry="${h * 1.9}" fill="${shade}" opacity=".45" filter="url(#own-blur6)"/>
${opening} fill="#eee8e2"/><clipPath id="${clip}">${opening}/></clipPath>
<g clip-path="url(#${clip})"><circle r="${h * 0.95}" cy="-1" fill="${iris}"/><circle r="${h * 0.45}" cy="-1" fill="#080808"/><circle r="2" cx="-3" cy="-4" fill="#fff"/></g>
<path d="M${-w - 2},3 Q0,${-h * 1.9} ${w + 1},0" stroke="#1a100c" stroke-width="3" fill="none"/>
<path d="M${-w + 2},4 Q0,${h * 1.6} ${w},1" stroke="${shade}" stroke-width="1.6" fill="none"/>
<path d="M${-w * 1.35},${-h - 13 - side * browTilt} Q0,${-h - 13 - brow * 1.6} ${w * 1.35},${-h - 13 + side * browTilt}" stroke="${hair}" stroke-width="${brow}" stroke-linecap="round" fill="none" filter="url(#own-blur2)"/></g>`
}

function nose({ eyeY, noseLength, noseWidth: w, shade }: Person): string {
  const y = eyeY + noseLength
  const nostrils = [-1, 1].map((side) => `<ellipse cx="${side * w * 0.48}" cy="${y + 4}" rx="5" ry="3" fill="#20100a" opacity=".8"/>`)
  return `<path d="M-7,${eyeY + 4} Q-12,${y - 18} ${-w * 0.8},${y - 6}" stroke="${shade}" stroke-width="5" fill="none" opacity=".55" filter="url(#own-blur6)"/>
<path d="M7,${eyeY + 4} Q14,${y - 18} ${w * 0.8},${y - 6}" stroke="${shade}" stroke-width="9" fill="none" opacity=".55" filter="url(#own-blur6)"/>
<ellipse cy="${y - 8}" rx="${w * 0.5}" ry="9" fill="#fff" opacity=".22" filter="url(#own-blur6)"/>
<path d="M${-w},${y} Q${-w * 0.9},${y + 9} ${-w * 0.35},${y + 6} Q0,${y + 12} ${w * 0.35},${y + 6} Q${w * 0.9},${y + 9} ${w},${y}" stroke="${shade}" stroke-width="4" fill="none" filter="url(#own-blur2)"/>${nostrils.join('')}`
}

function mouth({ mouthWidth: w, mouthY: y, lipHeight: h, lip, shade }: Person): string {
  return `<path d="M${-w},${y} Q${-w * 0.3},${y - h * 1.3} 0,${y - h * 0.7} Q${w * 0.3},${y - h * 1.3} ${w},${y} Q0,${y + h * 2.3} ${-w},${y}Z" fill="${lip}"/>
<path d="M${-w},${y} Q0,${y + 6} ${w},${y}" stroke="#3a1712" stroke-width="3" fill="none"/>
<ellipse cy="${y + h * 2.6}" rx="${w * 0.6}" ry="5" fill="${shade}" opacity=".5" filter="url(#own-blur6)"/>`
}

function fringe({ faceWidth: w, faceHeight: h, hairTop: top, hair }: Person): string {
  return `<path d="M${-w * 1.06},${-h * 0.1} C${-w * 1.2},${-h * 1.35} ${w * 1.2},${-h * 1.35} ${w * 1.06},${-h * 0.1} C${w},${-h * top} ${w * 0.5},${-h * (top + 0.15)} 0,${-h * (top + 0.12)} C${-w * 0.5},${-h * (top + 0.15)} ${-w},${-h * top} ${-w * 1.06},${-h * 0.1}Z" fill="${hair}"/>`
}
