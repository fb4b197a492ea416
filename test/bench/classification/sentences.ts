/** Texts that the benchmarks post as expressions. */
export const frenchSentences = [
  'Depuis trois jours il n’y a plus d’eau au robinet dans notre quartier, c’est inadmissible.',
  'Le bus de la ligne 12 ne passe plus le soir à Ouagadougou.',
  'Les lampadaires de notre avenue sont éteints depuis un mois.',
  'Merci aux infirmières du dispensaire de Thiès, elles sont formidables.',
  'L’école manque de bancs et le toit fuit quand il pleut.',
  'Les ordures débordent devant le marché, personne ne vient les chercher.',
  'Le réseau internet tombe chaque après-midi à Ziguinchor.',
  'La mairie répond enfin aux courriers, bravo.',
] as const
