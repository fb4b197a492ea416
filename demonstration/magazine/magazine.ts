import { z } from 'zod'
import { readData } from '../../foundation/files/data-file.ts'
import { Article } from './article.ts'

/** A node in the import format. */
export interface MagazineNode {
  readonly externalId: string
  readonly parentExternalId?: string
  readonly position: number
  readonly title: string
  readonly slug: string
  readonly summary: string
  readonly body: string
  readonly locale: string
  readonly metadata: { readonly demonstration: true }
}

/** Texts about civic life, written for this platform. The Arabic texts are not translations. */
const french = readData('demonstration/magazine/french.json', z.array(Article))
const arabic = readData('demonstration/magazine/arabic.json', z.array(Article))

const root: Article = {
  name: 'bien-commun',
  title: 'Le bien commun · الصالح العام',
  summary: 'Un magazine de la vie publique, en français et en arabe.',
  body: `L’eau, l’identité, l’école, la santé, l’argent de la commune : ce qui nous appartient à tous s’explique mieux qu’il ne s’impose. Chaque texte se lit en cinq minutes et finit par quelque chose à faire.

الماء والصحة والمدرسة شأننا جميعا. كل نص هنا يُقرأ في خمس دقائق وينتهي بخطوة عملية. اختاروا قسما، أو احفظوا المجلة كلها في ملف واحد.`,
}

/** Returns the demonstration magazine: a root, six parts in French and Arabic, three texts in each. */
export function magazine(): readonly MagazineNode[] {
  const nodes: MagazineNode[] = []
  const add = (article: Article, locale: string, position: number, above: Article | undefined): void => {
    const { name, title, summary, body, inside = [] } = article
    nodes.push({
      ...(above && { parentExternalId: externalIdOf(above) }),
      ...{ externalId: externalIdOf(article), position, slug: name, locale, metadata: { demonstration: true } },
      ...{ title: withNoBreakSpaces(title), summary: withNoBreakSpaces(summary), body: withNoBreakSpaces(body) },
    })
    for (const [at, each] of inside.entries()) add(each, locale, at, article)
  }
  add(root, 'fr', 0, undefined)
  const parts = [...french.map((part) => ['fr', part] as const), ...arabic.map((part) => ['ar', part] as const)]
  for (const [at, [locale, part]] of parts.entries()) add(part, locale, at, root)
  return nodes
}

/** Inserts the non-breaking spaces that French requires before some punctuation. */
const withNoBreakSpaces = (text: string): string => text.replace(/ (?=[:;!?»])/g, '\u00a0').replaceAll('« ', '«\u00a0')

const externalIdOf = ({ name }: Article): string => `demonstration/${name}`
