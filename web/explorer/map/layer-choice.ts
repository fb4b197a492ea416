/** The layer of the map. */
export const layerChoices = ['rings', 'heat', 'districts'] as const
export type LayerChoice = (typeof layerChoices)[number]
