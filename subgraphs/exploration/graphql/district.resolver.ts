import { Arg, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql'
import { inListTurn, inSearchTurn } from '../../../foundation/graphql/read-turns.ts'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import { type DistrictFigures, districtFigures, searchedDistrictFigures } from '../districts/district-figures.ts'
import type { Districts } from '../districts/districts.ts'
import { ResponsesByVersion } from '../queries/responses-by-version.ts'
import type { RollUps } from '../queries/roll-up-reader.ts'
import type { SearchedFigures } from '../queries/searched-figures.ts'
import { checkedSelection, isSearched, type Selection, selectionKey } from '../queries/selection.ts'
import { District, DistrictView, typeOfDistrict } from './district.type.ts'
import { DistrictFilterInput } from './exploration.input.ts'
import { labelIn, labelLanguage } from './exploration.type.ts'

interface Answer {
  readonly version: string
  readonly at: Date
  readonly figures: readonly DistrictFigures[]
}

@Resolver(() => District)
export class DistrictResolver {
  readonly #rollUps: RollUps
  readonly #districts: Districts
  readonly #searched: Pick<SearchedFigures, 'places'>
  readonly #answers: ResponsesByVersion<Answer>

  /** @param options - `currentVersion`: the version of an answer now, if it is known without a query */
  constructor(options: {
    readonly rollUps: RollUps
    readonly districts: Districts
    readonly searched: Pick<SearchedFigures, 'places'>
    readonly currentVersion: () => string | undefined
  }) {
    this.#rollUps = options.rollUps
    this.#districts = options.districts
    this.#searched = options.searched
    this.#answers = new ResponsesByVersion(options.currentVersion)
  }

  @Query(() => DistrictView, { description: 'Statistics of each district.' })
  async districts(
    @Arg('filter', () => DistrictFilterInput, { nullable: true, description: 'Restricts the expressions that are counted.' })
    filter: DistrictFilterInput | null,
    @Ctx() context: RequestContext,
  ): Promise<DistrictView> {
    const selection = await checkedSelection(filter ?? {}, this.#rollUps)
    const { version, at, figures } = isSearched(selection)
      ? await inSearchTurn(context, () => searchedDistrictFigures(this.#searched, this.#districts, selection, context.signal))
      : // an answer that others wait for too must not wait for the turn of one of them
        await (this.#answers.cached(selectionKey(selection)) ?? inListTurn(context, () => this.#figuresOf(selection)))
    const { geoJson: outlines, featureCollection } = this.#districts
    return { version, generatedAt: at, districts: figures.map((each): District => typeOfDistrict(each)), outlines, featureCollection }
  }

  #figuresOf(selection: Selection): Promise<Answer> {
    return this.#answers.get(selectionKey(selection), () =>
      this.#rollUps.read(async (snapshot) => {
        const figures = await districtFigures(snapshot, this.#districts, selection)
        return { version: snapshot.version, at: snapshot.at, figures }
      }),
    )
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: 'Name in this language or its primary language (fr for fr-CA), otherwise in English, otherwise in any language.',
  })
  label(@Root() { labels }: District, @Arg('lang', () => String, { description: labelLanguage }) lang: string): string {
    return labelIn(labels, lang)
  }
}
