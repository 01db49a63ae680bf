/**
 * Words of danger that mean none. `figure`: nobody means it, the words are taken out before anything is looked for.
 * `doubt`: mostly a figure, sometimes not; what is found there stays, as suspected.
 *
 * What has to stand before a figure is looked for behind its first letters: at every letter it took a third of what the rules took for endless texts.
 */

const accident =
  '(?:shav\\w+|cook\\w*|chopp\\w+|slic\\w+|peel\\w+|onion\\w*|kitchen|stove|oven|iron|pan|bread|can(?: lid)?|paper|glass|accident\\w*|by mistake|razor while|grill|coffee|soup|kettle|curling|lawn|garden\\w*|saw|tool\\w*|box cutter|work)'

const figures: readonly RegExp[] = [
  // kill, die, dead, murder
  /\b(?:is|are|was|were|been|it's|that's|they're|just|be) (?:just |literally |absolutely |really |totally |straight up )?killin[g']? (?:me|us|him|her|my (?:back|feet|knees?|head|neck|shoulders?))\b/g,
  /\b(?:head|back|feet|knees?|heat|job|commute|shoes?|hours?|bills?|homework|traffic|deadlines?|headaches?|suspense|schedule|stairs|allergies|waiting|cramps|pain|it|that|they|this)(?:'s| is| are|'re| was)? (?:\w+ )?kill(?:s|ed|in[g']?)? me\b(?! if)/g,
  /\bkill(?:ed|ing|s|in')? (?:it|time|the (?:mood|vibe|engine|lights?|bottle|joke|battery|pain|plants?|weeds?|bugs?|germs?|bacteria|infection|taste|buzz)|two birds|an? (?:hour|bottle|evening|afternoon|plant|six.?pack|spider|bug|fly|deer|roach)|for (?:an?|some|that|this)|my (?:appetite|back|knees?|plants?|buzz|battery|stomach|sex drive)|off)\b/g,
  /\b(?:painkillers?|killer (?:headache|workout|app|deal|instinct|whale)|weed killer|lady ?killer|killjoy|overkill|buzzkill|dressed to kill)\b/g,
  /\bkill(?:ed|ing)? (?:my|your|him|her)self (?:laughing|with (?:work|laughter)|at work|over (?:it|this|that)|to (?:get|make|finish|please|be))\b/g,
  /\b(?:to die for|dying (?:to (?!die|be dead)\w+|for (?:an?|some)|of (?:thirst|heat|boredom|laughter|embarrassment|curiosity|shame|hunger)|laughing|down)|die of (?:shame|embarrassment|boredom|laughter)|almost died laughing|died laughing|die happy|die[ds]? down|die hard|die.?hard|do or die|old habits die)\b/g,
  /\b(?:dead (?:tired|serious|set|end|ends|weight|last|on|asleep|wrong|right|silence|quiet|center|battery|batteries|zone|air|heat|line|skin|stop|cell|low|slow|simple|easy|boring|good|broke|inside of the|leaves|plants?|phone|car|by noon|to the world|on my feet|man walking|in the water)|(?:phone|battery|car|laptop|line|mic|signal|tv|machine|hearing aid|engine|wi-?fi|plant|tree|grass|place|store|shop|street|bar|town|it)(?:'s| is| was| went| goes)? (?:\w+ )?(?:dead|died|dying)|(?:stop|stopped|drop|dropped) dead|over my dead body|deadlines?|deadpan|deadlift\w*|deadbolt|sleep like the dead|knock\w* (?:them|'em) dead|the dead of|left for dead)\b/g,
  /\b(?:murder (?:mystery|mysteries|couch|show|podcasts?|on (?:my|the) (?:back|feet|knees|legs))|murder on a|get away with murder|bloody murder|blue murder|true crime)\b/g,
  // shoot, gun, bullet
  /\bshoot(?:s|ing)? (?:(?:me|us|you|him|her|them) (?:an?|the|your|over|back|some|off|that)\b|for\b|the (?:breeze|shit|bull|hoops?|puck)|hoops|baskets?|pool|photos?|pictures?|video|a (?:text|message|film|movie|video|wedding|commercial)|up\b|it up|dope|heroin|with (?:the|my) (?:right|left))/g,
  /\bshot (?:myself|yourself|himself|herself) in the foot\b|\b(?:photo|film|video) ?shoots?\b|\b(?:well|oh|aw),? shoots?\b|^shoot\b|\btroubleshoot\w*|\b(?:pain|pains) shoot\w*|\bshooting pains?\b|\bshooting (?:down|up|through|across)\b/g,
  /\b(?:glue|heat|hot glue|nail|staple|spray|massage|water|squirt|nerf|paintball|bb|caulk\w*|tattoo|radar|grease|price|label|temperature|temp|toy|laser|foam|t-?shirt|sex|potato|finger|pellet|tagging|soldering|pressure|rivet|theragun|cap|confetti|bubble|scan\w*) guns?\b/g,
  /\b(?:jump\w* the gun|stick(?:ing)? to (?:my|your|his|her|their|our) guns|stuck to (?:my|your|his|her|their) guns|big guns|top gun|under the gun|son of a gun|gun(?:s)? n'? roses|gun(?:ning|ned)? it|gunning for|guns? blazing|hired gun|smoking gun|gun(?:metal|shy|-shy)|bite the bullet|bullet (?:points?|journal\w*|train|list)|dodged a bullet|silver bullet|magic bullet|(?:loose|water) cannon|tommy gun)\b/g,
  // hang, rope, jump, cliff
  /\bhang(?:s|ing)?(?: (?:out|on|up|in there|around|tight|loose|a (?:left|right)|with|back|it up|my (?:hat|coat|clothes)|the (?:laundry|picture\w*|clothes|coat|wash|lights|curtains?)|about|over|off|by a thread|onto|heavy|there))\b|\bhangovers?\b|\bhung (?:over|up|out|on|around|back)\b|\bhangry\b|\b(?:end of (?:my|your|his|her) rope|on the ropes|learn\w* the ropes|jump(?:ed|ing)? rope|skipping rope|tightrope|roped in\w*|velvet rope)\b/g,
  /\bjump(?:ed|ing|s)? (?:in(?:to)? (?:on|with|here|right|bed|conclusions?|the (?:pool|shower|car|lake|deep end))|to conclusions|off (?:the|a) (?:diving board|dock|trampoline|couch|bed|page|call|phone)|out of (?:bed|my skin|my seat)|through hoops|on (?:a call|the bandwagon|it|that|the trampoline)|around|up and down|start|scare|for joy|ship)\b/g,
  /\b(?:cliff ?hangers?|cliff notes|off a cliff in (?:sales|performance)|fiscal cliff)\b/g,
  // choke, strangle, drown, suffocate
  /\b(?:got|get|getting|all|was|been|felt|feel|a (?:little|bit)) (?:\w+ )?choked up\b|\bchok(?:e|ed|es|ing) (?:up|on (?:the|a|my|his|her|that|those|some|food|it|water|words?|every|saliva|pills?|meat|steak)|back (?:tears|sobs)|down|out (?:an?|the|a few) (?:word|sorry|words|apology)|it down|the words?|hazard|under pressure|at the (?:end|line|free))|\bchoke ?point\b|\bchoker\b|\bartichokes?\b/g,
  /\b(?:strangle|kill|murder|throttle|shoot) (?:that|the|this|my) (?:printer|computer|laptop|phone|dog|cat|alarm|tv|car|copier|thing|router|machine|wi-?fi|squirrels?|raccoons?|rooster|gps)\b/g,
  /\b(?:drowning|drown|drowned) in (?:work|paperwork|emails?|debt|bills|laundry|homework|tasks|guilt|it|the noise)\b|\bdrown(?:s|ed|ing)? (?:it |him |her |them |that |\w+ )?out\b|\bdrown(?:ing)? my sorrows\b/g,
  // hit, beat, slap, cut, burn, stab
  /\b(?:it|(?:reality|grief|news|smell|wave|thought|panic|heat|sadness|anxiety|everything|wall|craving|fatigue|guilt|loneliness|pain|nausea|realization|quiet|silence|song|memory|medication|meds?|pill|caffeine|edible|storm|pandemic|divorce|inflation)(?: that)?)(?:'s| just| really| kind of| sort of| has| had| all| always| finally| kinda| don't| doesn't| didn't| can| could| might| will)* (?:hit|hits|hitting|slaps?|slapped|struck|strikes) (?:me|you|him|her|us|them)\b/g,
  // "A man that hits me" is told of a person.
  /(?<!\b(?:m[ae]n|guys?|wom[ae]n|ones?|boys?|girls?|boyfriend|girlfriend|husband|wife|person|people|somebody|someone|anybody|anyone|nobody|everybody|dad|father|mom|mum|mother|stepdad|stepfather|stepmom|brother|sister|uncle|aunt|cousin|teacher|coach|kids?|him|her|ex|partner|boss|nurse|cop|dude|bloke|son|daughter|neighbou?r|roommate),? )\b(?:that|this|which)(?:'s| just| really| kind of| sort of| has| had| all| always| finally| kinda)* (?:hit|hits|hitting|slaps?|slapped|struck|strikes) (?:me|you|him|her|us|them)\b/g,
  /\bhit(?:s|ting)? (?:me|you|him|her|us|them)(?: \w+)? (?:up\b|with (?:the|a|an|his|her) (?:narcan|bill|news|question\w*|invoice|guilt|charge|fee|late)|that\b|like\b|hard\b|later\b|all at once|out of nowhere|in (?:the (?:feels|gut)|waves)|again\b(?= that))|\bhit (?:or miss|the (?:gym|road|sack|hay|wall|brakes?|books|roof|ceiling|spot|ground|bottle|button|snooze|shower|store|town|jackpot|nail|bars?|weights)|it off|rock bottom|bottom|my (?:head|toe|elbow|knee|shin|limit|stride|goal|deductible)|home|a (?:wall|nerve|snag|deer|pothole|curb|plateau|rough|low)|send|pause|play)\b|\bbig hit\b|\bhit song\b/g,
  /\bbeat(?:s|ing|en)? (?:(?:my|your|him|her|them)sel(?:f|ves)(?: \w+)? up|(?:my|your|him|her|them)sel(?:f|ves)|(?:me|you|us|him|her|them) (?:to (?:it|the punch|work|class|that)|here|there|home|at (?:\w+)|in (?:the|a|chess|cards)|by)|the (?:traffic|rush|heat|clock|odds|system|crowd|record|deadline|bush|eggs)|around the bush|it\b(?! (?:into|out of))|cancer|depression|this (?:thing|addiction)|the (?:addiction|disease|cancer))\b|\bdead ?beat\b|\bheart ?beat\w*|\bdownbeat\b|\bupbeat\b|\boff ?beat\b|\bbeats (?:me|nothing|working|sitting|the)\b(?! up)/g,
  /\bkick(?:ed|s|ing)? (?:me|him|her|us|them|you) (?:out|off)\b/g,
  /\bslap(?:ped|s)? (?:in the face|on the wrist|a (?:label|sticker|band-?aid)|together|some|me five|a smile)\b|\bslap in the face\b|\bslap ?stick\b/g,
  /\bcut(?:s|ting)? (?:(?:my|your|him|her|them)sel(?:f|ves) (?:some slack|off|a break|a deal|loose|a (?:piece|slice)|short|out of|down)|back|down|out|off|it|corners|ties|hours?|(?:my|your|his|her|their) (?:hours?|hair|nails?|losses|shifts?|dose|pay|grass|lawn|food|meat|carbs|budget|drinking|salary|bangs|calories|time)|the (?:grass|lawn|cord|cake|dose|pill|crap|tension|line|cheese|check|alcohol|carbs|sugar|caffeine|bullshit)|class|school|across|through|in half|into|and paste|to the|us|me (?:off|some|loose|a (?:break|deal|check))|coupons|weight|for (?:time|a))\b|\b(?:hair|crew|short|paper|pay|budget|shift|clean|clear|under)[ -]?cuts?\b|\bcut ?(?:and dried|throat)\b/g,
  new RegExp(
    `\\b(?:cut|cuts|cutting|burn|burns|burned|burnt|burning|stab|stabbed|hurt|scratched|hit) (?:my|your|him|her|them)sel(?:f|ves)\\b(?=[^.?!]{0,40}\\b${accident}\\b)`,
    'g',
  ),
  new RegExp(
    `\\b(?=cut|burn|hurt)(?<=\\b${accident}\\b[^.?!]{0,30})(?:cut|burn|burned|burnt|hurt) (?:my|your|him|her|them)sel(?:f|ves)\\b`,
    'g',
  ),
  /\b(?:stab(?:bing)? (?:pain|in the (?:dark|back)|at it)|backstab\w*|stabbing (?:feeling|sensation|headache)|(?:take|took|taking|have) a stab|stabbed in the back|sharp stabbing)\b/g,
  /\bburn(?:s|ed|t|ing|in')? (?:out|off|calories|through|the (?:rice|toast|garlic|dinner|food|candle|midnight)|bridges|a hole|up the|cd|it\b|when i (?:pee|urinate)|my (?:mouth|tongue|toast|eyes|bridges))|\b(?:heart|sun|side|wind|razor|freezer)burn\w*|\bburn ?out\b/g,
  /\bhurt(?:s|ing)? (?:(?:my|your|his|her|their|people's|anyone's|somebody's|someone's) (?:feelings?|pride|chances|career|back|knee|foot|ankle|shoulder|hip|neck|wrist|hand|leg|arm|toe|finger|elbow|credit|ego|business)|to (?:ask|try|check|swallow|walk|sit|look|hear|say|breathe)|my)\b/g,
  // What panic is like.
  /\b(?=thought|think|fe(?:el|lt)|convinced|sure)(?<=\b(?:panic\w*|heart|chest|breath\w*|attack)\b[^.?!]{0,60})(?:thought|think|felt like|feel like|convinced|sure) (?:that )?(?:you|i|he|she)(?:'s|'re|'m| was| were| am| are| is) (?:dying|going to die|gonna die)\b/g,
  // What it is like is not what happened.
  /\b(?:feels?|felt|feel like|thought|like) (?:(?:like|as if|that) )?(?:i|he|she)(?:'d|'ve| had| have|'s| was| were)? (?:just )?(?:been |got(?:ten)? )?(?:run over|hit) by (?:an? |the |my (?:own )?)(?:\w+ )?(?:bus|truck|train|trailer|lorry|tractor|steamroller|tram)\b/g,
  /\b(?:feel(?:s|ing)?|felt|headache|head|migraine|pain|aches?|hurts?|snor\w{1,3}|cough\w{0,3}|sounds?)(?: [\w']{1,12}){0,2} (?:like|as if|as though) (?:(?:somebody|someone|something)(?:'s| has| had|'d)?(?: just)?|i(?:'d| had)(?: just)? been|an? (?:\w+ ){1,3}(?:being|getting)) (?:hit|hits|hitting|stabb(?:ed|ing)|punch(?:ed|ing)|kick(?:ed|ing)|strangl(?:ed|ing)|chok(?:ed|ing)|shot|beat|beaten)\b(?: (?:me|him|her|us)\b)?(?![^.?!]{0,60}\b(?:(?:he|she|they) did|husband|wife|boyfriend|girlfriend|partner)\b)/g,
  /\b(?:feel(?:s|ing)?|felt|it(?:'s| is| was)?|that's)(?: just| almost| kind of)? like (?:an? |the )?(?:big |cold |tight )?hands? (?:on|around|round|at) (?:my|his|her|your) (?:throat|neck)\b(?![^.?!]{0,60}\b(?:he|she|husband|wife|boyfriend|girlfriend|partner|ex)\b)|\blike (?:an? )?machine guns?\b/g,
  /\b(?:hit|hits|hitting|smack\w*|whack\w*) (?:me|him|her|us) with (?:a|the|his|her|my) (?:pillow|newspaper|cushion|sock|balloon)\b/g,
  /\blisten(?:s|ed|ing)? to (?:(?:your|his|her) breathing|(?:your|my|his|her) (?:chest|heart|lungs|tummy|stomach|back))\b(?! (?:through|from|via|over|by|in the wall))/g,
  // voices
  /\b(?:he|she|dad|daddy|mom|mommy|mum|mummy|grandpa|grandma|teacher|husband|wife|[a-z]{1,20} and)(?:'s| is| was)?(?: always| even| just| also)? (?:does|doing) (?:all )?the voices(?=[.,!;]|$| (?:and|for|when|too|so|with)\b)/g,
  /\b(?:(?:choir|singing|kids'?|children's|little|loud|low|quiet|soft|inside|indoor|raised|deep|beautiful|male|female|soprano|alto|backup|other|soothing|calm|different|funny|silly|tired|hoarse|scratchy) voices?|voice ?(?:mail\w*|memo|over|lesson\w*|message\w*|note|recognition|text|box|actor|acting|chat|call|command|s? (?:carry|cracks?|cracked|crack|shook|shakes|hoarse|gone|raised|changed?|broke|drop\w*))|(?:my|your|his|her|mom's|dad's|wife's|husband's|own|inner|critical|critic's|anxious|eating disorder|ed|addict|addiction) voice|lost (?:my|his|her) voice|(?:raise|raised|raises|raising|lower|keep|kept) (?:my|your|his|her|their|our) voices?|tone of voice|in (?:four|three|five|two) voices|voices? in (?:the|our|my) (?:choir|chorus|group|meeting|room)|heard your voice|hear your voice|hear (?:his|her|my|their) voice|find(?:ing)? (?:my|your|a) voice|have a voice|voice of reason|a voice (?:in|at) the (?:table|meeting))\b/g,
  /\b(?:choir|choral|chorus|singing|sing|sings|sang|soprano|harmony|band)\b[^.?!]{0,60}\bvoices?\b/g,
  /\bvoices?\b[^.?!]{0,40}\b(?:choir|choral|chorus|singing|soprano|harmony|in four parts)\b/g,
  // what has danger in its name and is none
  /\b(?:suicide squad|suicide (?:doors?|hotlines?|lifelines?|prevention|crisis line|and crisis|cable|drill|run|awareness)|(?:political|career|social|commercial|academic|financial) suicide|doing suicides|(?:drug|alcohol|substance|drink) abuse\w*|abuse of (?:power|alcohol|drugs)|drug overdose training|overdos\w+ (?:on|of) (?:sugar|caffeine|coffee|chocolate|cake|candy|netflix|tv|news|carbs|cuteness|christmas|turkey|social media|screen)|sugar overdose|narcan training|drunk driving assault|salt and battery|trauma ?bay|bomb (?:dot|ass)|photo ?bomb\w*|bath bombs?|the bomb\b|attempt(?:s|ed|ing)? (?:at|a |an |the |to (?:get|quit|call|make|sleep|talk|reach|lose|work|go|stop|eat|cook|fix|do|read|stand|walk|run|clean|drive|cut))|heart attack\w*|panic attack\w*|anxiety attack\w*|attack of)\b/g,
  /\b(?:hear(?:ing|s|d)?|see(?:ing|s|n)?|saw) things (?:like that|from (?:his|her|my|your|their)|differently|through|clearly|clearer|my way|out|about|(?:going|getting|happening|change|improve))\b/g,
]

/** Stands where a figure of speech was taken out, so that the words on both sides of it are not read as one phrase. */
const blank = ' … '

export const withoutFigures = (plain: string): string =>
  figures.reduce((text, figure) => text.replace(figure, blank), plain)

const doubts =
  /\b(?:i could(?:'ve| have)?(?: just)? (?:kill|killed|murder|murdered|strangle|strangled|died|throttle|wring)|(?:i'd|i would|i'll|i'm going to|i'm gonna|gonna|going to|want(?:ed)? to|wanna|about to|fixing to|fixin to|she'd|he'd|they'd|she'll|he'll|they'll|would|mom would|dad would|mother would|wife would|husband would|wife will|boss would) (?:just |literally |actually |probably )?(?:kill|murder|strangle|shoot|slap|throttle|smack) (?:me|him|her|them|us|you|my|somebody|someone)|shoot me(?: now)?|kill me(?: now)?|just kill me|literally|so embarrass\w+|embarrass\w+|mortif\w+|joke|joking|kidding|haha|figure of speech|like a horse|in the game|video ?games?|in the movie|movies?|the show|episode|on tv|netflix|the book|novel|the news|podcast|song|lyrics|i(?:'d| would) rather die(?! than (?:live|go on|stay))|i about died|nearly died|almost died|i'd die if|i'd have died|i thought i was (?:gonna|going to) die|thought i was dying|feels? like (?:i'm )?dying|felt like (?:i was )?dying|lol|(?:it's|that's|it'd be|that'd be|absolute|sheer|career|political|social|professional|financial|commercial) suicide)\b/

/** Whether a sentence with words of danger may well be a way of speaking. */
export const isDoubtful = (plain: string): boolean => doubts.test(plain)
