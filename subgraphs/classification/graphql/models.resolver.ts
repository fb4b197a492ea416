import { Query, Resolver } from 'type-graphql'
import { ClassificationModel } from './model.type.ts'

@Resolver(() => ClassificationModel)
export class ModelsResolver {
  readonly #models: readonly ClassificationModel[]

  constructor(models: readonly ClassificationModel[]) {
    this.#models = models
  }

  @Query(() => [ClassificationModel], { description: 'The models in use, with their model cards.' })
  models(): readonly ClassificationModel[] {
    return this.#models
  }
}
