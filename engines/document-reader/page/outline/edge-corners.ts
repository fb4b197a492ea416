import { areaOf, type Corners, distanceBetween, isLikeDocument } from '../quadrilateral.ts'
import type { Point } from '../rectangle.ts'
import { crossing, type Edges, type StraightLine, straightLines } from './edges.ts'
import { besideSide, refined } from './straight-sides.ts'

/** maximum number of lines per direction (horizontal, vertical) */
const maxLines = 12
/** Minimum share of a side that is an edge of one kind, darker outside or darker inside. */
const minSide = 0.5
const minSides = 0.62
/** tolerated distance of an edge from a side, px */
const slack = 1
/** Share of the side length that is checked beyond its ends: edges of a pattern continue there. */
const beyond = 0.25

/** Finds four straight edges that end where they meet; undefined if none are clear, as in a scan without surroundings. */
export function cornersBy(edges: Edges): Corners | undefined {
  const { width, height } = edges
  const longest = Math.hypot(width, height)
  const level = pairs(straightLines(edges, 90, maxLines, longest))
  const upright = pairs(straightLines(edges, 0, maxLines, longest))
  let best: { corners: Corners; score: number } | undefined
  for (const [above, below] of level) {
    for (const [left, right] of upright) {
      const corners = cornersOf(above, right, below, left)
      if (corners === undefined || !isLikeDocument(corners, edges)) continue
      const score = scoreOf(edges, corners, best?.score ?? 0)
      if (score > (best?.score ?? 0)) best = { corners, score }
    }
  }
  const corners = best && refined(best.corners, (from, to) => pointsOn(edges, from, to))
  return corners && isLikeDocument(corners, edges) ? corners : undefined
}

/** uncertainty of a side given by whole degrees, px */
const uncertain = 3

/** Returns the edge pixels along a side. */
function pointsOn({ width, places, across, down }: Edges, from: Point, to: Point): readonly Point[] {
  const inwards = inwardsOf(from, to)
  const along = places.filter((place) => Math.abs((across[place] ?? 0) * inwards.x + (down[place] ?? 0) * inwards.y) > alike)
  const points = along.map((place) => ({ x: place % width, y: Math.floor(place / width) }))
  return besideSide(points, from, to, uncertain)
}

function pairs(lines: readonly StraightLine[]): readonly (readonly [StraightLine, StraightLine])[] {
  const inOrder = lines.toSorted((a, b) => a.distance - b.distance)
  return inOrder.flatMap((first, at) => inOrder.slice(at + 1).map((second) => [first, second] as const))
}

function cornersOf(above: StraightLine, right: StraightLine, below: StraightLine, left: StraightLine): Corners | undefined {
  const [a, b, c, d] = [crossing(above, left), crossing(above, right), crossing(below, right), crossing(below, left)]
  return a && b && c && d && [a, b, c, d]
}

/**
 * Scores the clarity of the sides; of two equal outlines the larger wins, since a portrait on a card has four sides too. @returns 0 for an invalid
 * outline
 */
function scoreOf(edges: Edges, corners: Corners, toBeat: number): number {
  const size = (areaOf(corners) / (edges.width * edges.height)) ** 0.5
  if (size <= toBeat) return 0
  let [inside, outside] = [0, 0]
  for (const [at, from] of corners.entries()) {
    const to = corners[(at + 1) % 4] ?? from
    const side = sideOf(edges, from, to)
    if (side < minSide) return 0
    inside += side / 4
    outside += goesOn(edges, from, to) / 4
  }
  const contrast = inside - outside / 2
  return contrast < minSides ? 0 : contrast * size
}

/** Returns the share of a side with an edge of one kind perpendicular to it. */
function sideOf(edges: Edges, from: Point, to: Point): number {
  const steps = Math.max(8, Math.round(distanceBetween(from, to)))
  const inwards = inwardsOf(from, to)
  let brighter = 0
  let darker = 0
  for (let step = 0; step <= steps; step++) {
    const kind = edgeAt(edges, from, to, inwards, step / steps)
    if (kind > 0) brighter++
    else if (kind < 0) darker++
  }
  return Math.max(brighter, darker) / (steps + 1)
}

function goesOn(edges: Edges, from: Point, to: Point): number {
  const steps = Math.max(8, Math.round(distanceBetween(from, to) * beyond))
  const inwards = inwardsOf(from, to)
  let matched = 0
  for (let step = 1; step <= steps; step++) {
    const part = 0.02 + (beyond * step) / steps
    if (edgeAt(edges, from, to, inwards, -part) !== 0) matched += 0.5
    if (edgeAt(edges, from, to, inwards, 1 + part) !== 0) matched += 0.5
  }
  return matched / steps
}

const alike = Math.cos((15 * Math.PI) / 180)

/** Returns the inward unit normal of a side. */
function inwardsOf(from: Point, to: Point): Point {
  const length = distanceBetween(from, to)
  return { x: -(to.y - from.y) / length, y: (to.x - from.x) / length }
}

const aside = [0, slack, -slack] as const

/** Returns 1 if brightness increases to the inside, -1 if it decreases, 0 without an edge. */
function edgeAt({ width, height, isEdge, across, down }: Edges, from: Point, to: Point, inwards: Point, part: number): -1 | 0 | 1 {
  for (let at = 0; at < aside.length; at++) {
    const by = aside[at] ?? 0
    const x = Math.floor(from.x + (to.x - from.x) * part + inwards.x * by + 0.5)
    const y = Math.floor(from.y + (to.y - from.y) * part + inwards.y * by + 0.5)
    if (x < 0 || y < 0 || x >= width || y >= height) continue
    const place = y * width + x
    if (isEdge[place] !== 1) continue
    const towards = (across[place] ?? 0) * inwards.x + (down[place] ?? 0) * inwards.y
    if (towards > alike) return 1
    if (towards < -alike) return -1
  }
  return 0
}
