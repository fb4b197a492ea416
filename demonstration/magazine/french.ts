import type { Article } from './article.ts'

/** Civic life explained to those who live it: written for this platform. */
export const french: readonly Article[] = [
  {
    name: 'eau',
    title: 'L’eau, du forage au robinet',
    summary: 'D’où vient l’eau que nous buvons, qui en répond, et ce que chacun peut faire pour qu’elle reste potable.',
    body: `Un verre d’eau passe par beaucoup de mains avant d’arriver dans les nôtres : celles qui creusent, qui pompent, qui traitent, qui réparent et qui encaissent.
Quand une seule fait défaut, tout le quartier le sent.

Cette partie raconte ce chemin. Elle dit aussi **à qui s’adresser** quand il s’interrompt.`,
    inside: [
      {
        name: 'eau-potable-a-la-maison',
        title: 'Rendre l’eau potable à la maison',
        summary: 'Trois gestes éprouvés quand l’eau du robinet manque ou qu’on n’est plus sûr d’elle.',
        body: `Une eau claire n’est pas forcément une eau sûre. Les microbes qui donnent la diarrhée ne se voient pas, ne se sentent pas et n’ont pas de goût.

## Trois gestes

1. **Laisser reposer.** Si l’eau est trouble, la laisser décanter, puis la verser doucement à travers un linge propre plié en quatre.
2. **Tuer les microbes.** Porter l’eau à *gros bouillons* pendant une minute, trois minutes en altitude. Sans bois ni gaz : des comprimés de chlore, en suivant leur notice.
3. **Garder à l’abri.** Un récipient propre, à col étroit et couvert. On verse ; on ne puise pas avec une tasse.

## Ce que chaque méthode fait, et ne fait pas

| Méthode | Contre les microbes | Contre les produits chimiques | Coût |
|---|:---:|:---:|---:|
| Faire bouillir | oui | non | combustible |
| Chlorer | oui, sauf quelques parasites | non | faible |
| Filtre en céramique | bactéries et parasites | non | à l’achat |
| Soleil, bouteille transparente, 6 heures | oui, si l’eau est claire | non | aucun |

> Aucune de ces méthodes n’enlève l’arsenic, le fluor ou les pesticides. Devant une odeur d’essence ou un goût inhabituel, il faut une autre source et un signalement.

## Si un enfant a la diarrhée

Il faut le faire boire, beaucoup et souvent. Un sachet de sels de réhydratation pour un litre d’eau propre est le plus sûr. Sans sachet : un litre d’eau propre, six cuillères à café **rases** de sucre, une
demi-cuillère à café **rase** de sel. Du sang dans les selles, des yeux creux, un enfant qui ne boit plus : c’est le centre de santé, tout de suite.`,
      },
      {
        name: 'facture-d-eau',
        title: 'Lire sa facture d’eau',
        summary: 'Index, tranches, redevances : ce que l’on paie vraiment, et comment contester une erreur.',
        body: `Une facture d’eau répond à trois questions : combien j’ai consommé, à quel prix, et pour payer quoi.

## Combien

Le compteur avance en mètres cubes. Un mètre cube fait **1 000 litres**, soit une cinquantaine de seaux de vingt litres.

\`\`\`text
nouvel index    482 m³
ancien index  − 470 m³
consommation =   12 m³
\`\`\`

Si l’index écrit sur la facture n’est pas celui du compteur, l’agent a estimé au lieu de relever. Une photo datée du compteur suffit en général à faire corriger.

## À quel prix

La plupart des services pratiquent un tarif *progressif* : les premiers mètres cubes, ceux qui font vivre une famille, sont les moins chers. Plusieurs ménages derrière un seul compteur passent vite dans la tranche
chère, sans gaspiller. Demandez si un compteur par ménage est possible.

## Contester

- Écrire au service avant la date limite, en gardant une copie.
- Joindre la photo du compteur et les deux factures précédentes.
- Payer la part que l’on ne conteste pas : la coupure devient alors difficile à justifier.
- Sans réponse au bout d’un mois, saisir le médiateur ou le régulateur, quand il y en a un.`,
      },
      {
        name: 'comite-point-d-eau',
        title: 'Faire vivre un comité de point d’eau',
        summary: 'Une pompe tombe rarement en panne d’un coup. Un petit comité qui tient ses comptes la garde en marche.',
        body: `Les pompes ne manquent pas d’eau : elles manquent d’une pièce à quelques milliers de francs, et de quelqu’un qui ait l’argent pour l’acheter le jour même.

## Qui fait quoi

| Rôle | Tâche | Rend compte |
|---|---|---|
| Présidente ou président | réunit, parle à la mairie | chaque trimestre |
| Trésorière ou trésorier | encaisse, note, garde | chaque mois |
| Gardien ou gardienne | ouvre, nettoie, surveille | chaque semaine |
| Réparatrice ou réparateur | graisse, resserre, remplace | à chaque visite |

## Quatre règles simples

1. Autant de femmes que d’hommes, et pas seulement sur la liste : ce sont elles qui savent quand la pompe faiblit.
2. Deux signatures pour sortir de l’argent.
3. Le cahier des comptes est affiché à la pompe, pas rangé dans une armoire.
4. Une réserve : de quoi payer **une grosse réparation**, avant toute autre dépense.

La pompe qui fait vingt coups à vide avant de donner prévient. L’écouter coûte moins cher que la remplacer.`,
      },
    ],
  },
  {
    name: 'identite',
    title: 'Votre identité, vos données',
    summary: 'Exister pour l’administration, prouver qui l’on est, et garder la main sur ce qu’elle sait de nous.',
    body: `Sans acte de naissance, pas d’examen, pas de compte, pas de vote. L’identité ouvre toutes les autres portes, et c’est pourquoi elle mérite d’être protégée.

Vous trouverez ici comment l’obtenir, comment une vérification à distance se passe, et quels droits vous gardez.`,
    inside: [
      {
        name: 'declarer-une-naissance',
        title: 'Déclarer une naissance',
        summary: 'Un geste gratuit dans les premières semaines, un parcours long après. Mieux vaut ne pas attendre.',
        body: `L’enregistrement à la naissance est un droit de l’enfant, inscrit à l’article 7 de la *Convention relative aux droits de l’enfant*. Il ne dépend ni du mariage des parents, ni de leurs papiers.

## À apporter

- le certificat remis par la maternité, ou le témoignage de la sage-femme ;
- une pièce d’identité d’un parent, quand il y en a une ;
- le prénom choisi, écrit exactement comme on veut le voir pendant toute une vie.

## Relire avant de signer

Une lettre fausse sur un acte se corrige devant un juge ; au guichet, elle se corrige au crayon. Relire à voix haute le nom, la date, le lieu et le nom des deux parents.

> Passé le délai légal, il faut un jugement supplétif. C’est plus long et souvent payant, mais jamais trop tard : demandez à la mairie les dates des audiences foraines, qui viennent jusque dans les villages.`,
      },
      {
        name: 'verification-a-distance',
        title: 'Prouver son identité à distance',
        summary: 'Un selfie, une pièce d’identité, une réponse motivée : ce qui se passe entre l’envoi et le résultat.',
        body: `Vérifier une identité à distance, c’est répondre à une seule question : *la personne qui demande est-elle bien celle de la pièce qu’elle montre ?*

## Les étapes

1. Vous envoyez une photo de vous, une photo de la pièce et ce que vous déclarez.
2. Les deux visages sont comparés, le document est lu, ses chiffres de contrôle sont recalculés.
3. Vous recevez un résultat **et ses raisons**. Quand les machines hésitent, une personne regarde.
4. Les images sont effacées dès que la vérification se termine.

## Réussir sa photo

| À faire | À éviter |
|---|---|
| lumière du jour, de face | contre-jour, flash sur le plastique |
| pièce à plat, quatre coins visibles | doigts sur la zone de chiffres |
| visage entier, lunettes ôtées | filtre, photo d’une photo |

## Si l’on vous refuse

Un refus se discute. Demandez la raison écrite, recommencez une fois avec une meilleure photo, puis demandez un examen par une personne. Personne ne doit perdre un droit parce qu’un appareil l’a mal vu.`,
      },
      {
        name: 'droits-sur-ses-donnees',
        title: 'Cinq droits sur ses données',
        summary: 'Savoir, voir, corriger, effacer, s’opposer : le minimum que l’on peut attendre de qui garde des informations sur nous.',
        body: `Beaucoup de pays ont désormais une loi sur les données personnelles. Les mots changent ; cinq droits reviennent presque partout.

1. **Savoir** qui garde quoi, pourquoi et combien de temps.
2. **Voir** ce qui est gardé, dans une forme lisible.
3. **Corriger** ce qui est faux.
4. **Effacer** ce qui n’a plus de raison d’être gardé.
5. **S’opposer** à un usage, et demander qu’une personne revoie une décision prise par une machine.

## Une lettre qui suffit

> Madame, Monsieur, je vous prie de m’indiquer les données que vous détenez à mon sujet, leur origine, leur usage, leur durée de conservation et les personnes à qui elles ont été transmises.

Datez, signez, joignez une copie de votre pièce en barrant le numéro s’il n’est pas nécessaire. Sans réponse dans le délai légal, l’autorité de protection des données peut être saisie gratuitement.`,
      },
    ],
  },
  {
    name: 'decider',
    title: 'Décider ensemble',
    summary: 'Voter, déléguer, débattre, évaluer : comment une voix devient une décision.',
    body: `La démocratie ne tient pas dans un bulletin tous les cinq ans. Elle se joue aussi dans une réunion de quartier bien menée, dans un avis donné à temps, dans une voix confiée à quelqu’un qui connaît le sujet.`,
    inside: [
      {
        name: 'deleguer-sa-voix',
        title: 'Déléguer sa voix, sujet par sujet',
        summary: 'Confier son vote sur l’école à une institutrice et celui sur les routes à un voisin maçon, et pouvoir les reprendre.',
        body: `On ne peut pas tout suivre. Déléguer, c’est dire : *sur ce sujet, je fais confiance à cette personne, jusqu’à nouvel ordre.*

## Ce qui distingue une délégation d’une élection

- Elle porte **sur un sujet**, pas sur tout.
- Elle se **retire à tout moment**, sans justification.
- Elle a une **date de fin**, pour que l’oubli ne fasse pas loi.
- Qui vote soi-même passe toujours avant la personne à qui il a délégué.

## Trois précautions

1. Demander à la personne si elle accepte. Une voix non voulue est une voix perdue.
2. Regarder une fois par saison ce qui a été voté en son nom.
3. Se méfier des délégations qui s’accumulent : au-delà d’un certain poids, la confiance devient du pouvoir.`,
      },
      {
        name: 'reunion-de-quartier',
        title: 'Réussir une réunion de quartier',
        summary: 'Une heure et demie, un ordre du jour de trois points, et des tours de parole qui laissent parler les timides.',
        body: `## Avant

- Afficher l’ordre du jour une semaine avant, là où tout le monde passe : la pompe, le marché, la mosquée, l’église, l’école.
- **Trois points, pas plus.** Un quatrième se traite la fois suivante.
- Choisir une heure où les femmes, les commerçants et les élèves peuvent venir.

## Pendant

| Minutes | Ce qui se passe |
|---:|---|
| 0–10 | accueil, rappel de ce qui a été décidé la dernière fois, et de ce qui a été fait |
| 10–70 | trois points, vingt minutes chacun : exposé, questions, décision |
| 70–85 | parole libre, deux minutes par personne |
| 85–90 | relire à voix haute : *qui fait quoi, pour quand* |

Une personne donne la parole, une autre regarde l’heure, une troisième écrit. Ce ne sont pas les mêmes.

## Après

Un compte rendu d’une page, affiché au même endroit dans les trois jours. Ce qui n’est pas écrit n’a pas été décidé.`,
      },
      {
        name: 'donner-son-avis',
        title: 'Donner un avis qui compte',
        summary: 'Dire le lieu, le moment, le fait et la demande : quatre éléments qui font passer une plainte à l’action.',
        body: `« L’école est nulle » soulage. « À l’école du secteur 4, le CE2 n’a pas de maître depuis le 3 novembre ; nous demandons un remplaçant avant les examens » se traite.

## La règle des quatre

1. **Où** : un nom de lieu que d’autres connaissent.
2. **Quand** : depuis une date, à quelle heure.
3. **Quoi** : ce que vous avez vu, pas ce que l’on vous a dit.
4. **Demande** : ce qui réglerait la question, et qui peut le faire.

Inutile de donner des noms, des numéros ou des adresses privées : un avis public doit pouvoir être lu par tous sans blesser personne. Dites aussi ce qui marche. Un service qui s’améliore a besoin de savoir pourquoi.`,
      },
    ],
  },
  {
    name: 'budget',
    title: 'L’argent de la commune',
    summary: 'D’où il vient, où il va, et comment le suivre sans être comptable.',
    body: `Le budget est une promesse chiffrée. Il dit mieux qu’un discours ce qu’une équipe veut faire, et il permet de vérifier, un an plus tard, ce qui l’a été.`,
    inside: [
      {
        name: 'lire-le-budget',
        title: 'Lire un budget communal en dix minutes',
        summary: 'Deux colonnes, deux sections, quatre questions.',
        body: `Un budget communal a **deux sections**. Le *fonctionnement* paie ce qui revient chaque année : salaires, carburant, entretien. L’*investissement* paie ce qui reste : une école, un pont, un camion.

Dans chacune, les recettes doivent couvrir les dépenses.

## Un exemple, pour 1 000 francs

| Dépense | Francs |
|---|---:|
| Salaires | 380 |
| Entretien des écoles et des centres de santé | 170 |
| Eau et propreté | 140 |
| Routes et marchés | 190 |
| État civil et administration | 70 |
| Réserve | 50 |
| **Total** | **1 000** |

## Quatre questions à poser

1. Quelle part va à l’investissement ? Sous un cinquième, la commune vit au jour le jour.
2. D’où viennent les recettes : d’ici, ou d’une dotation qui peut s’arrêter ?
3. Qu’est-ce qui était prévu l’an dernier et n’a pas été fait ?
4. Où puis-je voir les factures ?`,
      },
      {
        name: 'budget-participatif',
        title: 'Le budget participatif, pas à pas',
        summary: 'Laisser les habitants décider d’une part du budget : un calendrier sur douze mois.',
        body: `L’idée est née à Porto Alegre, au Brésil, en 1989. Elle a depuis fait le tour du monde, dans des villes riches et des communes rurales.

1. **Janvier** : le conseil vote la somme que les habitants répartiront, et s’engage à l’exécuter.
2. **Février à avril** : chaque quartier propose. Aucune idée n’est écartée à ce stade.
3. **Mai et juin** : les services chiffrent. Une idée impossible reçoit une réponse écrite.
4. **Septembre** : le vote, sur place et à distance.
5. **Octobre** : les projets retenus entrent dans le budget.
6. **L’année suivante** : un panneau devant chaque chantier, avec le prix et la date promise.

Ce qui tue un budget participatif n’est pas le manque d’argent : c’est un projet voté et jamais commencé.`,
      },
      {
        name: 'marche-public',
        title: 'Suivre un marché public',
        summary: 'De l’annonce à la réception du chantier : les moments où un citoyen peut regarder.',
        body: `Quand une commune achète, elle doit en principe faire jouer la concurrence. Cinq moments se prêtent à un regard extérieur.

- **L’annonce.** Est-elle publique, avec un délai suffisant pour répondre ?
- **L’ouverture des offres.** Elle est souvent publique : on peut y assister.
- **L’attribution.** Le nom et le prix de l’entreprise retenue doivent être affichés.
- **Le chantier.** Un panneau dit qui construit, pour combien, jusqu’à quand.
- **La réception.** Avant de payer le solde, la commune vérifie. Une photo d’une fissure, ce jour-là, vaut cent plaintes ensuite.

Trois signaux qui méritent une question : un délai d’annonce de quelques jours, un seul candidat, des avenants qui doublent le prix.`,
      },
    ],
  },
]
