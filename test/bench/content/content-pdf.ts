import { readFileSync } from 'node:fs'
import type { Chapter } from '../../../engines/typesetting/typesetter.ts'
import { typstTypesetter } from '../../../engines/typesetting/typst-typesetter.ts'
import { openPdf } from '../../support/samples/pdf.ts'
import type { Benchmark, Variant } from '../support/harness.ts'

const templateFile = `${process.cwd()}/engines/typesetting/publication.typ`
const at = new Date('2026-11-20T10:00:00Z')
const french =
  'L’eau qui arrive au robinet vient de loin. Elle est **pompée**, *filtrée*, puis contrôlée chaque semaine par le laboratoire national. '
const arabic = 'يصل الماء إلى الحنفية بعد رحلة طويلة. يتم **ضخه** ثم *تصفيته* ومراقبته كل أسبوع من قبل المختبر الوطني. '
const table = '| Région | Prix | Contrôles |\n|---|--:|:-:|\n| Dakar | 202 | 52 |\n| Saint-Louis | 187 | 48 |\n| Ziguinchor | 175 | 36 |\n'
const bodies = {
  prose: (n: number) => (n % 5 === 4 ? arabic : french).repeat(4).concat('\n\n').repeat(4),
  dense: (n: number) =>
    `${(n % 5 === 4 ? arabic : french).repeat(3)}\n\n## Suite\n\n- une\n- deux\n  1. trois\n\n> ${french}\n\n${table}\n\`\`\`\nlet x = 1\n\`\`\`\n\n${french}`,
}

/** A magazine of a few hundred pages in French and Arabic: text alone, and text with lists, quotes, tables and code. */
export const contentPdf: Benchmark = {
  name: 'content-pdf',
  about: 'one PDF of 600 nodes, a fifth of them Arabic, with title page, contents, bookmarks and tags; the start of its process included',
  target: 'at least 100 pages a second; memory a page',
  rounds: 3,
  async start(print) {
    const variant = async (name: keyof typeof bodies): Promise<Variant> => {
      const nodes = (count: number): readonly Chapter[] =>
        Array.from({ length: count }, (_, n) => ({
          ...{ depth: n === 0 ? 0 : n % 10 === 1 ? 1 : 2, title: n % 5 === 4 ? `الماء ${n}` : `Chapitre ${n}` },
          ...{ summary: null, body: bodies[name](n), locale: n % 5 === 4 ? 'ar' : 'fr', media: [] },
        }))
      const typesetter = typstTypesetter({ templateFile, memoryBytes: 4 * 2 ** 30, timeMs: 120_000 })
      const all = nodes(600)
      const setting = (chapters: readonly Chapter[]): Promise<Uint8Array> =>
        typesetter.typeset({ at, chapters: streamOf(chapters) }, AbortSignal.timeout(120_000))
      const bytes = await setting(all)
      const { pages } = await openPdf(bytes)
      print(`${name}: ${pages} pages, ${Math.round(bytes.length / 1024)} KiB`)
      return {
        name,
        async measure() {
          const from = performance.now()
          let maxKiB = 0
          const watch = setInterval(() => {
            maxKiB = Math.max(maxKiB, largestChild())
          }, 20)
          await setting(all)
          clearInterval(watch)
          const seconds = (performance.now() - from) / 1000
          return { 'pages a second': pages / seconds, 'KiB a page': maxKiB / pages, 'MiB of the process': maxKiB / 1024 }
        },
        stop: () => typesetter.stop(),
      }
    }
    return [await variant('prose'), await variant('dense')]
  },
}

async function* streamOf(chapters: readonly Chapter[]): AsyncGenerator<readonly Chapter[]> {
  for (let from = 0; from < chapters.length; from += 100) yield chapters.slice(from, from + 100)
}

/** Resident KiB of this process's largest child (Linux only: 0 elsewhere). */
function largestChild(): number {
  try {
    const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').split(' ').filter(Boolean)
    return Math.max(0, ...children.map((child) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child}/status`, 'utf8'))?.[1] ?? 0)))
  } catch {
    return 0
  }
}
