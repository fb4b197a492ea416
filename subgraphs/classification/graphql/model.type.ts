import { Field, ObjectType } from 'type-graphql'

@ObjectType({ description: 'A model that looks at expressions' })
export class ClassificationModel {
  @Field(() => String, {
    description: 'What it does: language, topic, sentiment, toxicity, embedding, place or language-model',
  })
  task!: string
  @Field(() => String, { description: 'Its name' })
  name!: string
  @Field(() => String, { description: 'Its version' })
  version!: string
  @Field(() => String, { description: 'Licence of the model and of its data' })
  licence!: string
  @Field(() => [String], { description: 'Languages that it is made for (ISO 639-1; mul: many)' })
  languages!: readonly string[]
  @Field(() => String, { description: 'Where it comes from' })
  source!: string
  @Field(() => String, { description: 'What it is for, how it was measured and where it fails (Markdown)' })
  card!: string
}
