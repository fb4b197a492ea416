/** A sentence of the graph for those who know its `externalId` as `external_id`, the one member of two words that sentences name. */
export const spelledForRest = (sentence: string): string => sentence.replaceAll(/\bexternalId\b/g, 'external_id')
