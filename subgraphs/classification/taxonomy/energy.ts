import type { DomainSource } from './domain-source.ts'

export const energy: DomainSource = {
  id: 'energy',
  label: { fr: 'Énergie', en: 'Energy', ar: 'الطاقة' },
  subDomains: [
    {
      slug: 'outages',
      label: { fr: 'Coupures de courant', en: 'Power cuts', ar: 'انقطاع الكهرباء' },
      examples: {
        fr: {
          negative: [
            'Coupure de courant tous les soirs',
            'Le transformateur est en panne depuis lundi',
            'Les délestages abîment nos appareils',
            "Le courant saute dès qu'il y a du vent",
          ],
          neutral: ['Une coupure de courant programmée aura lieu dimanche'],
          positive: ['Zéro coupure depuis deux mois, félicitations à la compagnie'],
        },
        en: {
          negative: [
            'Power cut every evening',
            'The transformer has been broken since Monday',
            'Load shedding damages our appliances',
            'The electricity trips whenever the wind blows',
          ],
          neutral: ['A planned outage will take place on Sunday'],
          positive: ['Not one blackout in two months, congratulations to the company'],
        },
        ar: {
          negative: ['الكهرباء تنقطع كل مساء', 'المحول معطل منذ الاثنين', 'تخفيف الأحمال يتلف أجهزتنا', 'التيار ينقطع كلما هبت الريح'],
          neutral: ['انقطاع مبرمج للكهرباء يوم الأحد للصيانة'],
          positive: ['لم ينقطع التيار منذ شهرين، تهانينا للشركة'],
        },
      },
      words: {
        fr: 'électricité courant coupure délestage panne transformateur câble tension disjoncteur réseau électrique groupe électrogène noir obscurité bougie générateur frigo congélateur ventilateur jus lumière coupée',
        en: 'electricity power outage cut blackout load shedding transformer cable voltage grid generator breaker load-shedding dark candle candles fuse fridge freezer fan lights out off trips current',
        ar: 'كهرباء الكهرباء التيار انقطاع محول كابل توتر شبكة كهربائية مولد عطل تيار ظلام شموع شمعة ثلاجة مروحة أعطال ضوء مقطوع',
      },
    },
    {
      slug: 'connection-rural',
      label: { fr: 'Raccordement et électrification rurale', en: 'Connection and rural electrification', ar: 'الربط وكهربة الأرياف' },
      examples: {
        fr: {
          negative: [
            "Notre village n'est pas encore électrifié",
            "J'attends mon raccordement électrique depuis un an",
            'Les poteaux sont là mais il n’y a pas de fil',
            'Les fils passent au-dessus de nos toits mais on nous refuse le branchement',
          ],
          neutral: ['Le dossier de raccordement se dépose en agence'],
          positive: ['La lumière est arrivée au village, tout le monde danse'],
        },
        en: {
          negative: [
            'Our village has no electricity yet',
            'I have waited a year for my power connection',
            'The poles are there but there is no wire',
            'Cables pass over our roofs yet we are refused a connection',
          ],
          neutral: ['Applications for a connection are handed in at the depot'],
          positive: ['The grid reached our village and everyone is celebrating'],
        },
        ar: {
          negative: [
            'قريتنا لم تصلها الكهرباء بعد',
            'أنتظر ربط منزلي بالكهرباء منذ سنة',
            'الأعمدة موجودة لكن بلا أسلاك',
            'الأسلاك تمر فوق سطوحنا ويرفضون ربطنا بالشبكة',
          ],
          neutral: ['يودع ملف الربط بالكهرباء في الوكالة'],
          positive: ['دخل النور قريتنا والجميع يحتفل'],
        },
      },
      words: {
        fr: 'raccordement branchement électrification poteau compteur électrique fil ligne abonnement village câble réseau sans électricité hameau brancher',
        en: 'connection electrification pole meter wire line hookup connected electric village grid poles cable cables off-grid transformer rural paraffin kerosene',
        ar: 'ربط توصيل كهربة عمود أعمدة أسلاك عداد كهربائي سلك كابل شبكة كهربائية قرية بدون كهرباء فانوس',
      },
    },
    {
      slug: 'bills-prices',
      label: { fr: 'Factures et prix', en: 'Bills and prices', ar: 'الفواتير والأسعار' },
      examples: {
        fr: {
          negative: [
            "La facture d'électricité est exorbitante",
            'La bouteille de gaz a encore augmenté',
            'Le prépaiement se vide en deux jours',
            "On me facture des kilowattheures que je n'ai pas consommés",
          ],
          neutral: ['Le relevé du compteur électrique se fait le 20 du mois'],
          positive: ['Le tarif social allège vraiment ma facture de gaz'],
        },
        en: {
          negative: [
            'The electricity bill is outrageous',
            'The gas bottle has gone up again',
            'Prepaid credit is used up in two days',
            'I am charged for kilowatts I never used',
          ],
          neutral: ['Meter readings are taken on the twentieth'],
          positive: ['The social tariff really lightened my gas bill'],
        },
        ar: {
          negative: [
            'فاتورة الكهرباء باهظة',
            'قنينة الغاز ارتفع سعرها من جديد',
            'رصيد العداد المسبق ينفد في يومين',
            'يحاسبونني على كهرباء لم أستهلكها',
          ],
          neutral: ['قراءة العداد تتم يوم العشرين من كل شهر'],
          positive: ['التسعيرة الاجتماعية خففت فاتورتي كثيرا'],
        },
      },
      words: {
        fr: "facture électricité gaz bouteille butane prépayé kilowatt tarif consommation chauffage pétrole mazout d'électricité compteur recharge bonbonne charbon bois de chauffe fournisseur",
        en: 'electricity bill gas bottle butane prepaid kilowatt tariff consumption heating oil kerosene meter token tokens cylinder charcoal firewood supplier unit units',
        ar: 'فاتورة الكهرباء غاز قنينة بوتان كيلوواط تعرفة استهلاك تدفئة نفط عداد مسبق الدفع شحن تعريفة فحم حطب',
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
        fr: {
          negative: [
            'Les lampadaires sont éteints, la rue est dans le noir',
            'Il faut des panneaux solaires pour l’école et le dispensaire',
            "Les ampoules de l'avenue ont grillé et c'est dangereux la nuit",
          ],
          neutral: ['Des candélabres à énergie solaire seront posés en avril'],
          positive: ['Merci pour les nouvelles lampes solaires de la place', "Notre rue est bien éclairée maintenant, c'est agréable"],
        },
        en: {
          negative: [
            'Street lights are off and the street is dark',
            'We need solar panels for the public buildings',
            'Lamp posts are dark and it is dangerous at night',
          ],
          neutral: ['Solar lamp posts will be fitted in April'],
          positive: ['Thank you for the new solar lamps on the square', 'Our road is well lit now, so pleasant'],
        },
        ar: {
          negative: ['أعمدة الإنارة مطفأة والشارع مظلم', 'نحتاج إلى ألواح شمسية للمباني العمومية', 'مصابيح الشارع محترقة والليل خطير'],
          neutral: ['ستركب أعمدة تعمل بالطاقة الشمسية في أبريل'],
          positive: ['شكرا على المصابيح الشمسية الجديدة في الساحة', 'شارعنا مضاء جيدا الآن وهذا جميل'],
        },
      },
      words: {
        fr: 'éclairage public lampadaire lampe ampoule solaire panneau photovoltaïque éolienne énergie renouvelable noir lumière réverbère candélabre batterie biogaz obscurité nocturne éclairé',
        en: 'street lighting lamp post bulb solar panel photovoltaic wind turbine renewable energy dark light lights lamps lamppost panels battery biogas unlit lit',
        ar: 'إنارة مصباح مصابيح شمسية ألواح طاقة متجددة رياح ظلام ضوء لمبة إضاءة أعمدة الإنارة بطارية مظلم مضاء',
      },
    },
  ],
}
