import { Field, ObjectType } from 'type-graphql'
import { registerEnum } from '../../../foundation/graphql/enum-type.ts'

export enum ModelTask {
  LANGUAGE = 'language',
  TOPIC = 'topic',
  SENTIMENT = 'sentiment',
  TOXICITY = 'toxicity',
  EMBEDDING = 'embedding',
  PLACE = 'place',
  LANGUAGE_MODEL = 'language-model',
}
registerEnum(ModelTask, {
  name: 'ModelTask',
  description: 'Task of a model in the analysis of an expression.',
  values: {
    LANGUAGE: 'Detects the language.',
    EMBEDDING: 'Computes embeddings.',
    TOPIC: 'Classifies the domain.',
    SENTIMENT: 'Determines the sentiment.',
    TOXICITY: 'Detects harmful language.',
    PLACE: 'Resolves locations.',
    LANGUAGE_MODEL: 'Suggests a domain when the classifier is uncertain.',
  },
})

@ObjectType({ description: 'A model that analyses expressions.' })
export class ClassificationModel {
  @Field(() => ModelTask, { description: 'Task of the model.' })
  task!: `${ModelTask}`
  @Field(() => String, { description: 'Name of the model.' })
  name!: string
  @Field(() => String, { description: 'Version of the model.' })
  version!: string
  @Field(() => String, { description: 'Licence of the model and of its data.' })
  licence!: string
  languages!: readonly string[]
  @Field(() => String, { description: 'Origin of the model.' })
  source!: string
  @Field(() => String, { description: 'Model card in Markdown: intended use, evaluation and limitations.' })
  card!: string
}
