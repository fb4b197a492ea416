/** Converts a GraphQL message for REST: `externalId` becomes `external_id`, the only member with two words in messages. */
export const spelledForRest = (sentence: string): string => sentence.replaceAll(/\bexternalId\b/g, 'external_id')
