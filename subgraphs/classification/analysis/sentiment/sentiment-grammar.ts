import { fold } from '../../../engines/text/fold.ts'

/**
 * How a language turns, weakens or asks, as far as it bears on tone. Words and expressions are folded, with a space for every apostrophe and
 * hyphen. An expression stands for the whole of what it matches: the words in it say nothing of their own.
 */
export interface ToneGrammar {
  /** words that turn what follows into its opposite */
  readonly negations: ReadonlySet<string>
  /** opens a negation that one of `negations` closes (French `ne … pas`): what lies between is denied as well */
  readonly opening: ReadonlySet<string>
  /** words of `negations` that deny only after one of `opening`, or where a clause begins */
  readonly notAlone: ReadonlySet<string>
  /** what comes after is no longer denied */
  readonly exempt: ReadonlySet<string>
  /** a negation of a thing: where the thing is not bad, that it lacks is */
  readonly lack: RegExp
  readonly strengthening: ReadonlySet<string>
  readonly weakening: ReadonlySet<string>
  /** whether these stand after what they strengthen or weaken */
  readonly degreeFollows: boolean
  /** what follows counts, what came before hardly */
  readonly contrast: RegExp
  /** what is granted, up to the next mark, hardly counts */
  readonly concession: RegExp
  /** said of something bad, it is over */
  readonly mended: RegExp
  /** formulas of letters: polite whatever is meant */
  readonly courtesy: RegExp
  /** asks to be told or given something, or proposes something, and says nothing of how things are */
  readonly asking: RegExp
  /** heads a form or one of its fields */
  readonly heading: RegExp
  /** tells when or where something takes place, or what is required */
  readonly notice: RegExp
  /** the writer speaks of himself or his own: no notice */
  readonly ownVoice: RegExp
  /** praise that is not meant where the rest of the sentence is bad */
  readonly praise: ReadonlySet<string>
  /** found everywhere: their expressions are global */
  readonly expressions: readonly (readonly [RegExp, number])[]
  /** what is written together with a word and is none of it; the first group may stand before a negation too */
  readonly clitics?: { readonly any: RegExp; readonly conjunction: RegExp }
}

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '))

const fr: ToneGrammar = {
  negations: words(
    'pas plus jamais aucun aucune sans ni rien guere zero nullement evite evitee evites evitees eviter delivre debarrasse debarrassee',
  ),
  opening: words('ne n'),
  notAlone: words('plus'),
  exempt: words('mais car donc sauf sinon'),
  lack: /^(?:(?:pas|plus|jamais) (?:de|d|un|une|aucun|aucune|assez|suffisamment)|aucune?|zero|ni) (?!autre|doute|cas|moment|idee|hesit)/u,
  strengthening: words(
    'tres trop vraiment tellement si extremement particulierement totalement completement absolument fort bien franchement super hyper',
  ),
  weakening: words('peu moyennement relativement presque parfois plutot'),
  degreeFollows: false,
  contrast: /\b(?:mais|cependant|toutefois|pourtant|neanmoins|or|en revanche|par contre|desormais|n empeche que|en fait)\b/gu,
  concession: /\b(?:malgre|bien que|quoique|quoi que|meme si|certes|en depit d[eu])\b[^,;.!?]{0,200}[,;.!?]/gu,
  mended:
    /\b(?:repare|rebouche|bouche|resolu|regle|retabli|remplace|debouche|nettoye|refait|corrige|remis|releve|termine|fini|revenu|reouvert|reparti|gueri)(?:e|s|es)?\b/u,
  courtesy:
    /\b(?:(?:je vous prie d|nous vous prions d|veuillez|recevez) ?(?:agreer|recevoir|croire|accepter)?[^.!?]{0,200}\b(?:salutations|sentiments|consideration|respects|hommages)\b[^.!?]{0,200}|salutations (?:distinguees|respectueuses|cordiales)|dans l attente d[^,.!?]{0,200}|bien cordialement|cordialement|(?:merci|vous remerci\w+) (?:d avance|par avance)|(?:d avance|par avance) merci|s il (?:vous|te) plait|svp|stp|(?:merci|je vous remercie|nous vous remercions) d[e ](?: ?(?:me|m|nous|lui|leur))?(?= ?\w+(?:er|ir|oir|re)\b)|(?:je|nous) vous (?:sera\w*|sauron\w*|saura\w*|serions) (?:tres |bien |fort )*(?:reconnaissante?s?|oblige\w*|gre) d[e ]|auriez vous (?:l amabilite|l obligeance|la gentillesse|la bonte) d[e ]|ayez (?:l amabilite|l obligeance|la gentillesse|la bonte) d[e ]|(?:de )?bien vouloir|(?:j ai|nous avons) l honneur d[e ]|je me permets d[e ]|permettez moi d[e ]|bonjour|bonsoir)/gu,
  asking:
    /(?:\b(?:quand|ou|comment|combien|quel|quels|quelle|quelles|qui|est ce que?|est il|y a t il|puis je|peut on|faut il|doit on|dois je|peux tu|pouvez vous|pourriez vous|savez vous|quelqu un (?:sait|connait|a|peut)|vous (?:savez|connaissez)|on (?:peut|doit))\b[^.!]{0,200}\?|^(?:quelqu un (?:sait|connait|a)|c est (?:quoi|ou|quand|qui|combien)|qui (?:a|sait|connait)|ou (?:est|se|trouver)|comment)\b|\b(?:je|nous) (?:souhait|voudr|sollicit|demand|propos|sugger|aimer|desir|cherch)\w*|\b(?:souhaite|propose|suggere) (?:de|d|un|une|la|le|l|recevoir|louer|obtenir)\b)/u,
  heading:
    /^(?:demande|declaration|renseignements?|informations?|renouvellement|inscription|attestation|changement|transfert|resiliation|modification|duplicata|copie|autorisation|reservation|horaires?|tarifs?|idee|proposition|suggestion|objet|motif)\b(?! (?:refuse|rejete|perdu|egare|ignore|sans))|^[^:.!?]{3,40} : /u,
  notice:
    /\b(?:aur(?:a|ont) lieu|se (?:tiendra|tient|deroule\w*|reuni\w*)|(?:est|sont|sera|seront) (?:prevu|fixe|ouvert|organise|programme|reporte|avance|decale|affiche|consultable|disponible|annonce|attendu)(?:e|s|es)?|(?:programme|prevu|planifie|attendu)(?:e|s|es)|(?:doit|doivent|peut|peuvent) (?:etre|avoir|se)|rappel|alerte|a partir d[eu]|du \d+[^.]{0,200} au \d+|de \d+ ?h[^.]{0,200} a \d+ ?h|jusqu (?:au|a) (?!quand)|(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|demain) (?:\d|de|a|prochain)|debut\w* le|le \d+ (?:janvier|fevrier|mars|avril|mai|juin|juillet|aout|septembre|octobre|novembre|decembre))/u,
  ownVoice: /\b(?:je|j|moi|m|mon|ma|mes|nous|notre|nos|on|ici|chez)\b/u,
  praise: words(
    'merci bravo felicitations felicitation super genial chapeau magnifique formidable parfait excellent quel quelle vive joli beau',
  ),
  expressions: [
    // not what their words say one by one
    [/\brien a (?:redire|dire)\b/gu, 2],
    [/\bgrace (?:a|au|aux)\b/gu, 2],
    [/\baux anges\b|\b(?:un|une|des|comme un) (?:vrais? |veritables? )?(?:anges?|heros|perle)\b/gu, 3],
    [/\b(?:chaud|baume) au coeur\b|\ba la hauteur\b|\bdigne de ce nom\b/gu, 2.5],
    [/\b(?:change|changent|transforme|transforment|facilite|sauve) (?:tout|(?:la|ma|notre|nos|leur) vies?)\b/gu, 3],
    [/\bplus besoin d[e ]/gu, 2.5],
    [/\bjamais (?:\w+ ){0,7}(?:aussi|autant|si) /gu, 1.5],
    [/\b(?:mieux|plus (?:vite|tot|rapide|simple|facile|propre|sur|agreable)s?) (?:que|qu)\b/gu, 2],
    [/\bde mieux en mieux\b|\ben un (?:rien de temps|clin d oeil)\b|\bmontre en main\b|\bune premiere\b/gu, 2],
    [/\b(?:il )?faut (?:dire|reconnaitre|avouer|admettre) que\b/gu, 1],
    // what does not come, or not soon enough
    [/\btoujours (?:pas|aucune?|rien|ni|le meme|la meme|les memes|en attente)\b/gu, -2.5],
    [/^encore (?:un|une|des|le|la|les|du|ce|cette)\b/gu, -1.5],
    [/\b(?:cela|ca|voila) (?:va )?(?:fait|faire) (?:\w+ ){1,2}(?:jours?|semaines?|mois|ans?|annees?|heures?|fois)\b/gu, -1.5],
    [
      /\b(?:heures?|jours?|semaines?|mois|ans|annees|h|min|minutes) (?:que|sans|d attente|a attendre|de retard|au telephone|dans le noir)\b/gu,
      -1.5,
    ],
    [/\b(?:personne|rien) n(?:e|) /gu, -2],
    [/\bpersonne (?:pour|a (?:l|la))\b|\bmeme pas\b|\b(?:pas|jamais) assez\b|\bpas encore\b/gu, -1.5],
    [/\bhors (?:service|d usage|de portee|de prix)\b|\ba l abandon\b|\ben vain\b|\bpour rien\b|\bfaute d[e ]/gu, -2],
    [/\bsans (?:reponse|suite|prevenir|explication|motif|raison|solution|effet|nouvelles?|recours|delai)\b/gu, -2],
    [/\bde pire en pire\b|\bn importe quoi\b|\bras le bol\b|\bcomme d habitude\b|\bfaut croire\b|\bon s etonne\b/gu, -2],
    [/\bpourquoi (?!pas\b)/gu, -1.5],
    [/\bcomment (?:voulez vous|veut on|veux tu)\b/gu, -2],
    [/\bjusqu a quand\b|\bcombien de temps encore\b|\ba quand\b|\bcompt(?:ez|ent)(?: vous| ils)? \w+er\b/gu, -2],
    [/\bavant ou apres\b/gu, -1],
    [
      /\b(?:il (?:faudrait|manque)|il (?:est|serait) (?:grand )?temps|nous (?:voulons|demandons|attendons|exigeons) que|on (?:veut|attend))\b/gu,
      -1.5,
    ],
    [/\bne? \w+ qu une? seule?\b|\bregrett?able\b|\bregret de\b|\bcontraint\w* d[e ]/gu, -2],
    [/\b(?:remedier|mettre fin|mettre un terme)\b/gu, -2],
    [/\b(?:une nouvelle fois|(?:trois|quatre|cinq|dix|\d+) fois|pour la \w+ieme fois)\b/gu, -1],
    [/\b(?:est|suis|sommes|sont|etait|reste) (?:encore|toujours)\b/gu, -1],
  ],
}

const en: ToneGrammar = {
  negations: words('not no never without nobody nothing t nor cannot hardly barely avoided avoid prevented nowhere'),
  opening: words(''),
  notAlone: words(''),
  exempt: words('but because except unless so'),
  lack: /^(?:no|not (?:a|an|any|enough|one)|never (?:a|an|any|enough)|nor) (?!doubt|matter|later|more than|problem|longer)/u,
  strengthening: words('very really so too extremely absolutely completely totally utterly most incredibly truly particularly'),
  weakening: words('slightly somewhat fairly rather almost sometimes'),
  degreeFollows: false,
  contrast: /\b(?:but|however|yet|nevertheless|nonetheless|still,|whereas|though|now)\b/gu,
  concession: /\b(?:although|though|even though|even if|while|despite|in spite of)\b[^,;.!?]{0,200}[,;.!?]/gu,
  mended:
    /\b(?:repaired|fixed|mended|resolved|solved|sorted|replaced|filled|unblocked|cleared|cleaned|restored|reopened|cured|corrected|settled)\b/u,
  courtesy:
    /\b(?:yours (?:sincerely|faithfully|truly)|(?:kind|kindest|best|warm) (?:regards|wishes)|dear (?:sir|madam|mayor|all)|thank(?:s| you) in advance|(?:i|we) (?:would|should) (?:be (?:very |most )?grateful|appreciate it|be (?:much )?obliged) if|(?:would|could) you be so kind as to|please find (?:enclosed|attached)|with (?:all due )?respect|kindly|please|good (?:morning|afternoon|evening))\b/gu,
  asking:
    /(?:\b(?:when|where|how|what|which|who|is there|are there|is it|is the|are the|can i|can we|could i|may i|should i|do i|does the|do you|could you|can you|would you|does (?:any|some)(?:one|body)|(?:any|some)(?:one|body) know)\b[^.!]{0,200}\?|^(?:does |do )?any(?:one|body) (?:know|have|got)|^(?:is|are|does|do|can|which|where|when|what|who) (?!the worst)\w+|\b(?:i|we) (?:would like to|should like to|wish to|want to know|request|propose|suggest|am writing to|are writing to|am looking for|enclose|attach|apply)\b|\b(?:proposes|suggests)\b)/u,
  heading:
    /^(?:request|application|declaration|registration|information|enquiry|inquiry|change|transfer|renewal|copy|certificate|permission|booking|idea|proposal|suggestion|subject|re|reminder)\b(?! (?:refused|rejected|lost|mislaid|ignored|denied))|^[^:.!?]{3,40}: /u,
  notice:
    /\b(?:will (?:be held|take place|start|begin|open|sit|meet)|takes? place|is (?:scheduled|open|due|set|held)|are (?:scheduled|open|held)|scheduled|planned|(?:must|may) (?:be|have|hold|bring|show|apply|attend)|reminder|alert|from (?:the )?\d+|until (?!when)|(?:on|this|next) (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)|(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday) (?:\d|at|from)|(?:at|by|before) \d+ ?(?:am|pm)?|(?:on|every) (?:mon|tues|wednes|thurs|fri|satur|sun)days?|expected)\b/u,
  ownVoice: /\b(?:i|me|my|mine|we|us|our|ours)\b/u,
  praise: words('thanks thank cheers bravo congratulations congrats great lovely brilliant wonderful fantastic nice super perfect well'),
  expressions: [
    [/\b(?:can t|cannot|couldn t) (?:fault|complain|thank)\b/gu, 2.5],
    [
      /\bno (?:fuss|hassle|trouble|bother)\b|\bnothing (?:was|is) too much (?:trouble)?\b|\bwould not change a thing\b|\bcould not ask for (?:more|better)\b/gu,
      2.5,
    ],
    [/\bthanks to\b|\bbecause of you\b|\bwere it not for\b/gu, 2],
    [
      /\b(?:absolute|real|total|proper) (?:stars?|angels?|heroes|gems?|legends?)\b|\b(?:an angel|a star|a gem|a credit to|a pleasure)\b/gu,
      3,
    ],
    [/\b(?:back to life|changed (?:my|our) li(?:fe|ves)|peace of mind|nailed|hats off|kept (?:its|their) (?:word|promise))\b/gu, 2.5],
    [/\bno (?:longer|more) (?:need|have) to\b|\bcuts? (?:an?|half an|\w+) (?:hour|minutes)\b/gu, 2],
    [/\bnever (?:\w+ ){0,3}(?:so|better|safer|easier|happier|cleaner|faster)\b/gu, 2],
    [/\b(?:faster|quicker|better|sooner|easier|cleaner|safer) than\b|\bbetter and better\b|\bahead of time\b/gu, 2],
    [/\bat last\b|\bin no time\b/gu, 1.5],
    [/\bi (?:feel|felt) (?:safe|safer|heard|welcome|respected)\b/gu, 2.5],
    [/\bstill (?:no|not|waiting|has|have|have not|has not|nothing|drips|leaks|broken)\b/gu, -2.5],
    [
      /\b(?:yet )?another (?:\w+ )?(?:broken|promise|delay|strike|excuse|meeting|day without|week without)\b|^(?:once )?again\b|\b(?:wrong|up|down|out|off|late) again\b/gu,
      -1.5,
    ],
    [
      /\b(?:days|weeks|months|years|hours) (?:without|waiting|late|on hold|of waiting|and (?:still|no|nothing))\b|\bfor the (?:second|third|fourth|fifth|umpteenth|\w+th) (?:time|day|week|month|morning|year)\b/gu,
      -1.5,
    ],
    [/\bno ?(?:one|body) (?:\w+ )?(?:comes?|came|answers?|answered|cares?|listens?|consulted|knows|helps?|picked|picks)\b/gu, -2],
    [
      /\b(?:not|never) enough\b|\bout of (?:order|service|reach|stock)\b|\bfor nothing\b|\bin vain\b|\bevery single time\b|\bno longer (?:cover|work|come|stop|afford)\w*\b/gu,
      -2,
    ],
    [/\bwithout (?:a word|warning|telling|notice|reply|explanation|reason|asking)\b/gu, -2],
    [/\bworse and worse\b|\bfed up\b|\bas (?:usual|always)\b|\bguess we\b|\bjust live with\b|\bsick (?:and tired )?of\b/gu, -2],
    [/\bwhy (?!not\b)/gu, -1.5],
    [
      /\bhow (?:are|is|am) \w+ (?:\w+ )?(?:meant|supposed|expected) to\b|\bno ?(?:one|body) (?:can|will|would)\b|\b(?:does|do|did)(?: not|n t) (?:solve|help|change|work)\b/gu,
      -2,
    ],
    [
      /\bhow (?:much )?long(?:er)? (?:must|will we|are we|do we have|before)\b|\bwhen will (?:you|they|someone|somebody|anyone) (?:finally|ever|at last)?\b/gu,
      -2,
    ],
    [/\b(?:we (?:need|want|demand)|there (?:is|are) no|have not received|has not been|is needed|lacks?|in need of)\b/gu, -1.5],
    [/\b(?:regret|regrettabl[ey]|regretfully) ?(?:to (?:say|inform|report|note))?\b|\bhad to \w+ (?:again|twice)\b/gu, -1.5],
    [/\b(?:two|three|four|five|six|ten|\d+) times\b|\btwice but\b/gu, -1],
  ],
}

/** Any of these, as whole words; `fold` writes them as texts are read. */
const oneOf = (list: string, flags = 'u'): RegExp => new RegExp(`(?<!\\p{L})(?:${fold(list)})(?!\\p{L})`, flags)
const never = /(?!)/u

const ar: ToneGrammar = {
  // written Arabic, then what is said in the Maghreb, Egypt and the Levant
  negations: words(fold('لا ليس ليست لست لسنا ليسوا لم لن بدون دون بلا غير عدم ما ماشي مش مو موش مافي مفيش ماكانش')),
  opening: words(''),
  notAlone: words(''),
  exempt: words(fold('إلا سوى لأن')),
  lack: new RegExp(`^[وف]?(?:${fold('لا|لم|بلا|بدون|دون|مافي|مفيش|ليس|ما|غير|عدم')}) (?!${fold('شك|بأس|بد|سيما|شاء|هي|هو|هذا')})`, 'u'),
  strengthening: words(fold('جدا حقا فعلا كثيرا')),
  weakening: words(fold('قليلا نوعا أحيانا')),
  degreeFollows: true,
  contrast: oneOf('و?لكن(?:ه|ها|هم|نا|ني|كم)?|غير أن|إلا أن|بيد أن|بس', 'gu'),
  concession: /(?!)/gu,
  mended: never,
  courtesy: oneOf(
    'و?تفضلوا بقبول[^.!?]{0,200}|و?تقبلوا[^.!?]{0,200}|مع فائق (?:الاحترام|التقدير)|نرجو منكم|أرجو منكم|المرجو|يرجى|من فضلكم|من فضلك|لو سمحتم|السلام عليكم|تحية طيبة',
    'gu',
  ),
  asking: new RegExp(
    `(?<!\\p{L})(?:${fold('متى|أين|وين|فين|كيف|كم|هل|ما هي|ما هو|من هو|أي|حد يعرف')})(?!\\p{L})[^.!]{0,200}[?؟]|(?<!\\p{L})(?:${fold('أرغب في|أود|أطلب|ألتمس|نلتمس|نقترح|تقترح|يقترح|أرفق|نرفق|تجدون|أريد أن أعرف')})(?!\\p{L})`,
    'u',
  ),
  heading: new RegExp(
    `^(?:${fold('طلب|تصريح|تغيير|عدد|تاريخ|الموضوع|اقتراح|تحويل|تجديد|معلومات|شهادة')})(?!\\p{L})|^[^:.!?؟]{3,40}: `,
    'u',
  ),
  notice: oneOf(
    'سيعقد|ستعقد|يعقد|تعقد|مقرر|مقررة|مبرمج|مبرمجة|مرتقبة?|منتظرة?|ينطلق|تنطلق|سيتم|مدة|تستغرق|يستغرق|مفتوحة? (?:من|حتى|يوم|كل)|كل (?:اثنين|ثلاثاء|أربعاء|خميس|جمعة|سبت|أحد)|ابتداء من|إلى غاية|حتى (?:الاثنين|الثلاثاء|الأربعاء|الخميس|الجمعة|السبت|الأحد)',
  ),
  ownVoice: oneOf('نحن|احنا|أنا|عندنا|علينا|لنا|لي|عندي|بيتنا|بيوتنا|حينا|أولادنا|أطفالنا'),
  praise: words(fold('شكرا برافو أحسنتم أحسنت مبروك رائع ممتاز ألف')),
  expressions: [
    [
      oneOf('ما (?:أجمل|أحسن|أروع)|(?:الله )?يعطيكم العافية|كل شيء تمام|(?:لم|ما) (?:أر|نر|شفت) [^.!?]{0,200}(?:أفضل|أحسن)(?: من)?', 'gu'),
      2.5,
    ],
    [oneOf('(?:تم|تمت) (?:إصلاح|تصليح|حل|تنظيف|ترميم) [^ ]+', 'gu'), 2],
    [oneOf('أحلى|أحسن|أفضل|أجمل|أروع', 'gu'), 2.5],
    [oneOf('لا (?:يحل|تحل|يغير|تغير|ينفع|تنفع|يكفي|تكفي)', 'gu'), -2.5],
    [oneOf('لا أحد|ما حد|محدش|ما في حد|لا شيء', 'gu'), -2],
    [oneOf('إلى متى|حتى متى|وضع حد|لم نعد|لم أعد|(?:لم|ما) نتلق', 'gu'), -2],
    [oneOf('لماذا|ليش|علاش|نطالب|نريد|نحتاج|يؤسفني|نأسف|مرارا|للمرة [^ ]+|كل مرة', 'gu'), -1.5],
    [oneOf('ما زال(?:ت|نا|وا)?|مازال(?:ت|نا|وا)?|لا يزال|لا تزال|خطأ', 'gu'), -1],
  ],
  clitics: { any: /^(?:[وف]?(?:بال|كال|لل|ال)|[وفبلك])(?=\p{L}{3})/u, conjunction: /^[وف]/u },
}

const grammars: Readonly<Record<string, ToneGrammar>> = { fr, en, ar }

/** Undefined for a language of which only words are known. */
export const grammarOf = (lang: string): ToneGrammar | undefined => grammars[lang]
