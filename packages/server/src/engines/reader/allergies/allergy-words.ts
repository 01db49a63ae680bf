/* All of them read a turn or a sentence in lower case with straight apostrophes. */

/** Allergies are spoken of, in the word itself or asked for in a roundabout way: "anything you react to?" */
export const allergyTalk =
  /\ballerg(?:y|ies|ic)\b|\banaphyla\w+|\breact(?:ed|ion)s? (?:to|with)\b|\banything (?:else )?(?:that )?(?:you|she|he|they) (?:can't|cannot|can not) (?:have|take)\b|\banything (?:else )?(?:that )?(?:you|she|he|they)(?:'re| are|'s| is| ever|'ve ever)? (?:reacts?|react(?:ed|ing)|sensitive|intolerant) (?:badly )?to\b|\banything (?:that )?(?:doesn't|don't|does not|hasn't|didn't) agree(?:d)? with\b|\bbrings? (?:you|him|her|me) out in\b/

/** What a body does that does not bear something. */
export const reactions =
  /\b(?:(?:broke out in |came out in |come out in |comes out in |came up in |come up in |got |get |gets |gives me |gave me |gave her |gave him |with |in )?(?:hives|(?:a |an )?(?:\w+ )?rash(?:es)?|(?:\w+ )?(?:lumps|spots|bumps|blotches|weals?|pimples)(?: (?:all over|everywhere))?|itch(?:ing|y|es|ed)?|swell(?:ing|s|ed)?(?: up)?|swelled up|swollen \w+|blew up|blow(?:s|n)? up|puff(?:ed|s|y)(?: up)?|(?:my |his |her |the )?(?:throat|face|lips?|tongue|eyes?|mouth) (?:swell\w*|swole|swelled|clos\w+|goes|went|was big|blew up|blow\w* up|got (?:big|tight)|bec[ao]mes? big|puff\w*|peel\w*|tingl\w*|ballooned)|anaphyla\w+|trouble breathing|can't breathe|couldn't breathe|couldnae breathe|(?:quit|stopped) breathing|breathless|short of breath|wheez\w+|asthma|welts|go(?:es)? red|went red|c[ao]mes? up red|blister\w*|peel(?:ed|ing)|vomit\w*|throw(?:s|ing)? up|threw up|sick|nausea|upset stomach|stomach (?:upset|pain)|seizures?|passed out|faint(?:ed)?|collapsed|fr[oe]ze|hospitali[sz]ed|(?:put|landed|sent|rushed|took|taken) (?:me |him |her )?(?:in|to)(?: the)? hospital|ended up in(?: the)? hospital|stevens.johnson|diarrh?o?ea|runny nose|sneez\w+|watery eyes|skin came off))\b/

/** What people are allergic to besides medicines. */
export const substances =
  /\b(?:latex|peanuts?|tree nuts?|nuts|hazelnuts?|pistachios?|brazil nuts?|shellfish|shrimps?|prawns?|mussels|oysters?|squid|eggs?|milk|dairy|gluten|wheat|soya?|strawberr\w+|kiwi|(?:honey)?bees?|bee stings?|red wasps?|wasps?|yellow ?jackets?|hornets?|fire ants?|mosquito(?:e?s)?|walnuts?|cashews?|almonds?|pecans?|crab|lobster|mangos?|tomato(?:es)?|pineapple|celery|mustard|lupin|hair dye|lanolin|band-?aids|elastoplast|micropore|pollen|ragweed|birch|grass|hay|dust(?: mites)?|mou?ld|cats?|dogs?|horses|pet dander|animal hair|feathers|sulfa(?: drugs)?|sulpha|iodine(?: dye)?|contrast(?: dye)?|dye|adhesive tape|adhesives?|surgical tape|tape|plasters?|nickel|cheap jewell?ery|penicillins?|nsaids?|opioids?|antibiotics?|statins?|ace inhibitors?|local anesthetics?|local anaesthetics?|anaesthetics?|anesthesia|chlorhexidine|seafood|fish|bananas?|avocados?|sesame|perfumes?|fragrance|msg|sulfites|sulphites|red wine|aspartame)\b/g

export const none =
  /\b(?:not allergic\b(?! to)|no (?:known |actual |real |true |proper |new |current |major )*(?:drug |food |medication |medicine |other )*allerg\w+|n\.?k\.?d\.?a\b|not allergic to (?:anything|nothing|nowt)|nothing (?:that )?i(?:'m| am) allergic|no allergies|don't have (?:any )?allerg\w+|not that (?:i|we)(?:'m| am|'re| are|'ve)? (?:know|knows|aware|remember|can think|noticed|heard|ever)|none that (?:i|we)(?:'m| am)? (?:know|aware)|nothing that (?:i|we) know|none (?:whatsoever|at all|known)|i've got none|(?:you've|i've) got none (?:recorded|listed|down)|(?:never had|haven't got|hasn't got) (?:any|none|one|an allergy))\b/
export const outgrown =
  /\b(?:not (?:really )?allergic|isn't (?:really |a real )?allerg\w+|outgr[eo]w\w*|grew out of|turns out (?:i'm|he's|she's) not)\b/

/** "Penicillin's fine", "plasters I'm fine", "I've had it ten times, so no". */
export const borne =
  /(?:'s| is| are|'re| was| were) (?:always |been )?(?:fine|okay|ok|all right|alright|no problem|grand)\b(?!,? (?:until|till|before|at first|the first|(?:and |but )?then)\b)|^[^\w-]*(?:[\w-]+ ){1,2}(?:no problem|no bother|fine|okay|can)[.!]|\b(?:has|have|'s|'ve)? ?never (?:bothered|hurt|done anything)\b|\b(?:don't|doesn't|didn't|never) (?:(?:bother|bothers|bothered) (?:me|him|her|us)|do anything|(?:make|makes|made|give|gives|gave|cause|causes)(?: (?:me|him|her|us))? (?:any |a |an )?(?:sick|ill|itch\w*|swell\w*|react\w*|hives|rash|trouble|problems?|bother|symptoms))\b|\bi (?:eat|take|have|use) (?:\w+ ){1,2}(?:all (?:the time|day)|every day|fine|no problem)\b|\b(?:no|never any) (?:problems?|trouble|bother|dramas?|issues?|worries) (?:with|on)\b|\bno problem[.!]|\b(?:i've|i have|she's|he's) had (?:\w+ ){1,3}(?:like |about |a )?(?:\w+ )?times\b|\bi can (?:take|have|eat) (?:it|that|them|\w+) (?:fine|no problem|okay)|\bi'm (?:fine|okay|all right|alright|grand)(?: with (?:it|that|them|those))?[.,!]|\bno (?:problems?|trouble|bother) with (?:it|that|them)\b|\b(?:not|isn't|wasn't)(?: really| actually| exactly)? (?:an?|a true|a real) allergy\b/
/** "Shrimp, she says, but she eats it", "I don't know what it did": nobody can say. */
export const doubtful =
  /\b(?:don't|doesn't|didn't|can't) (?:know|remember|recall) (?:if|whether)\b|\bbut (?:i|she|he|they) (?:still )?(?:eats?|takes?|has|have|had) (?:it|them)\b|\b(?:don't|doesn't) know what (?:it|happen\w*)|\bnobody knows\b|\bnot sure (?:if|what|whether)\b/
/** A clinician's "that's not really an allergy". */
export const noAllergy =
  /\b(?:not|isn't|wasn't)(?: really| actually| exactly)? (?:an?|a true|a real) allergy\b/
/** Said of a medicine, this is an allergy though nobody calls it so. "Can cause a rash" is not. */
export const hadReaction =
  /\b(?:had|got|gave (?:me|you|him|her|us)|broke out in|came out in|came up in|came up like|gives? (?:me|him|her)|put (?:me|him|her) in) (?:the |a |this |that |these |an )?(?:whole |bad |terrible |awful |big |full |horrible |itchy |nasty |serious )?(?:body )?(?:rash|hives|welts|anaphyla\w+|swelling|lumps|blisters|weals?)\b|\b(?:throat|face|tongue|lips?|eyes) (?:swell\w*|swole|closed|blew up|ballooned|was big|bec[ao]me)\b|\bthe rash one\b|\b(?:my|his|her) (?:joints|face|lips?|throat|tongue|eyes?) (?:all )?(?:blew|swelled|swole|puffed)\b|\b(?:skin|mouth) (?:came|peeled|was (?:peeling|coming)) ?(?:off)?|\b(?:he|she|i) (?:froze|seized up)\b|\bmak(?:es|ing) (?:me|him|her) itch\b|\bmade (?:me|him|her) (?:itch|swell|come out in)\b/
export const isPossible =
  /\b(?:can|could|might|may|if|any|risk|watch for|sometimes|look out for|keep an eye)\b/

/** "I can't have Voltaren", "never give me that again": with what it did behind it. */
export const cannotHave =
  /\b(?:i|she|he|we|you|they) (?:can't|cannot|can not|couldn't|mustn't|must not|am not allowed|'m not allowed|is not allowed|'s not allowed) (?:to )?(?:have|take|do|eat|go near|touch|use|tolerate)\b|\b(?:not|never) (?:to )?(?:be )?giv(?:e|en) (?:me|him|her)\b|\bdon't take that no more\b|\bnever again\b/
/** What a chart has of it: "it says here Ceclor", "I've got penicillin down", "still trimethoprim?" */
export const isRecorded =
  /\b(?:i've got|i have|we've got|we have|it says|says|there's|listed|down (?:here|as)|on (?:here|file|record|the (?:chart|sheet|system)|your (?:chart|notes|form))|still|besides|apart from|other than|as well as|noted|recorded|written)\b/

/** What a body does, told of somebody: not "for the itching", nor "if you get hives". */
export const hasOwnReaction = (plain: string): boolean => {
  const match = reactions.exec(plain)
  return match !== null && !isPossible.test(plain) && !isGivenFor.test(plain.slice(0, match.index))
}
const isGivenFor = /\bfor (?:(?:the|my|his|her|your|an?) )?(?:\w+ )?$/

const notHad =
  /(?:\b(?:no|not|never|without)|n't) (?:(?:get|got|getting|have|had|give|gives|gave|make|makes|made|cause|causes|caused|me|him|her|us|any|an?|the|real|actual) ){0,4}$/

/** What a body did, whatever else is said: not "no rash", "it doesn't give me hives", "for the itching". */
export const tellsReaction = (plain: string): boolean => {
  const match = reactions.exec(plain)
  if (match === null) return false
  const before = plain.slice(0, match.index)
  return !notHad.test(before) && !isGivenFor.test(before)
}

/** Said to be borne, with nothing beside it that a body did. */
export const tellsBorne = (plain: string): boolean => borne.test(plain) && !tellsReaction(plain)

const relative =
  'my (?:\\w+ )?(?:roommate|flatmate|mom|mum|mam|mother|dad|father|sister|brother|wife|husband|partner|friend|cousin|nan|gran|aunt|uncle)'
const ofRelative = new RegExp(
  `\\b${relative}(?:'s|(?:'s)?,? (?:she|he)(?:'s| is)| is| has| had| gets| got) (?:\\w+ ){0,3}(?:allerg|react|anaphyl|hives)|(?:'s| is| was) (?:just )?${relative}\\b(?! (?:who|that|noticed|found|told|said|says)\\b)`,
)

const ofOneself =
  /\bi(?:'m| am)(?: (?:also|really|very|just|badly))? (?:allergic|sensitive|anaphylactic|too\b|as well|the same)|\bam i\b|\bso do i\b|\bi've got\b(?! (?:no|none|to)\b)|\bi (?:have|get|got|had|react|swell|swelled|break|broke|c[ao]me)\b(?! (?:to|no|none|never|not)\b)|\bme too\b|\bmy own\b|\b(?:same|like|just) as\b|\bboth\b/

/** "My roommate, she's allergic to bees", "the bee sting thing is my wife"; not "my mom says I'm allergic", nor "and so am I". */
export const isOthers = (plain: string): boolean => ofRelative.test(plain) && !ofOneself.test(plain)
