import { createRequire } from 'node:module'

/**
 * Loads Arrow as CommonJS, the copy that LanceDB uses: it accepts tables of its own classes as they are and converts any other at each write
 * (0.37.1).
 */
const require = createRequire(import.meta.url)
const arrow: typeof import('apache-arrow') = require('apache-arrow')

export const { DataType, Field, FixedSizeList, Float32, Float64, Int32, makeData, makeVector, Schema, Table, Utf8 } = arrow
/** types of these classes under the same names */
export type Field = import('apache-arrow').Field
export type FixedSizeList = import('apache-arrow').FixedSizeList
export type Float64 = import('apache-arrow').Float64
export type Int32 = import('apache-arrow').Int32
export type Schema = import('apache-arrow').Schema
export type Table = import('apache-arrow').Table
export type Utf8 = import('apache-arrow').Utf8
export type { Vector } from 'apache-arrow'
