import { findMedications } from '../../../lexicon/medications.js'

/** What talk is about. The order decides where a sentence goes that is about several things. */
const lexicon = {
  allergy: /\ballerg(?:y|ies|ic)\b|\bhives\b|\banaphyla/i,
  family_history:
    /\b(?:in (?:your|my|the) family|birth parents|your (?:parents|siblings)[^.?]{0,20}(?:history|problems|trouble)|family history|runs in)\b|\b(?:mother|mom|father|dad|uncle|aunt|grand(?:mother|father|ma|pa)|sister|brother|cousin|parents?)\b[^.?!]{0,25}\b(?:has|had|have|was|is|were|struggled|diagnosed|drank)\b[^.?!]{0,25}\b(?:bipolar|depress\w*|anxi\w+|schizo\w*|alcoholi\w*|addict\w*|suicide|himself to death|herself to death|ptsd|adhd|ocd|mental|drank|died by)\b/i,
  trauma:
    /\b(?:(?:took|take) (?:his|her|their) own li(?:fe|ves)|killed (?:him|her|them)sel\w+|died by suicide|hit me|hits me|hitting me|beat me|beats me|chok(?:ed|es) me|violen\w*|restraining order|post.?traumatic|trauma\w*|flashbacks?|assault(?:ed)?|abus(?:e|ed|ive)|molest\w*|rape[d]?|combat|(?<!by )accident|hypervigilan\w*|startle\w*|dissociat\w*|zoned out|(?:feel(?:s|ing)?|felt) (?:not real|unreal|like (?:it's|it is) not real|far away|outside (?:of )?(?:my|your)self)|(?:out of|outside) (?:my|your) body|like (?:i'm|i am|i was|you're|they are) back there|triggered|reminders?)\b/i,
  side_effect:
    /\b(?:restlessness|akathisia|blunt(?:ed|ing)|queasy|cotton ?mouth|orgasm\w*|erections?|peeing|thirst|urinat\w*|sluggish|twitch\w*|(?:up|gained|put on) (?:about |maybe |like )?\w+ pounds|(?:brain )?zaps|tics\b|not hungry|(?<!in )sweats|sweat (?:a lot|at night)|drool\w*|side effects?|(?:trouble|problems|issues) with (?:it|the med\w*)|thirsty|hands shake|sex drive|nause\w*|dizz\w*|drows\w*|groggy|sedated|weight gain|gained \w+ (?:pounds|kilos)|dry mouth|mouth(?: is|'s| gets| feels) (?:so |really |very |always )?dry|blurry|lightheaded|light headed|woozy|vivid dreams|hot flashes|hair (?:is )?falling out|metallic taste|tremors?|shak(?:y|iness)|restless legs|akathisia|stiff\w*|rash|sexual (?:side|problems|function)|libido|constipat\w*|diarrhea|hungry all|sweating (?:a lot|more)|jittery|headaches?|zombie|foggy)\b/i,
  vitals:
    /\b(?:blood pressure|bp|pulse|heart rate|weight (?:today|is|was)|weigh|bmi|a1c|lipid|tsh|cbc|cmp|lithium level|kidney function|labs?|lab work|blood work|e ?k ?g|ecg|urine|drug screen|\d+ over \d+|phq.?(?:\d|nine|two)|gad.?(?:7|seven)|pcl.?(?:5|five)|score)\b/i,
  psychiatric_history:
    /\b(?:treated for|(?:seen|saw|talked to) (?:someone|somebody|anyone|anybody)|(?:been )?in counseling|counseling before|seen anybody|been depressed before|bunch of pills|overdosed|medications? before|before this one|in grad school|ever seen a|been in therapy|therapy before|seen a (?:therapist|counselor|psychiatrist)|previous (?:therapist|treatment)|hospitali\w+|hospital stays?|in a (?:psych\w* )?hospital|ever (?:been )?(?:admitted|in (?:a|the) hospital)|inpatient|psych(?:iatric)? (?:ward|unit|hospital)|ever (?:taken|tried|been on) (?:a |any )?(?:medication|meds|medicine)|times like this before|first (?:diagnosed|episode)|in the hospital|rehab|detox|diagnosed with (?:depression|bipolar|anxiety|adhd|ptsd|ocd)|used to (?:see|take)|years? ago i (?:saw|took|was)|medicines? were you|tried before)\b/i,
  adherence:
    /\b(?:miss(?:ed|es|ing)? (?:(?:a|any|my|the|like|about|maybe|one|two|three|four|five|a few|a couple|some|no|that|last|\d+)(?: of)? ){0,3}(?:doses?|pills?|days?|nights?|mornings?|meds?|medications?|shots?)|miss(?:ed|es|ing)? (?:it|them|any|(?:one|two|three|a few|a couple)(?=[.,!?]|$| or\b| (?:this|last|the other)))|skip(?:ped|ping)? (?:it|the|my|a|doses?)|forg[eo]t\w* (?:to (?:take|bring)|it|my|the)|ran out|run out|still taking|taking (?:it|the|your|that|them|those)|miss it|as prescribed|consistent\w*|taking it|pill box|stopped taking|quit taking|take it)\b/i,
  medication_response:
    /\b(?:help(?:s|ed|ing)?|working|not working|work(?:s|ed)|notic\w+ (?:a|any|the) (?:difference|change)|kick(?:ed|ing) in|difference)\b/i,
  substance:
    /\b(?:pack a day|champagne|six pack|twelve pack|bourbon|tequila|gummies|drink(?:s|ing)?|drank|drunk|alcohol|beers?|wine|a glass (?:of|with)|whiskeys?|vodka|liquor|sober|sobriety|relaps\w*|craving\w*|weed|cannabis|marijuana|thc|edibles?|cocaine|coke|meth|opioids?|heroin|fentanyl|oxy|vap(?:e|ing)|smok(?:e|ing|ed)|nicotine|cigarettes?|aa|na meeting|sponsor|blackout\w*|withdrawal|drugs?|used once|using again|dealer|hungover|narcan|caffeine|cups (?:of coffee|a day))\b/i,
  medical:
    /\b(?:c.?section|an(?:a)?emi[ac]|pre.?diabet\w*|sugar's|blood sugar|anything with the delivery|health okay|your health|prenatal|medical (?:problems?|conditions?|issues?|history)|thyroid|hypothyroidism|diabet\w+|asthma|inhalers?|breastfe\w+|hearing aids?|atrial fib\w*|blood pressure pill|high blood pressure|hypertension|migraines?|surgery|concussion|seizures?|primary care|chronic|physical health|pregnan\w*|arthritis|cholesterol|doctor said|health problems?)\b/i,
  psychosis:
    /\b(?:voices|hear(?:ing)? (?:things|voices|or see)|seeing things|hallucinat\w*|paranoi\w*|being watched|special powers|delusion\w*|see things)\b/i,
  mania:
    /\b(?:needing sleep|manic|mania|racing thoughts|thoughts are (?:racing|going)|mile a minute|not (?:needing|tired)|spending|bought a|on top of the world|up for days|feel amazing)\b/i,
  panic:
    /\b(?:pull(?:ed)? over|pass(?:ed|ing)? out|panic\w*|felt sick|throw up|heart[^.,]{0,14}(?:racing|pounding|starts)|pounding|(?:can'?t|couldn'?t) breathe|heart was going|full breath|chest|tingling|dizzy|lose control|hyperventilat\w*|sweaty)\b/i,
  sleep:
    /\b(?:sleep\w*|slept|asleep|insomnia|nightmares?|wak(?:e|es|ing|en) up|woke|awake|tired|exhaust\w*|fatigue\w*|hours a night|up at night|bedtime|nap\w*)\b/i,
  appetite:
    /\b(?:appetite|eat(?:ing|en)?|ate|food|binge\w*|purg\w*|restrict\w*|weight|lost \w+ pounds|meals?)\b/i,
  focus:
    /\b(?:adhd|attention deficit|concentrat\w*|focus\w*|forgetful|attention|distract\w*|hold on to a thought|memory)\b/i,
  mood: /\b(?:useless|failure|a burden|hate myself|unlovable|(?:lost|lose|losing) my temper|bl[eo]w(?:n|ing)? up|threw (?:a|the|my|it)|throw(?:ing)? (?:a|the|my|things)|slamm?\w*|smash\w*|punch\w*|screamed|clench\w*|through the wall|how are you (?:feeling|doing)|holding up|depress\w*|(?:feel\w*|felt|been|i'm|am|so|pretty|really|very|bit|get|gets|getting|got|and|or) down(?! to| at)|hopeless\w*|empty|numb\w*|worthless\w*|guilt\w*|ashamed|shame|tearful|tearing up|cr(?:y|ied|ying)|motivat\w*|nothing matters|lost interest|enjoy\w*|irritab\w*|mood|sad\w*|angry|anger|mad|rage|lonely|happy|joy|hope\w*|grie(?:f|ve|ving)|passed away|(?:since|when|after) \w+ (?:passed|died)|miss(?:es|ing)? (?:him|her|them)|overwhelm\w*|humiliat\w*|mortif\w*|scared|afraid|hurt|frustrat\w*|upset|energy|blah|low|flat|stuck)\b/i,
  anxiety:
    /\b(?:on guard|jumpy|out of my skin|back to the wall|anxi\w+|worr(?:y|ied|ies|ying)|on edge|overthink\w*|ruminat\w*|restless\w*|relax\w*|tens(?:e|ion)|dread\w*|avoid\w*|intrusive|compuls\w*|check(?:ed|ing|s)? (?:my|the|it|his|her|your)|nervous|stress\w*|fear\w*|pressure|tight|scar(?:y|ed)|catastroph\w*|lie there|staring|every five minutes|fists|punch\w*)\b/i,
  function:
    /\b(?:(?:stopped|quit) (?:going|showing up|working|leaving|answering|cooking|cleaning)|see people|around people|see any(?:one|body)|socializ\w*|late twice|my review|lost my job|not visible|senior role|made excuses|miss(?:ed|ing)? work|call(?:ed|ing)? (?:out|in sick|off)|fired|grades|get out of bed|shower\w*|hygiene|chores|dishes|isolat\w*|stay(?:ed|ing)? (?:home|in bed)|late (?:to|for) work|mistakes?|deadline|dropped out|fail\w*|leave the house|left the house|went out|go out|driving|behind on|productive|homework)\b/i,
  relationship:
    /\b(?:argu\w+|fight\w*|fought|yell\w*|breakup|broke up|divorc\w*|separat\w*|partner|husband|wife|boyfriend|girlfriend|boundar\w+|trust|conflict|mom|mother|dad|father|parents?|kids?|children|daughter|son|sister|brother|family|friends?|coworkers?|boss|manager|roommate|marriage|dating|died|passed away|(?:since|when|before|after) \w+ passed|widow\w*|death|funeral|loss|anniversary|support system)\b/i,
  stressor:
    /\b(?:evict\w*|housing|rent|money|debt|credit card|dollars|bills|job|(?<!\bit )work|laid off|hours were cut|legal|court|custody|immigration|caregiv\w*|diagnos\w*|discriminat\w*|mov(?:e|ed|ing)|food stamps|insurance|exam|finals|school|class|deadline|surgery|hospital|layoffs?|promotion|shift\w*|online|business|company)\b/i,
  social:
    /\b(?:group home|foster\w*|aged out|adopted|shelter|ged\b|eleventh grade|twelfth grade|tenth grade|ninth grade|how far did you go|in the union|electrician|plumber|what do you do\b|drives? a truck|you have kids|any kids|two girls|two boys|gr[eo]w up|growing up|childhood|oldest|youngest|born|raised|college|degree|graduat\w*|work as|for work|years? (?:there|at)|i run|live (?:with|alone|in)|married|single|at home|hobb\w+|military|army|church|religio\w*|culture|arrest\w*|hygienist|teacher|nurse|engineer|driver|manager at)\b/i,
  strength:
    /\b(?:who(?:'ve| have) you got|who(?:'s| is) (?:there|around) (?:for|with) you|on your side|who do you have|being good about|case ?(?:manager|worker)|god\b|in your corner|supports?|supportive|best friend|choir|church|faith|pray\w*|(?<!\bnot |n't )proud|strengths?|good at|reasons? (?:to live|for living)|keeps? (?:you|me) going|looking forward|hobb\w+|(?:for|on|daily|long|evening|morning|dog) walks?|music|garden\w*|art|volunteer\w*|close to)\b/i,
  goal: /\b(?:different for you|want to have happen|if this worked|see change|hope(?:s)? to see|want (?:from|out of)|hop(?:e|ing) for|looking for from|goals?|objectives?|get out of (?:therapy|this|our)|want(?:ed)? to work on|hope to|hoping to|like to be able|treatment plan)\b/i,
  progress:
    /\b(?:quieter|more even|steadier|more stable|better|worse|progress|improv\w*|setback|realiz\w*|insight|notic(?:e|ed)|proud|made sense|makes sense|relie(?:f|ved)|lighter|calm\w*|softer|easier|less|help(?:s|ed|ful)|never thought|out of (?:ten|10|a hundred)|went (?:down|up|from)|from an? \w+ to|now it'?s|came down|different\w*|believe)\b/i,
  telehealth:
    /\b(?:on video|by video|telehealth|zoom|virtual(?:ly)?|where are you (?:right )?now|over the phone|by phone)\b/i,
} as const satisfies Record<string, RegExp>

export type Topic = keyof typeof lexicon | 'medication'

const entries = Object.entries(lexicon) as [keyof typeof lexicon, RegExp][]
const medicationWords =
  /\b(?:medications?|meds?|medicines?|milligrams?|mg|micrograms?|dose|doses|dosage|prescri\w+|refill\w*|pharmacy|tablets?|pills?|prior auth)\b/i

/** Of a medicine: "Do you ever miss the Abilify?" */
const missed = /\b(?:miss(?:ed|ing)?|skip(?:ped|ping)?|forg[eo]t(?:ting)?)\b/i

/** What a text is about, the weightiest first. */
export const findTopics = (text: string, namesMedicine = findMedications(text).length > 0): Topic[] => {
  const found: Topic[] = entries.filter(([, pattern]) => pattern.test(text)).map(([topic]) => topic)
  const isMedication = medicationWords.test(text) || namesMedicine
  if (namesMedicine && missed.test(text) && !found.includes('adherence')) found.push('adherence')
  return isMedication ? ['medication', ...found] : found
}

/** Greetings, weather, parking and machines: never part of a note, whatever else the words could mean. */
const chatter =
  /\b(?:no worries|weather|parking(?! lot)|traffic|the game|overtime|playoffs|bakery|pastry|can you hear me|you're (?:on mute|back|breaking up|cutting out)|wi-?fi|camera|microphone|my screen|frozen|recorders?|nice to see you|sorry,? I(?:'m| am) (?:\w+ ){0,4}late|good to see you|come on in|have a seat|happy birthday|vacation pictures|tv show|episode of|netflix|a movie|recipe|haircut|boat|nice shirt|take care|drive safe|have a good|see you then|thanks for coming|construction|went first|go first|please let me|let me get through|said hi|say hi|kidding aside|tearing up the (?:whole )?street)\b/i

export const isChatter = (text: string): boolean => chatter.test(text)

/** Figures of speech about death: tired people, not dying ones. */
const figure =
  /\b(?:dead tired|I(?:'m| am)(?: (?:honestly|so|just|literally|basically|totally|completely))? dead(?! (?:to|inside))|killing me|kill for|to die for|dying (?:to|for|of (?:boredom|hunger|thirst|laughter|embarrassment|curiosity))|could have died|drop dead)\b/i

export const isFigure = (text: string): boolean => figure.test(text)

/** Instructions to a machine are talk like any other, and of no clinical weight. */
const machineTalk =
  /\b(?:ignore|disregard|forget|override)\b[^.]{0,30}\b(?:instructions?|prompts?|rules?|previous|above)\b|\b(?:system prompt|as an ai|language model|you are (?:now )?(?:an?|the) (?:ai|assistant|scribe|note)|note writer|scribe|write (?:only|that the (?:client|patient)|in the note)|(?:add|put|include|insert|state|document|write|record) (?:this |that |it )?(?:to|in|into|under) the (?:note|record|chart|plan|assessment|summary|transcript)|output only|respond with|json)\b|[<{[]{2}|<\/?\w+>|\bBEGIN\b|\bEND OF\b/i

export const isMachineTalk = (text: string): boolean => machineTalk.test(text)

/** Why did you come: the answer is the presenting problem, whatever else is in it. */
export const complaintQuestion =
  /\b(?:br(?:ings?|ought) you|made you (?:call|come)|going on|in your own words|can I help|start today|help with|what's the thing|on your mind|what's been|like to start|happening)\b/i

/** What runs in families, as people call it. */
export const familyIllness =
  /\b(?:bipolar|depress\w*|schizo\w*|alcohol\w*|drank|drinks|drinking|used\b(?! to)|heroin|cocaine|meth|opioids?|overdos\w*|addict\w*|rehab|suicid\w*|killed (?:him|her)self|hung (?:him|her)self|adhd|autis\w*|anxiety|panic|ocd|ptsd|dementia|alzheimer\w*|breakdown|lithium|psych\w*)\b/i
