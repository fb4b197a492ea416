import { Query, Resolver } from 'type-graphql'
import { ClassificationModel } from './model.type.ts'

@Resolver(() => ClassificationModel)
export class ModelsResolver {
  readonly #models: readonly ClassificationModel[]

  constructor(models: readonly ClassificationModel[]) {
    this.#models = models
  }

  @Query(() => [ClassificationModel], { description: 'The models that run, each with its card' })
  models(): readonly ClassificationModel[] {
    return this.#models
  }
}
