import { Arg, FieldResolver, Query, Resolver, Root } from 'type-graphql'
import { type DistrictFigures, districtFigures } from '../districts/district-figures.ts'
import type { Districts } from '../districts/districts.ts'
import { ResponsesByVersion } from '../queries/responses-by-version.ts'
import type { RollUps } from '../queries/roll-up-reader.ts'
import { checkedSelection, selectionKey } from '../queries/selection.ts'
import { District, DistrictView, typeOfDistrict } from './district.type.ts'
import { DistrictFilterInput } from './exploration.input.ts'
import { labelIn, labelLanguage } from './label.ts'

interface Answer {
  readonly version: string
  readonly at: Date
  readonly figures: readonly DistrictFigures[]
}

@Resolver(() => District)
export class DistrictResolver {
  readonly #rollUps: RollUps
  readonly #districts: Districts
  readonly #answers: ResponsesByVersion<Answer>

  /** @param currentVersion - the version of an answer now, if it is known without a query */
  constructor(rollUps: RollUps, districts: Districts, currentVersion: () => string | undefined) {
    this.#rollUps = rollUps
    this.#districts = districts
    this.#answers = new ResponsesByVersion(currentVersion)
  }

  @Query(() => DistrictView, { description: 'Statistics of each district.' })
  async districts(
    @Arg('filter', () => DistrictFilterInput, { nullable: true, description: 'Restricts the expressions that are counted.' })
    filter: DistrictFilterInput | null,
  ): Promise<DistrictView> {
    const selection = await checkedSelection(filter ?? {}, this.#rollUps)
    const { version, at, figures } = await this.#answers.get(selectionKey(selection), () =>
      this.#rollUps.read(async (snapshot) => {
        const made = await districtFigures(snapshot, this.#districts, selection)
        return { version: snapshot.version, at: snapshot.at, figures: made }
      }),
    )
    const { geoJson: outlines, featureCollection } = this.#districts
    return { version, generatedAt: at, districts: figures.map((each): District => typeOfDistrict(each)), outlines, featureCollection }
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: 'Name in the language, otherwise in its primary language, in English or in any language.',
  })
  label(@Root() { labels }: District, @Arg('lang', () => String, { description: labelLanguage }) lang: string): string {
    return labelIn(labels, lang)
  }
}
