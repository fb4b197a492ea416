import type { LanguageSentences } from './sentences.ts'

export const french: LanguageSentences = {
  before: [
    'À {place}, on en parle tous les jours.',
    'J’habite {place} depuis dix ans.',
    'Je vous écris de {place}.',
    'Ici à {place}, voici ce que je vois.',
    'Un mot sur ce qui se passe à {place}.',
    'Mère de trois enfants à {place}.',
    'Je suis étudiant à {place}.',
    'Au nom des habitants de notre quartier.',
  ],
  after: {
    negative: [
      'Personne ne nous répond.',
      'C’est inadmissible, il faut agir vite.',
      'Nous sommes fatigués d’attendre.',
      'Ce sont les plus pauvres qui en souffrent.',
      'On a signalé le problème trois fois, sans résultat.',
    ],
    positive: [
      'Merci à toute l’équipe, continuez ainsi !',
      'Quel progrès par rapport à l’an dernier, bravo.',
      'J’en suis vraiment content.',
      'Cela change la vie des gens.',
    ],
    neutral: [
      'Que prévoit la mairie ?',
      'Je propose qu’on en discute au prochain conseil.',
      'À étudier.',
      'Merci de nous informer du calendrier.',
    ],
  },
  byDomain: {
    health: {
      negative: [
        'L’hôpital manque de lits et les urgences sont débordées.',
        'La pharmacie n’a plus de médicaments contre le paludisme depuis un mois.',
        'Ma mère a attendu neuf heures avant de voir un médecin.',
        'Le centre de santé n’a ni électricité ni sage-femme la nuit.',
        'Une consultation coûte plus que ce que je gagne en deux jours.',
      ],
      positive: [
        'Les infirmières du dispensaire sont formidables et très patientes.',
        'La nouvelle maternité est propre et bien équipée.',
        'La campagne de vaccination est passée dans chaque rue, un excellent travail.',
      ],
      neutral: ['Le centre de santé ouvre à huit heures et ferme à seize heures.', 'Une deuxième ambulance serait utile pour la commune.'],
    },
    education: {
      negative: [
        'Il y a quatre-vingts élèves dans la classe de mon fils.',
        'Le toit de l’école fuit et les cours s’arrêtent quand il pleut.',
        'Depuis la rentrée, le collège n’a pas de professeur de mathématiques.',
        'Les frais d’inscription de l’université ont encore augmenté, c’est injuste.',
      ],
      positive: [
        'La nouvelle institutrice fait aimer la lecture à toute la classe.',
        'La bibliothèque de l’école est une vraie réussite.',
        'Grâce à la bourse, ma fille a pu s’inscrire au lycée.',
      ],
      neutral: ['Les examens du second trimestre commencent en mars.', 'Pourquoi ne pas ouvrir la cantine aussi le mercredi ?'],
    },
    transport: {
      negative: [
        'La route est pleine de nids-de-poule et deux motos sont tombées cette semaine.',
        'Le bus passe une fois par heure, toujours bondé.',
        'Aucun passage piéton devant l’école, c’est dangereux.',
        'Le pont est fermé et le détour prend une heure.',
      ],
      positive: [
        'La nouvelle ligne de bus est ponctuelle et confortable.',
        'La rue a été bitumée en deux semaines, beau travail.',
        'La piste cyclable est agréable et sûre.',
      ],
      neutral: ['Les horaires du train changent lundi.', 'Un arrêt près du marché serait pratique.'],
    },
    'water-sanitation': {
      negative: [
        'Pas une goutte d’eau au robinet depuis trois jours.',
        'L’eau est trouble et sent mauvais, les enfants tombent malades.',
        'Les égouts débordent dans la rue à chaque pluie.',
        'La facture d’eau a doublé alors que les coupures continuent.',
      ],
      positive: [
        'Le nouveau forage donne enfin de l’eau propre à tout le quartier.',
        'Les latrines de l’école sont neuves et bien entretenues.',
        'La fuite a été réparée le jour même, merci.',
      ],
      neutral: ['La borne-fontaine est ouverte de six à dix heures.', 'Quand le réseau d’assainissement arrivera-t-il jusqu’ici ?'],
    },
    energy: {
      negative: [
        'Coupures de courant chaque soir entre dix-neuf heures et minuit.',
        'Le congélateur est resté sans électricité et j’ai perdu toute ma marchandise.',
        'Le prix du gaz est devenu insupportable.',
        'Le compteur prépayé mange le crédit, personne ne sait pourquoi.',
      ],
      positive: [
        'Les lampadaires solaires ont rendu la rue plus sûre, c’est parfait.',
        'L’électricité est enfin arrivée au village, quelle joie.',
        'Le branchement a été fait rapidement et proprement.',
      ],
      neutral: ['Le délestage est annoncé pour jeudi matin.', 'Des panneaux solaires sur le toit de la mairie seraient une idée.'],
    },
    'housing-urbanism': {
      negative: [
        'Les loyers ont augmenté de moitié en un an.',
        'On construit sans permis sur le terrain réservé au jardin public.',
        'L’immeuble est fissuré et menace de s’effondrer.',
        'Ma demande de logement social attend depuis quatre ans.',
      ],
      positive: [
        'Le quartier rénové est magnifique, avec des arbres et des bancs.',
        'Les logements neufs sont lumineux et bien isolés.',
        'La place publique est devenue un lieu agréable pour tous.',
      ],
      neutral: ['Le plan d’urbanisme est affiché à la mairie jusqu’à vendredi.', 'Combien d’étages aura la nouvelle résidence ?'],
    },
    security: {
      negative: [
        'Trois vols de moto cette semaine dans notre rue.',
        'On n’ose plus sortir après vingt heures, il y a des agressions.',
        'La police met deux heures à venir.',
        'Les jeunes se battent près de la gare et tout le monde a peur.',
      ],
      positive: [
        'Les patrouilles du soir nous rassurent, bon travail.',
        'Les pompiers sont arrivés en cinq minutes et ont sauvé la maison.',
        'Le nouveau commissariat est accueillant et efficace.',
      ],
      neutral: ['Le commissariat déménage avenue de la Paix.', 'Un éclairage près du stade aiderait les passants.'],
    },
    'environment-waste': {
      negative: [
        'Les ordures ne sont plus ramassées depuis deux semaines, l’odeur est horrible.',
        'On brûle du plastique derrière les maisons et l’air est irrespirable.',
        'La rivière est polluée par l’usine, les poissons meurent.',
        'La plage est couverte de déchets.',
      ],
      positive: [
        'Le tri sélectif fonctionne bien et la rue est propre.',
        'Les jeunes ont planté deux cents arbres, magnifique.',
        'Le parc est superbe depuis son nettoyage.',
      ],
      neutral: ['Le camion de collecte passe le mardi et le samedi.', 'Des bacs de compost seraient possibles près du marché.'],
    },
    'employment-economy': {
      negative: [
        'Diplômé depuis trois ans, je ne trouve aucun emploi.',
        'Les prix au marché augmentent mais pas les salaires.',
        'Les petites entreprises paient leurs taxes et n’obtiennent aucun crédit.',
        'Mon patron ne m’a pas payé depuis deux mois.',
      ],
      positive: [
        'La formation professionnelle m’a permis de trouver un bon travail.',
        'Le microcrédit a aidé notre coopérative à grandir, merci.',
        'Le nouveau marché couvert est excellent pour les commerçantes.',
      ],
      neutral: ['Un forum de l’emploi se tient le mois prochain.', 'Quelles sont les conditions pour créer une entreprise ?'],
    },
    'public-services': {
      negative: [
        'Six mois d’attente pour un passeport, c’est honteux.',
        'Le guichet ferme à midi sans prévenir et il faut revenir demain.',
        'On me demande de l’argent pour un acte de naissance qui doit être gratuit.',
        'L’accueil à la préfecture est désagréable et personne n’explique rien.',
      ],
      positive: [
        'Ma carte d’identité était prête en une semaine, service impeccable.',
        'L’agent de la mairie a été aimable et très efficace.',
        'La démarche en ligne est simple et rapide.',
      ],
      neutral: ['La mairie est ouverte le samedi matin.', 'Où faut-il déposer une demande d’extrait de naissance ?'],
    },
    'justice-rights': {
      negative: [
        'Mon procès est reporté pour la cinquième fois.',
        'Les femmes n’osent pas porter plainte, personne ne les protège.',
        'Un avocat coûte trop cher pour les gens ordinaires.',
        'La corruption au tribunal détruit la confiance.',
      ],
      positive: [
        'L’aide juridique gratuite m’a permis de gagner mon affaire.',
        'La médiatrice a réglé notre conflit de terrain avec respect.',
        'Les personnes handicapées ont enfin une entrée adaptée, bravo.',
      ],
      neutral: ['Le tribunal tient audience le jeudi.', 'Quels documents faut-il pour une plainte ?'],
    },
    'agriculture-food': {
      negative: [
        'L’engrais est arrivé après les semis, la récolte est perdue.',
        'Le riz est devenu trop cher pour nos familles.',
        'Les troupeaux détruisent les champs et les conflits s’aggravent.',
        'La sécheresse a tué la moitié de mes bêtes.',
      ],
      positive: [
        'Les semences améliorées ont donné une très belle récolte.',
        'Le vétérinaire passe chaque mois, un service précieux.',
        'Le jardin communautaire nourrit vingt familles, quelle belle réussite.',
      ],
      neutral: ['Le marché aux bestiaux a lieu le dimanche.', 'Quand le magasin de semences ouvre-t-il ?'],
    },
    'digital-connectivity': {
      negative: [
        'Le réseau mobile coupe chaque après-midi, impossible de travailler.',
        'Internet coûte trop cher pour les étudiants.',
        'Le site de la mairie est toujours en panne.',
        'On a volé mon compte de paiement mobile et personne ne m’aide.',
      ],
      positive: [
        'La fibre est arrivée et la connexion est excellente.',
        'Le centre numérique forme gratuitement les jeunes, formidable.',
        'L’application de la commune est claire et utile.',
      ],
      neutral: ['L’antenne sera installée derrière le stade.', 'Le wifi public fonctionne jusqu’à vingt-deux heures.'],
    },
    'culture-sport-youth': {
      negative: [
        'Le terrain de football est devenu une décharge.',
        'Le centre de jeunes est fermé depuis un an, les enfants traînent dans la rue.',
        'Le festival a été annulé sans explication, quelle déception.',
        'La bibliothèque n’a pas acheté un seul livre neuf depuis des années.',
      ],
      positive: [
        'Le festival de musique était magnifique et bien organisé.',
        'Le nouveau gymnase est superbe, les enfants sont heureux.',
        'L’école de théâtre donne confiance à nos jeunes.',
      ],
      neutral: ['Le tournoi de quartier commence samedi.', 'Une piscine municipale est-elle prévue ?'],
    },
  },
}
