import type { DangerElement, DangerMatter } from '../reading.js'

/**
 * Plain words that no model may overlook. `sure`: they say by themselves what they are about. The others have a harmless
 * use, too, and are plain only where the encoder finds the same; else they are suspected.
 */
export interface DangerWords {
  matter: DangerMatter
  element: DangerElement
  isSure: boolean
  pattern: RegExp
}

const self = '(?:myself|yourself|himself|herself|themself|themselves|your self|my self|him self|her self)'
const person =
  '(?:me|us|him|her|them|you|someone|somebody|anyone|anybody|people|others|other people|another person|each other|everyone|(?:my|your|his|her|their|our|the) (?:\\w+ )?(?:mom|mother|mum|mama|dad|father|wife|husband|partner|girlfriend|boyfriend|fiancee?|ex|son|daughter|kids?|child|children|baby|brother|sister|grandma|grandmother|grandpa|grandson|granddaughter|girls?|boys?|little one|roommate|neighbou?r|boss|manager|coworkers?|supervisor|teacher|landlord|dog|cat|aunt|uncle|cousin|stepson|stepdaughter|nurse|aide|resident|classmate|guy|man|woman|lady))'
const strikes =
  '(?:hits?|hitting|slaps?|slapped|slapping|punch(?:es|ed|ing)?|beats?|beating|beaten|kick(?:s|ed|ing)?|chok(?:e|es|ed|ing)|strangl(?:e|es|ed|ing)|smack(?:s|ed|ing)?|whip(?:s|ped|ping)?|whoop(?:s|ed|ing)?|spank(?:s|ed|ing)?|shov(?:e|es|ed|ing)|pinn?(?:s|ed) |burn(?:s|ed|t)?|stab(?:s|bed|bing)?|rap(?:e|es|ed|ing)|molest(?:s|ed|ing)?|assault(?:s|ed|ing)?|attack(?:s|ed|ing)?|drag(?:s|ged|ging)?|backhand(?:s|ed)?|headbutt(?:s|ed)?|knock(?:s|ed) (?=\\w+ (?:down|out|around|into|over)))'
const roughly =
  '(?:push(?:es|ed|ing)?|grab(?:s|bed|bing)?|threw|throws|throwing|bit|bites|pull(?:s|ed|ing)?|shak(?:e|es|ing)|shook|holds?|held|corner(?:s|ed)?|pin(?:s|ned)?|squeez(?:e|es|ed))'

const row = (
  matter: DangerMatter,
  element: DangerElement,
  isSure: boolean,
  pattern: RegExp,
): DangerWords => ({
  matter,
  element,
  isSure,
  pattern,
})

/** What is more exact stands before what is more general: a sentence is read as the first that fits, for each matter. */
export const DANGER_WORDS: readonly DangerWords[] = [
  // --- suicide
  row(
    'suicide',
    'attempt',
    true,
    /\b(?:suicid\w*|past|previous|prior|earlier|own) attempts?\b|\battempted (?:suicide|to (?:kill|end|take|hang|shoot|overdose|drown))|\btr(?:y|ied|ies|ying) to (?:(?:kill|hang|shoot|drown|poison|gas|hurt) (?:my|your|him|her|them) ?sel(?:f|ves)|(?:end|take) (?:my|your|his|her|their) (?:own )?li(?:fe|ves)|end it(?: all)?|die|over ?dose)\b/,
  ),
  row(
    'suicide',
    'attempt',
    true,
    new RegExp(
      `\\b(?:hanged|hung|shot|drowned|poisoned|gassed) ${self}|\\b(?:killed) ${self}|\\btook (?:my|his|her|their|your) (?:own )?li(?:fe|ves)\\b|\\bdied by suicide|\\bcommitt?ed suicide`,
    ),
  ),
  row(
    'suicide',
    'attempt',
    true,
    /\b(?:took|swallowed|downed|ate|washed down) (?:(?:a|the|my|his|her|whole|entire|full|all|of|that|those|about|like|nearly|almost|half|leftover) ){1,5}(?:bottles?|pills|tablets|meds|medication|tylenol|ambien|xanax|seroquel|prescription|insulin|aspirin|advil|blister|packs?)\b(?! (?:of )?(?:wine|beer|water|jack|whisk\w+|vodka|tequila|liquor|champagne|soda|coke|gin|rum|bourbon))/,
  ),
  row(
    'suicide',
    'thoughts',
    false,
    /\bdr[iau]nk(?:ing)? (?:some |the |a bottle of )?(?:bleach|antifreeze|drain cleaner)\b/,
  ),
  row('suicide', 'attempt', false, /\bover ?dos(?:e|ed|es|ing)\b|\bo\.?d\.?(?:'d|ed)\b/),
  row(
    'suicide',
    'thoughts',
    false,
    /\b(?:thought|think|thinks|thinking|talked|talks|talking) (?:of|about) (?:taking|swallowing) (?:(?:a|all|the|my|his|her|their|those|these|lot|bunch|handful|bottle|of) ){0,4}(?:pills|tablets)\b(?! (?:for|to|that|in|at|with|every|again)\b)/,
  ),
  row(
    'suicide',
    'attempt',
    true,
    /\b(?:slit|slitting|slashed|opened) (?:my|your|his|her|their) (?:wrists?|veins?|throat)\b/,
  ),
  row(
    'suicide',
    'preparation',
    true,
    /\b(?:suicide|goodbye|farewell) (?:note|letter|text|video)s?\b|\b(?:wrote|written|writing|write) (?:\w+ ){0,3}(?:goodbyes?|a will before)\b|\bstock ?pil\w+|\bhoard\w* (?:\w+ )?(?:pills|meds|medication|tablets)|\bsav(?:ed|ing) up (?:\w+ )?(?:pills|meds|tablets)|\bgiv(?:e|en|ing) away (?:\w+ )?(?:my|your|his|her|things|stuff|belongings)/,
  ),
  row(
    'suicide',
    'preparation',
    false,
    /\blooked up how (?:many|much|to)\b|\bcount(?:ed|ing)? (?:out )?(?:my|the|his|her) pills\b|\b(?:tied|made|looped|bought|got) (?:a|the|some) (?:noose|rope)\b|\bnoose\b/,
  ),
  row(
    'suicide',
    'plan',
    true,
    /\bplan(?:s|ned|ning)? (?:to|for|of|on|how) (?:\w+ )?(?:kill\w*|end\w*|hurt\w*|harm\w*|suicide|die|dying|tak\w+ (?:your|my|his|her) (?:own )?life|do it|act)|\bsuicid\w* plans?\b|\bhow (?:you'd|you would|you might|i'd|i would) (?:do it|kill|end|go about)|\bthought (?:about|of) how (?:you|i)(?:'d| would| might)? do it/,
  ),
  row(
    'suicide',
    'intent',
    true,
    /\bintent(?:ion)?s? (?:to|of) (?:\w+ )?(?:kill\w*|end\w*|hurt\w*|harm\w*|die|dying|act\w*|do(?:ing)? it|suicide)|\bact(?:ing|ed)? on (?:it|that|them|those|these|the|any|your|my|suicid\w*)(?: thoughts?| urges?| feelings?)?\b|\bgo(?:ing)? through with it\b|\bsuicidal intent/,
  ),
  row(
    'suicide',
    'wish_to_be_dead',
    true,
    /\bbetter off (?:dead|without (?:me|you)|if (?:i|you) (?:was|were|wasn't|weren't|died|disappeared|just))\b|\bwish(?:ed|es|ing)? (?:(?:that|i|you|he|she|they|it|was|were|had|just|could|'d) ){1,4}(?:dead|die|died|never been born|not alive|never born|not exist|disappear|not been born)\b|\bwish(?:ed|ing)? (?:(?:that|i|you|he|she) ){1,2}(?:weren't|wasn't|wouldn't|didn't|would not|could not|couldn't) (?:be )?(?:alive|here|around|wake up|exist|born)\b/,
  ),
  row(
    'suicide',
    'wish_to_be_dead',
    true,
    /\b(?:want(?:s|ed|ing)? to|wanna|rather|ready to|like to|hop(?:e|ed|ing) (?:to|i|you)|pray(?:ed|ing)? (?:to|i|that i|god)|easier to|wish(?:ing)? to|as soon|just soon) (?:just |actually |really |be |i'd |go and )*(?:die\b|dead\b|disappear\b|not exist\b|not wake up|never wake up)/,
  ),
  row(
    'suicide',
    'wish_to_be_dead',
    true,
    /(?:\b(?:wish|hop|pray|rather|mind|easier|better|simpler|nice|care|okay|fine|want|sleep|bed|sooner|sorry|relie|bad if|thought|think|all right)\w*\b[^.?!]{0,45}|^)(?:\bnot|n't|\bnever|\bwithout) (?:just |ever |even |have to |having to )*(?:wak(?:e|ing) up|be(?:ing)? (?:here anymore|alive|around|on this earth)|exist(?:ing)?|be(?:ing)? here\b(?= (?:anymore|tomorrow|at all)|[.?!,]|$))/,
  ),
  row(
    'suicide',
    'wish_to_be_dead',
    true,
    /\b(?:don't|do not|didn't|doesn't|not|no longer|never) (?:really |even )?want(?:ing|ed)? to (?:be alive|live(?! (?:with|there|in|at|near|on|alone|together|by|here|like that|under|off|through|up)\b)|go on\b(?! (?:the|a|it|with|medic\w+|vacation|that|this|about))|wake up|exist|keep living|be here anymore|be on this)/,
  ),
  row(
    'suicide',
    'wish_to_be_dead',
    true,
    /\blife (?:(?:isn't|is not|wasn't|ain't|'s not|not|really|even|being) )+worth|\b(?:not|n't|is it|it's|life) (?:even |really )?worth living\b|\b(?:no|any|what's the|a|see the|see a|see any) (?:reason|point) (?:to|in|of) (?:liv(?:e|ing)|go(?:ing)? on|be(?:ing)? alive|be(?:ing)? here|keep(?:ing)? going)\b|\bif (?:the (?:good )?lord|god|he) (?:took|takes|wanted to take) me\b/,
  ),
  row(
    'suicide',
    'wish_to_be_dead',
    false,
    /\b(?:don't|do not|didn't) want to be here\b|\b(?:just |could |want to |to )disappear\b|\bgo to sleep and (?:not|never)\b|\bjoin (?:him|her|them)\b(?= (?:in heaven|up there|soon)|[.?!,]|$)|\bnot be(?:ing)? (?:around|here)\b|\bsee what god wants\b|\bif i (?:was|were) gone\b|\bwithout me (?:around|here)\b|\bi(?:'m not going to|'m not gonna| ain't gonna| am not going to| won't| will not) be (?:(?:around|here) (?:much longer|any ?more)|around to (?:play|use|see|wear|drive|enjoy|need|spend))\b|\bi(?:'ll| will) (?:soon )?be with (?:him|her|them) (?:soon|again|by (?:christmas|easter|spring|summer|winter|new year)|before (?:long|christmas|easter))\b/,
  ),
  row('suicide', 'thoughts', true, /\bsuicid(?:e|al|ality|ally)\b/),
  row(
    'suicide',
    'thoughts',
    true,
    new RegExp(
      `\\bkill(?:ing|s|in')? ${self}|\\b(?:end(?:ing)?|tak(?:e|ing)) (?:my|your|his|her|their) (?:own )?li(?:fe|ves)\\b(?! (?:back|seriously|for granted|story))|\\bend(?:ing)? it all\\b|\\b(?:hang|hanging|shoot|shooting|drown|drowning|poison|poisoning|gas|gassing) ${self}|\\b(?:thinking|thoughts?|think|thought) (?:about|of) (?:dying|death|ending (?:it|things)|not going on|being dead|harming your|taking your)`,
    ),
  ),
  row(
    'suicide',
    'thoughts',
    true,
    /\b(?:hurt|hurting|harm|harming) (?:yourself|myself|himself|herself|themselves|your self|my self)\b/,
  ),
  row(
    'suicide',
    'thoughts',
    false,
    /\b(?:jump(?:ed|ing)?|step(?:ped|ping)?|walk(?:ed|ing)?|driv(?:e|ing)|swerv(?:e|ed|ing)|steer(?:ing)?|drove|run|lie|lay(?:ing)?) (?:\w+ ){0,4}(?:off|into|in front of|under|over|from)(?: \w+){0,3} (?:bridge|roof|building|train|trains|overpass|balcony|cliff|parking (?:structure|garage)|traffic|bus|truck|semi|tracks?|median|guardrail|tree|wall|pole|river|oncoming|quarry|windows?|ledge|platform|abutment|lorry)\b|\bgo(?:ing)? (?:(?:the two|both) of us )?off the (?:pier|bridge|cliff|rocks|quay|roof)(?: together)?\b/,
  ),
  row(
    'suicide',
    'thoughts',
    false,
    /\bdark thoughts?\b|\bend it\b(?= (?:all|that|tonight|now)|[.?!,]|$)|\b(?:can't|cannot) (?:do this|go on|take (?:it|this)) any ?more\b|\bnot going on\b|\b(?:don't|do not|didn't) (?:want to|wanna|see how (?:i|to)) (?:go on|keep going)\b|\bplan to do it\b/,
  ),
  row(
    'suicide',
    'means',
    false,
    /\b(?:guns?|firearms?|pistols?|rifles?|shotguns?|revolvers?|handguns?|glock|ammo|ammunition)\b|\bleftover pills\b|\bpills (?:at home|lying around|saved|stashed)\b/,
  ),
  // --- self-harm
  row('self_harm', 'act', true, /\bself[- ]?(?:harm|injur|mutilat)\w*\b/),
  row(
    'self_harm',
    'act',
    true,
    new RegExp(
      `\\b(?:cut|cuts|cutting|burn|burned|burnt|burning|scratch\\w*|bit|biting|carv\\w+|punch\\w*|hit|hitting|stab\\w*|brand\\w*) (?:on )?${self}`,
    ),
  ),
  row(
    'self_harm',
    'act',
    true,
    /\b(?:i|you|she|he|they)(?:'ve|'d| have| had| been| was| were| started| keep| kept| did|'s| has| just)* (?:cut|cutting|burn(?:ed|ing)|scratch(?:ed|ing)|carv(?:ed|ing)|dig|dug|pick(?:ed|ing))(?: (?:again|on|at|into|a little|up|down|them|it|lines))* (?:my|your|his|her|their) (?:\w+ )?(?:arms?|legs?|thighs?|wrists?|stomach|hips?|skin|forearms?|ankles?)\b/,
  ),
  row(
    'self_harm',
    'act',
    true,
    /\b(?:started|stopped|been|was|am|i'm|quit|still|relapsed (?:on|with)|urge to|urges to|thoughts of|thinking (?:of|about)|any) (?:cut|cutting)\b(?=[.?!,;]|$| (?:again|on my|when|since|for|because|at (?:night|school)|myself|yourself|or|and|as a|in (?:high|middle|college|my))\b)/,
  ),
  row('self_harm', 'means', false, /\b(?:razor ?blades?|blades?|box cutter|lighter to my)\b/),
  row(
    'self_harm',
    'act',
    false,
    /\bbang(?:s|ed|ing)? (?:my|his|her|your|their) head\b|\bhurt(?:ing)? (?:yourself|myself) on purpose\b|\bscratch\w* (?:\w+ ){0,3}(?:till|until) (?:it|i) (?:bled|bleed)/,
  ),
  // --- harm to others
  row(
    'harm_to_others',
    'thoughts',
    true,
    /\bhomicid\w*\b|\b(?:thoughts?|think|thinking|urges?|plans?|wish(?:es)?|ideas?|fantas\w+|dream\w*) (?:\w+ )?(?:of|about|to|like) (?:\w+ ){0,2}(?:hurt|harm|kill|shoot|stab|chok|strangl|attack|beat|punch|smother|drown|shak)\w* (?!myself|yourself|himself|herself|themsel|your self|my self|me\b)\w+/,
  ),
  row(
    'harm_to_others',
    'thoughts',
    true,
    /\b(?:hurt|harm|kill|attack)(?:ing)? (?:(?:yourself|myself) or )?(?:someone|somebody|anyone|anybody|others|other people|another person|someone else|anybody else|anyone else|your (?:baby|child|children|kids|wife|husband|partner)|the baby)\b/,
  ),
  row(
    'harm_to_others',
    'threat',
    false,
    /\bi(?:'ve|'d)? (?:told (?:him|her|them) i(?:'d| would| was going to| was gonna|'ll) (?:kill|hurt|shoot|beat|burn|end|break|cut)|threatened)\b|\bi(?:'m| am) (?:going to|gonna|about to) (?:kill|hurt|shoot|stab|beat) (?:him|her|them|my|that|the|those|somebody|someone)\b/,
  ),
  row(
    'harm_to_others',
    'act',
    false,
    new RegExp(
      `\\bi(?:'ve| have| had|'d| just| kind of| kinda| only| also| even| really| finally| may have| might have)* (?:hit|slapped|punched|beat|kicked|choked|strangled|smacked|shoved|pushed|shook|stabbed|grabbed|spanked|whipped|swung at|threw \\w+ at|put (?:my )?hands on|laid hands on) ${person}\\b`,
    ),
  ),
  row(
    'harm_to_others',
    'thoughts',
    false,
    /\b(?:i|you)(?:'d| would| could| want| wanted| wanna| will|'ll| might|'ve| have|'m| am| was| just| kind of| really| to| like| going| gonna| thought| think| about| of)* (?:kill|killing|hurt|hurting|shoot|shooting|stab|stabbing|strangle|strangling|choke|choking|smother|smothering|harm|harming|beat up|beating up|run over|snap) (?:him|her|them|that (?:man|guy|woman|kid)|my (?:boss|ex|wife|husband|mother|father|mom|dad|brother|sister|neighbou?r|coworker|manager|landlord|roommate|son|daughter|baby|stepdad)|the (?:guy|baby|kids?|neighbou?r|landlord))\b/,
  ),
  // --- abuse
  row(
    'abuse',
    'threat',
    true,
    /\b(?:he|she|they|who|dad|mom|mother|father|husband|wife|boyfriend|girlfriend|ex|partner|son|\w+)(?:'s|'d)?(?: \w+)? threaten(?:s|ed|ing)? (?:to|me|us|her|him|them|my|that)\b|\b(?:says?|said|told me|tells me) (?:that )?(?:he|she|they)(?:'d|'ll| would| will|'s going to|'s gonna| was going to| was gonna) (?:kill|hurt|shoot|beat|burn|find|bury|end) (?:me|us|her|him|them|my)\b/,
  ),
  row(
    'abuse',
    'violence',
    true,
    /\b(?:rap(?:ed|e)|molest\w*|sexual(?:ly)? (?:abus\w+|assault\w*)|domestic (?:violence|abuse)|physical(?:ly)? abus\w+|emotional(?:ly)? abus\w+|verbal(?:ly)? abus\w+|abusive|child abuse|elder abuse|abuser)\b|\babus(?:ed|es|ing) (?:me|us|him|her|them|as|by|when|my)\b|\b(?:been|being|was|were|ever) (?:physically |sexually |emotionally )?(?:abused|assaulted|molested|raped|beaten|strangled|choked|slapped|punched|trafficked)\b|\bhands? (?:around|round|on|at) (?:my|your|her|his) (?:neck|throat)\b|\bblack eye\b|\b(?:gave|left|has|had|have) (?:\w+ ){0,2}bruises?\b(?= (?:on|from|where|all))|\b(?:with|got|gets|took) the belt\b/,
  ),
  row(
    'abuse',
    'violence',
    true,
    new RegExp(
      `\\b(?:(?:m[ae]n|guy|wom[ae]n|boyfriend|girlfriend|husband|wife|person|people|somebody|someone|dad|father|stepdad|mom|mother|brother|uncle|ex|partner) that|(?!i\\b|it\\b|that\\b|to\\b|this\\b|you\\b|we\\b|i've\\b|i'd\\b|which\\b|and\\b|(?:bus|car|truck|train|ball|door|light|wave|wind|sun|branch|deer|dog|cat|bee|wasp|mosquito|stroke|smell|cold|heat|nobody)\\b)[a-z]+)(?:'s|'d)?(?: (?:just|really|always|never|ever|even|also|has|had|would|will|used to|started|kept|did|does|didn't|doesn't|hasn't|once|actually|sometimes|still)){0,4} ${strikes} (?:me|us|him|her|them|you|each other|(?:my|your|his|her|our|the) (?:mom|mother|mum|mama|dad|wife|son|daughter|kids?|child|children|baby|brother|sister|girls?|boys?|little \\w+|grandma|grandmother|grandson|stepson|stepdaughter|face|head|back|legs?|arms?))\\b(?! (?:up for|with the narcan|that))`,
    ),
  ),
  row(
    'abuse',
    'violence',
    false,
    new RegExp(
      `\\b(?!i\\b|it\\b|that\\b|to\\b|this\\b|you\\b|we\\b|i've\\b|i'd\\b|which\\b)[a-z]+(?:'s|'d)?(?: (?:just|really|always|never|ever|has|had|would|used to|started|kept|once|sometimes)){0,4} ${roughly} (?:me|her|him|them|us) (?:against|by|down|into|on|up|across|off|out of|under|so hard|hard|and (?:i|she|he|said|told|wouldn't|hit|shook)|too hard)\\b`,
    ),
  ),
  row(
    'abuse',
    'violence',
    false,
    /\b(?:put|puts|laid|lays|lay|raised?) (?:his|her|their|a|your) hands? (?:on|to|at) (?:me|you|us|her|him|them|the|my|your)\b|\b(?:touch(?:ed|es)?|touching) (?:me|her|him|you) (?:down there|there|where|inappropriately|in (?:a|that) way|when (?:i|she|he) was|under)\b|\b(?:hurts?|hurting|hit) (?:you|me|her|him|the kids|each other)\b(?= (?:at home|physically|in any way|ever)|[.?!,]|$)|\bforc(?:ed|es|ing) (?:me|her|him|himself on|herself on|you) (?:to have sex|into|to do|to touch|down|on)\b|\b(?:protective|restraining|no.?contact) order\b|\bviolen(?:t|ce)\b|\bstalk(?:s|ed|ing|er)\b/,
  ),
  row(
    'abuse',
    'neglect',
    false,
    /\bneglect(?:ed|ing|ful)?\b(?! (?:my|the) (?:work|house|garden|plants|studies|hobbies|friends))|\b(?:left|leaves|leave|leaving) (?:\w+ ){0,4}(?:alone|by (?:him|her|them)sel(?:f|ves)|unattended|in the car|in (?:his|her) own)\b(?= (?:all|for|with|overnight|at night|in|until|till))|\blocked (?:me|him|her|them|us) (?:in|out|up)\b|\btied (?:to|up|down)\b|\bno(?:thing)? (?:food|to eat) in the (?:house|fridge)\b/,
  ),
  row(
    'abuse',
    'unspecified',
    false,
    /\b(?:child|adult) protect\w*(?: services)?\b|\bcps\b|\baps\b|\bmandated report\w*|\b(?:feel|feeling|are you|you|is it|be|am i|i'm) (?:un)?safe (?:at home|with (?:him|her|them)|in (?:the|your|that) (?:house|home|relationship)|there|around (?:him|her))\b|\b(?:afraid|scared|frightened|terrified) of (?:him|her|your (?:husband|wife|partner|boyfriend|girlfriend|son|daughter|father|mother|dad|mom)|my (?:husband|wife|partner|boyfriend|girlfriend|son|father|mother|dad|mom|stepdad|stepfather|ex)|going home)\b/,
  ),
  row(
    'abuse',
    'control',
    false,
    /\b(?<!\bi |\bi'd |\bi'll |\bi just |\bcan |\bcould |\band )(?:takes?|took|keeps?|kept|hides?|hid|checks?|controls?|reads?|holds?) (?:all )?my (?:phone|keys|pay ?check|money|cards?|passport|papers|messages|texts|mail|social security|benefits)\b|\b(?:won't|doesn't|wouldn't|didn't|never) (?:let|allow)(?:s|ed)? me (?:to )?(?:leave|see|go|work|have|talk|drive|out|use)\b|\btrack(?:s|ed|er|ing) (?:my|on my|me|where)\b|\b(?:he|she|they) (?:has|have|got|keeps?|goes through|go through) (?:my|me) (?:bank )?(?:cards?|phone|wages|pension|money)\b|\b(?:he|she) gives me (?:my|me|an?) (?:bus fare|allowance|pocket money|housekeeping)\b/,
  ),
  // --- psychosis
  row(
    'psychosis',
    'commands',
    true,
    /\bvoices (?:that |which |are |is |was |were |keep |kept |start |started )*(?:tell|tells|telling|told|command\w*|order\w*|say to|wants?) (?:me|you|him|her|them)? ?(?:to )?(?:\w+ )?(?:do|hurt|kill|cut|jump|die|burn|stab|go|leave|stop)?|\bcommand (?:voices?|hallucination\w*)\b/,
  ),
  row(
    'psychosis',
    'commands',
    false,
    /\b(?:it|they|he|she|something|god|the devil|radio|tv)(?:'s|'re| is| are| keeps?| ever| just)* (?:tell|telling|tells|told) (?:me|you) to (?:hurt|kill|harm|jump|die|do (?:it|things|anything|something|bad))\b/,
  ),
  row(
    'psychosis',
    'voices',
    true,
    /\bhear(?:ing|s|d)? (?:\w+ ){0,3}voices?\b|\bvoices (?:\w+ )?(?:say|says|saying|said|talk|talks|talking|comment\w*|whisper\w*|mumbl\w*|laugh\w*|scream\w*|call\w*|in (?:my|your|his|her) head)\b|\bhallucinat\w*|\b(?:see|seeing|hear|hearing|saw|heard)(?: or (?:see|seeing|hear|hearing))? (?:things|anything|stuff|people|something)(?: that)? (?:other|others|aren't|isn't|weren't|wasn't|nobody|no one|not there|not real|people don't)/,
  ),
  row(
    'psychosis',
    'voices',
    false,
    /\bvoices\b|\bvoice (?:that )?(?:says?|said|tells|telling|told|talks|talking)\b|\b(?:hear|hearing|see|seeing|saw|seen|heard) (?:things|shadows)\b/,
  ),
  row(
    'psychosis',
    'beliefs',
    true,
    /\bdelusion\w*|\bpsychosis\b|\bpsychotic\b|\b(?:read(?:s|ing)?|hear(?:s|ing)?|control(?:s|ling)?) (?:my|your) (?:mind|thoughts)\b|\b(?:thoughts?|ideas?) (?:\w+ ){0,2}(?:put|inserted|planted|broadcast\w*) (?:in|into)\b|\b(?:tv|television|radio|news|newscaster) (?:\w+ )?(?:talk\w*|send\w*|speak\w*|mean\w*|messages?) (?:to|for|about) (?:me|you)\b|\bspecial (?:powers|messages|mission)\b|\b(?:government|fbi|cia|police|neighbou?rs?|satellites?|cameras?|they|people|somebody|someone) (?:\w+ ){0,4}(?:watch(?:ing)?|follow(?:ing)?|spy(?:ing)? on|listen(?:ing)? (?:in|to)|poison(?:ing|ed)?|track(?:ing)?|record(?:ing)?|out to get|plotting against|bugg(?:ed|ing)) (?:me|you|us|my|your)\b/,
  ),
  row(
    'psychosis',
    'beliefs',
    false,
    /\bparanoi(?:a|d)\b|\bbeing (?:watched|followed|poisoned|recorded|monitored|tracked)\b|\b(?:out to get|plotting against|conspir\w+ against) (?:me|you|us)\b|\b(?:micro)?chip in (?:my|your|his|her)\b|\bchosen (?:one|by god)\b|\bbugged\b/,
  ),
]

/** A danger told with one of these words is somebody else's: "my uncle shot himself". */
export const othersSelf = /\b(?:himself|herself|themself|themselves|him self|her self)\b/
