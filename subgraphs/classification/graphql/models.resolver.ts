import { FieldResolver, Int, Query, Resolver, Root } from 'type-graphql'
import type { TopicTrainer } from '../analysis/topic/topic-trainer.ts'
import { ClassificationModel } from './model.type.ts'

@Resolver(() => ClassificationModel)
export class ModelsResolver {
  readonly #models: readonly ClassificationModel[]
  readonly #topics: Pick<TopicTrainer, 'trainedNumber' | 'trainedLanguages'>

  constructor(models: readonly ClassificationModel[], topics: Pick<TopicTrainer, 'trainedNumber' | 'trainedLanguages'>) {
    this.#models = models
    this.#topics = topics
  }

  @Query(() => [ClassificationModel], { description: 'The models in use, with their model cards.' })
  models(): readonly ClassificationModel[] {
    return this.#models
  }

  @FieldResolver(() => [String], {
    description:
      'Supported languages (ISO 639; `mul` for many). For TOPIC: the languages of the example phrases, empty until the responding process has trained its classifier.',
  })
  languages(@Root() { task, languages }: ClassificationModel): readonly string[] {
    return (task === 'topic' ? this.#topics.trainedLanguages : undefined) ?? languages
  }

  @FieldResolver(() => Int, {
    nullable: true,
    description:
      'Number of the taxonomy version that the responding process classifies with; null for tasks other than TOPIC, and until the first training.',
  })
  taxonomyVersion(@Root() { task }: ClassificationModel): number | null {
    return task === 'topic' ? (this.#topics.trainedNumber ?? null) : null
  }
}
