/** How what is said is shown. */
export const layerChoices = ['rings', 'heat', 'districts'] as const
export type LayerChoice = (typeof layerChoices)[number]
