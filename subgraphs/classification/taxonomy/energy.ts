import type { DomainSource } from './domain-source.ts'

export const energy: DomainSource = {
  id: 'energy',
  label: { fr: 'Énergie', en: 'Energy', ar: 'الطاقة' },
  subDomains: [
    {
      slug: 'outages',
      label: { fr: 'Coupures de courant', en: 'Power cuts', ar: 'انقطاع الكهرباء' },
      examples: {
        fr: ['Coupure de courant tous les soirs', 'Le transformateur est en panne depuis lundi', 'Les délestages abîment nos appareils'],
        en: ['Power cut every evening', 'The transformer has been broken since Monday', 'Load shedding damages our appliances'],
        ar: ['الكهرباء تنقطع كل مساء', 'المحول معطل منذ الاثنين', 'تخفيف الأحمال يتلف أجهزتنا'],
      },
      words: {
        fr: 'électricité courant coupure délestage panne transformateur câble tension disjoncteur réseau électrique groupe électrogène',
        en: 'electricity power outage cut blackout load shedding transformer cable voltage grid generator breaker',
        ar: 'كهرباء الكهرباء التيار انقطاع محول كابل توتر شبكة كهربائية مولد عطل',
      },
    },
    {
      slug: 'connection-rural',
      label: { fr: 'Raccordement et électrification rurale', en: 'Connection and rural electrification', ar: 'الربط وكهربة الأرياف' },
      examples: {
        fr: [
          "Notre village n'est pas encore électrifié",
          "J'attends mon raccordement électrique depuis un an",
          'Les poteaux sont là mais il n’y a pas de fil',
        ],
        en: [
          'Our village has no electricity yet',
          'I have waited a year for my power connection',
          'The poles are there but there is no wire',
        ],
        ar: ['قريتنا لم تصلها الكهرباء بعد', 'أنتظر ربط منزلي بالكهرباء منذ سنة', 'الأعمدة موجودة لكن بلا أسلاك'],
      },
      words: {
        fr: 'raccordement branchement électrification poteau compteur électrique fil ligne abonnement village',
        en: 'connection electrification pole meter wire line hookup connected electric village',
        ar: 'ربط توصيل كهربة عمود أعمدة أسلاك عداد كهربائي سلك',
      },
    },
    {
      slug: 'bills-prices',
      label: { fr: 'Factures et prix', en: 'Bills and prices', ar: 'الفواتير والأسعار' },
      examples: {
        fr: ["La facture d'électricité est exorbitante", 'La bouteille de gaz a encore augmenté', 'Le prépaiement se vide en deux jours'],
        en: ['The electricity bill is outrageous', 'The gas bottle has gone up again', 'Prepaid credit is used up in two days'],
        ar: ['فاتورة الكهرباء باهظة', 'قنينة الغاز ارتفع سعرها من جديد', 'رصيد العداد المسبق ينفد في يومين'],
      },
      words: {
        fr: 'facture électricité gaz bouteille butane prépayé kilowatt tarif consommation chauffage pétrole mazout',
        en: 'electricity bill gas bottle butane prepaid kilowatt tariff consumption heating oil kerosene',
        ar: 'فاتورة الكهرباء غاز قنينة بوتان كيلوواط تعرفة استهلاك تدفئة نفط',
      },
    },
    {
      slug: 'lighting-renewables',
      label: {
        fr: 'Éclairage public et énergies renouvelables',
        en: 'Street lighting and renewables',
        ar: 'الإنارة العمومية والطاقات المتجددة',
      },
      examples: {
        fr: [
          'Les lampadaires sont éteints, la rue est dans le noir',
          'Il faut des panneaux solaires pour l’école et le dispensaire',
          'Merci pour les nouvelles lampes solaires de la place',
        ],
        en: [
          'Street lights are off and the street is dark',
          'We need solar panels for the public buildings',
          'Thank you for the new solar lamps on the square',
        ],
        ar: ['أعمدة الإنارة مطفأة والشارع مظلم', 'نحتاج إلى ألواح شمسية للمباني العمومية', 'شكرا على المصابيح الشمسية الجديدة في الساحة'],
      },
      words: {
        fr: 'éclairage public lampadaire lampe ampoule solaire panneau photovoltaïque éolienne énergie renouvelable noir lumière',
        en: 'street lighting lamp post bulb solar panel photovoltaic wind turbine renewable energy dark light',
        ar: 'إنارة مصباح مصابيح شمسية ألواح طاقة متجددة رياح ظلام ضوء لمبة',
      },
    },
  ],
}
