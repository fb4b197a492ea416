import { registerEnum } from '../../../foundation/graphql/enum-type.ts'

export enum ExpressionStatus {
  INDEXED = 'indexed',
  PENDING = 'pending',
}
registerEnum(ExpressionStatus, {
  name: 'ExpressionStatus',
  description: 'Indexing status of an expression.',
  values: {
    INDEXED: 'The expression is searchable.',
    PENDING: 'The expression is stored and will be indexed.',
  },
})

export enum ClassificationMethod {
  KNN = 'knn',
  NEURAL = 'neural',
  LLM = 'llm',
  HINT = 'hint',
  ABSTAINED = 'abstained',
}
registerEnum(ClassificationMethod, {
  name: 'ClassificationMethod',
  description: 'Method that decided the domain.',
  values: {
    KNN: 'The most similar example phrases decided.',
    NEURAL: 'The trained classifier decided.',
    LLM: 'A language model decided.',
    HINT: 'The sender supplied the domain.',
    ABSTAINED: 'No domain scored high enough.',
  },
})

export enum SentimentLabel {
  POSITIVE = 'positive',
  NEUTRAL = 'neutral',
  NEGATIVE = 'negative',
}
registerEnum(SentimentLabel, {
  name: 'SentimentLabel',
  description: 'Sentiment of an expression.',
  values: {
    POSITIVE: 'Positive sentiment.',
    NEUTRAL: 'Neutral sentiment.',
    NEGATIVE: 'Negative sentiment.',
  },
})

export enum StepStatus {
  OK = 'ok',
  SKIPPED = 'skipped',
  FAILED = 'failed',
}
registerEnum(StepStatus, {
  name: 'PipelineStepStatus',
  description: 'Status of a pipeline step.',
  values: {
    OK: 'The step succeeded.',
    SKIPPED: 'The step did not apply to the expression.',
    FAILED: 'The step failed; its results are missing.',
  },
})

export enum LocationPrecision {
  EXACT = 'exact',
  ADDRESS = 'address',
  STREET = 'street',
  CITY = 'city',
  REGION = 'region',
  COUNTRY = 'country',
}
registerEnum(LocationPrecision, {
  name: 'LocationPrecision',
  description: 'Precision of a location: exact coordinates, or the smallest administrative unit that was recognised.',
  values: {
    EXACT: 'Coordinates that the sender supplied.',
    ADDRESS: 'An address with a number.',
    STREET: 'A street.',
    CITY: 'A town or city.',
    REGION: 'A region.',
    COUNTRY: 'A country.',
  },
})

export enum ToxicityFlag {
  INSULT = 'insult',
  THREAT = 'threat',
  HATE = 'hate',
  SHOUTING = 'shouting',
}
registerEnum(ToxicityFlag, {
  name: 'ToxicityFlag',
  description: 'A kind of harmful language.',
  values: {
    INSULT: 'An insult.',
    THREAT: 'A threat.',
    HATE: 'Hate speech.',
    SHOUTING: 'Text in capital letters.',
  },
})

export enum PersonalDataType {
  EMAIL = 'email',
  IBAN = 'iban',
  NATIONAL_ID = 'national_id',
  PAYMENT_CARD = 'payment_card',
  PHONE = 'phone',
}
registerEnum(PersonalDataType, {
  name: 'PersonalDataType',
  description: 'A kind of personal data that is removed from a text.',
  values: {
    EMAIL: 'An e-mail address.',
    IBAN: 'An international bank account number.',
    NATIONAL_ID: 'A national identification number.',
    PAYMENT_CARD: 'A payment card number.',
    PHONE: 'A telephone number.',
  },
})

export enum Moderation {
  HELD = 'held',
}
registerEnum(Moderation, {
  name: 'ExpressionModeration',
  description: 'Why an accepted expression is not public.',
  values: { HELD: 'Its toxicity reached MODERATION_THRESHOLD: no query and no stream returns it until a moderator releases it.' },
})
