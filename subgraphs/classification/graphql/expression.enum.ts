import { registerEnumType } from 'type-graphql'

export enum ExpressionStatus {
  INDEXED = 'indexed',
  PENDING = 'pending',
}
registerEnumType(ExpressionStatus, { name: 'ExpressionStatus', description: 'INDEXED: it can be found; PENDING: it is kept and will be' })

export enum ClassificationMethod {
  KNN = 'knn',
  NEURAL = 'neural',
  LLM = 'llm',
  HINT = 'hint',
  ABSTAINED = 'abstained',
}
registerEnumType(ClassificationMethod, {
  name: 'ClassificationMethod',
  description:
    'What decided the domain: the nearest example phrases, the trained classifier, a language model, the sender; or nothing was likely enough',
})

export enum SentimentLabel {
  POSITIVE = 'positive',
  NEUTRAL = 'neutral',
  NEGATIVE = 'negative',
}
registerEnumType(SentimentLabel, { name: 'SentimentLabel', description: 'Sentiment of an expression' })

export enum StepStatus {
  OK = 'ok',
  SKIPPED = 'skipped',
  FAILED = 'failed',
}
registerEnumType(StepStatus, {
  name: 'PipelineStepStatus',
  description: 'SKIPPED: there was nothing to do; FAILED: its findings are missing',
})

export enum LocationPrecision {
  EXACT = 'exact',
  ADDRESS = 'address',
  STREET = 'street',
  CITY = 'city',
  REGION = 'region',
  COUNTRY = 'country',
}
registerEnumType(LocationPrecision, {
  name: 'LocationPrecision',
  description: 'How exactly a place is known. EXACT: coordinates as they were given; the others: the smallest unit that was found',
})

export enum ToxicityFlag {
  INSULT = 'insult',
  THREAT = 'threat',
  HATE = 'hate',
  SHOUTING = 'shouting',
}
registerEnumType(ToxicityFlag, { name: 'ToxicityFlag', description: 'How a text may hurt people. SHOUTING: it is in capitals' })

export enum PersonalDataType {
  EMAIL = 'email',
  IBAN = 'iban',
  NATIONAL_ID = 'national_id',
  PAYMENT_CARD = 'payment_card',
  PHONE = 'phone',
}
registerEnumType(PersonalDataType, { name: 'PersonalDataType', description: 'A kind of personal data that is taken out of a text' })
