import type { Topic } from '../../reader/reading.js'

/**
 * Words by which one sentence of a long turn is told from its neighbours: the encoder judges whole turns. A topic without
 * an entry is spread over all sentences of its turn.
 */
export const TOPIC_WORDS: Readonly<Partial<Record<Topic, RegExp>>> = {
  sleep:
    /\b(?:sleep\w*|slept|asleep|insomnia|nightmares?|wak(?:e|es|ing) (?:up|at)|woke|awake|tired|exhausted|hours a night|bed|bedtime|naps?|melatonin|dreams?)\b/i,
  appetite:
    /\b(?:appetite|eat(?:s|ing|en)?|ate|food|hungry|binge\w*|purg\w*|weight|pounds|kilos|stone|meals?|breakfast|lunch|dinner)\b/i,
  substance:
    /\b(?:drink(?:s|ing)?|drank|drunk|alcohol|beers?|wine|whisk(?:e)?y|vodka|liquor|sober|relaps\w*|cravings?|weed|cannabis|marijuana|cocaine|coke|meth|opioids?|heroin|fentanyl|vap\w+|smok\w+|cigarettes?|nicotine|units?|pints?|drugs?|joints?|edibles?)\b/i,
  substance_history:
    /\b(?:used to|years? ago|quit|rehab|detox|sober|meetings?|sponsor|dui|dwi|relaps\w*|drank|drugs?|weed|first time)\b/i,
  medication:
    /\b(?:med(?:s|ications?|icines?)|pills?|tablets?|capsules?|dos(?:e|es|age)|mg|milligrams?|milligram|prescri\w+|refills?|pharmacy|tak(?:e|ing) (?:it|them|the|my)|took (?:it|them|the|my)|miss(?:ed)?|inhalers?|cream|injection|shot|drops)\b/i,
  side_effects:
    /\b(?:side effects?|nause\w*|dizz\w*|drows\w*|groggy|sedated|weight|dry mouth|shak\w+|tremors?|rash|sex\w*|libido|constipat\w*|diarrh\w*|sweat\w*|jittery|headaches?|zombie|foggy|sick|stomach)\b/i,
  med_change:
    /\b(?:increase|raise|go up|bump|lower|decrease|taper|wean|stop|start|switch|continue|stay (?:on|at)|keep (?:you|the|it|taking)|add|try|prescri\w+|mg|milligrams?|dose|tablets?)\b/i,
  allergies: /\ballerg\w*|\breaction\b|\bhives\b|\brash\b|\banaphyla\w*/i,
  scores:
    /\d|\b(?:score\w*|phq|gad|blood pressure|pulse|weigh\w*|level|labs?|temperature|oxygen|point|zero|one|two|three|four|five|six|seven|eight|nine|ten|\w+teen|twenty|thirty|forty|hundred)\b/i,
  homework:
    /\b(?:homework|practi[cs]e|try|write|track|log|journal|record|worksheet|this week|every (?:day|night|morning)|until|between now|next time|exercise|bring)\b/i,
  plan: /\b(?:next (?:week|time|month|appointment|session|visit)|weeks?|months?|tomorrow|monday|tuesday|wednesday|thursday|friday|saturday|sunday|appointment|come back|see you|refer\w*|follow|call|book|schedule|send|labs?|blood (?:test|work)|test|scan|x-?ray|ultrasound|form|letter|results?|let's|we'll|i'll|i will|going to|plan|if (?:it|you|things|that))\b/i,
  goal: /\b(?:goals?|want|hope|hoping|like to|wish|work on|able to|get back)\b/i,
  family_history:
    /\b(?:mom|mother|mum|dad|father|parents?|sister|brother|siblings?|grand\w+|aunt|uncle|cousin|famil\w+|son|daughter|kids?|children|runs in)\b/i,
  safety_plan:
    /\b(?:safe\w*|988|crisis|call|hotline|gun|lock\w*|pills|emergency|911|999|a ?(?:&|and) ?e|hospital|plan|if (?:it|you|things))\b/i,
  observation:
    /\b(?:you (?:look|seem|sound|appear)|you're (?:smiling|tearful|crying|quiet|talking)|i (?:notice|see|can see|hear)|tear\w*|looks?|swollen|red|chest|listen|normal|clear|fine)\b/i,
}
