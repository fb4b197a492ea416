import { fold } from '../engines/models/text-classifier-features.ts'

/**
 * What words of civic complaints and thanks say, -3 to 3, by language: general lexicons do not know that a power cut is bad news.
 * Words of our own; a word at the end of an entry with `*` stands for all that begin so.
 */
export const civicWords: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  fr: valued({
    '-3': 'lamentable* honteu* scandal* inadmissible* catastroph* desastr* horrible* insupportable* corrompu* corruption mort morts meurt tue tues inacceptable* indign* effondre* insoutenable* ignoble* infame* repugnant* immonde* ecoeur* crever creve scandaleu* intolerable* revolt* calvaire cauchemar enfer',
    '-2': 'panne* coupure* coupe coupee coupes sale sales insalubre* pollue* deborde* casse* danger* vol vols voleur* agress* peur manque* penurie grave pire mauvais* nul nulle abandonne* degrade* impoli* injust* menace* cher chere chers cheres chereté chomage accident* epidemie malade* inond* incendie detruit* ferme fermee gaspill* fraude detourn* expuls* colere decu* triste* rupture refus* ignor* oubli* bruyant* marre honte mensonge* mentir arnaqu* galere* pue puant* infect* crasse cafard* rats moisi* souffr* pleur* inutile* incompetent* meprisan* mepris* raciste* pirate* racket* brule* bruit plainte agace* enerve* fatigu* epuis* delaiss* expulse* licenci* vole volee viré viree disparu* perdu* perte gachis desespoir desesper* inquiet* faim soif dangereu* pourri* pourrissent endett* bagarre* harcel* frappe*',
    '-1': 'retard* attend attendons attente lent lente lents lentement bouche* trop probleme* difficile* plainte* boue trou trous absent* insuffisant* delestage* embouteillage* interminable* penible compliqu* fuite poussiere introuvable* impossible* personne jamais encore bloque* coince* sature* bonde* mauvaise defaut peine boueu* obscur* froid humide* fissur* fui* bugg* bug saute',
    '1': 'propre* nouveau nouvelle* rapide* enfin utile* facile* calme* gratuit* repare* amelior* progres accueillant* renove* remis retabli* resolu* fonctionne* souriant* courtois* clair clairs joli* sympa* pratique* moderne*',
    '2': 'merci bravo felicit* content* satisfait* bien bon bonne excellent* agreable* efficace* serviable* competent* soulage* reconnaissan* aim* heureu* reussi* succes beau belle superbe bienvenue merci* chapeau ravie fier fiere fiers fieres bonheur joie plaisir chance grace benis* adore* super top genial chaleureu* devoue* patient patiente sauve* bijou impeccable* soigne* progresse* recommande* apprecie* respectueu* rassur* fete',
    '3': 'magnifique* formidable* parfait* extraordinaire* remarquable* genial* exceptionnel* admirable* ravi*',
  }),
  en: valued({
    '-3': 'disgrace* shameful scandal* unacceptable catastroph* disast* horrible unbearable corrupt* dead died kill* appalling disgusting filthy vile revolting hell nightmare disgusted murdered horrendous atrocious',
    '-2': 'outage* blackout* broken dirty filthy unsafe pollut* overflow* danger* thief thieves theft* stolen robb* attack* afraid lack* shortage* worse worst bad useless abandon* rude unfair threat* expensive unemploy* accident* epidemic sick ill flood* fire destroy* closed wast* fraud embezzl* evict* angry disappoint* sad refus* ignor* forgot* forgotten noisy collapse* neglect* fed tired stink* stench rudely liar lies lied scam* cheat* mugged snatched evicted sacked starv* hungry thirst* cry cries crying scared frightened terrified hurt pain painful rotten rot mould* leaking cracked crumbl* ruin* ashamed shame pathetic joke incompetent ignores racist hopeless desperate worry worried suffer* struggl* vanish* beaten beat harass* demolish* corruption jobless poison* overcrowded',
    '-1': 'delay* wait* slow* block* problem* difficult complain* mud pothole* hole holes absent insufficient queue* jam* painful complicated leak* dust missing cancel* nowhere late cold dark damp damaged fail* stuck crash* freez* unlit unpaid unable cannot overcharg* bumpy empty crowded loud',
    '1': 'clean new fast quick* finally useful easy calm free repair* fixed improv* progress welcoming reliable works sorted restored smooth tidy modern bright smiling handy welcome quick',
    '2': 'thank* congratulat* happy satisf* good well excellent pleasant efficient helpful competent relieved grateful love* success* beautiful friendly polite kind glad better proud joy blessing bless delight delights lovely nice superb great best cheers enjoy* appreciat* impress* comfortable respectful hope hopeful bravo congratulations thriving saved rescued',
    '3': 'wonderful magnificent perfect extraordinary remarkable brilliant exceptional admirable delighted fantastic amazing incredible awesome gorgeous unforgettable heroic heroes hero magical stunning splendid',
  }),
  ar: valued({
    '-3': 'فضيحه كارث* كارثي مخز* فظيع* لايطاق فاسد* فساد موت مات ماتوا يقتل تقتل انهيار كارثه مهزله خانق* مقرف* مقزز* كارثيه جريمه مذله عار خزي لاتطاق يموتون تموت قتل قتلوا جحيم مرعب* حسبنا',
    '-2': 'انقطاع منقطع مقطوع* معطل* عطل قذر* وسخ* ملوث* تلوث يفيض تفيض خطير* خطر سرقه سرقات لصوص اعتداء خوف نقص ينقص* سيء* سيئ* اسوا مهمل* وقح* ظلم ظالم تهديد غالي* غلاء باهظ* بطاله حادث حوادث مرض مريض* وباء فيضان* حريق مدمر دمر مغلق* تبذير احتيال اختلاس غاضب حزين رفض منسي* مظلم* مكسور* مهين* تعبنا تعبت تعبان متعب مللنا سئم* عيب حرام اهمال يهمل* نعاني يعاني* معاناه مكسر* تكسر* متهالك* ايل متشقق* تشقق* رطوبه عفن* فئران صراصير كريه* نتن* وسخه قذاره اوساخ زباله متراكم* يخنق* اختناق عطش عطشي جوع جياع جوعي فقر فقير سرقوا سرق* لص يسرق* ابتزاز تبتز رشوه رشاوي نهب* محسوبيه اختلس* خائف* خائفون نخاف يخفن مهدد* يهدد* ضربوا يضرب* صرخ* طرد* طردوا رفضوا ويرفضون يرفض* حرمان محروم* عنصري* سخروا تمييز ضاع* ضائع* خساره بخساره فاسده تالف* اتلف خراب مخرب* غرق* جرف* هدموا ينهار* انهار* تنهار* اعتقلوا عاطل* غال الغلاء مرتفع* باهظه مسموم* تسمم اسهال مغص جراد جفاف جاف* جافه متوقف* توقف* عاجز* يبالي مستحيل* سيئه كذب* وعود فوضي ازعاج ضجيج',
    '-1': 'تاخر* متاخر* انتظار ننتظر انتظر بطيء* بطيئ* مسدود* مشكل* صعب* شكوى حفر حفره وحل غائب غياب ازدحام معقد* تسرب غبار مفقود* ضعيف* لايوجد مطفا* محترق* مكتظ* اكتظاظ بعيد* ناقص* مالح* عكر* يتسرب* تاكل* يوجل* متعب* صعوبه بطء',
    '1': 'نظيف* جديد* سريع* اخيرا مفيد* سهل* هادئ* مجاني* اصلاح تحسن* تحسين تقدم فتح* جاهز* واضح* مضاء* منظم* مجدد* عصري* حديث*',
    '2': 'شكرا نشكر اشكر مبروك سعيد* راض* راضون جيد* ممتاز* لطيف* فعال* خدوم كفؤ* نحب احب نجاح جميل* ممتن* احسنتم الحمد بارك جزاكم جزاهم جزاه تحيه تحياتي فخور* فخورون فخر سعداء سعيده مسرور* فرح* فرحه فرحون ممتنون شاكر* احسنت موفق* بوركتم تستحق* مخلص* متفاني* مهذب* محترم* نشيط* نشيطه بلطف ابتسامه مبتسم* مريح* مريحه لذيذ* طازج* ممتع* متعه يسر نعمه بفضل انقذ* انقذوا ابطال بطل بطوله مبارك تهانينا نجح* ناجح* ازدهار مزدهر* مجاني هدوء امل شكر',
    '3': 'رائع* مذهل* مثالي* استثنائي* عظيم* مدهش* خرافي* مبهر* لاتنسي بديع*',
  }),
}

function valued(words: Readonly<Record<string, string>>): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(words).flatMap(([value, list]) => list.split(' ').map((word) => [fold(word), Number(value)])))
}
