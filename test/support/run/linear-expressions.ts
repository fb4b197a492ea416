import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { check, type Diagnostics } from 'recheck'
import { parseSync, Visitor } from 'vite'
import { z } from 'zod'

/**
 * Part of `npm run check`: every regular expression of the sources takes a time that is linear in the length of its input. Literals are read
 * from the syntax tree. Expressions that a module composes while it loads are recorded by loading it; one that a function composes later needs
 * a comment, as one does that is slow only on input that cannot reach it: `// linear: REASON`, on its line or above it.
 */
const root = process.cwd()
const exemption = /\/\/ linear: (\S.*)/
