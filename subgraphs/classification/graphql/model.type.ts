import { Field, ObjectType, registerEnumType } from 'type-graphql'

export enum ModelTask {
  LANGUAGE = 'language',
  TOPIC = 'topic',
  SENTIMENT = 'sentiment',
  TOXICITY = 'toxicity',
  EMBEDDING = 'embedding',
  PLACE = 'place',
  LANGUAGE_MODEL = 'language-model',
}
registerEnumType(ModelTask, {
  name: 'ModelTask',
  description: 'What a model does with an expression. LANGUAGE_MODEL: it is asked for its opinion',
})

@ObjectType({ description: 'A model that looks at expressions' })
export class ClassificationModel {
  @Field(() => ModelTask, { description: 'What it does' })
  task!: `${ModelTask}`
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
