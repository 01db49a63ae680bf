/** The words of risk, for the note and for medical decision making alike: who reads them differently, reads two sessions. */

/** The elements of a risk assessment that are asked for one by one; each is denied only if it was asked and denied. */
export const elements = {
  past_attempts: /\b(?:attempts?|attempted|tried to (?:kill|hurt|end|take your)|ever tried)\b/i,
  homicidal_ideation:
    /\b(?:homicid\w*|(?:hurt|harm|kill)(?:ing)? (?:anyone|someone|somebody|anybody|others|other people|him|her|them|(?:the|that|this|those) (?:man|men|woman|guys?|person|people|driver|boss|boys?|girls?)|the (?:baby|kids|children)|your (?:son|daughter|children|boss|ex|husband|wife|partner|neighbor|coworkers?|manager|father|mother|brother|sister|roommate|kids?|baby)))\b/i,
  suicidal_ideation:
    /\bsuicid\w*|\bkill(?:ing)? yourself|\bend(?:ing)? (?:your (?:own )?life|it all|it yourself)|\bbetter off dead|\b(?:not|never) (?:want\w* )?(?:to )?(?:be here|be alive|wake up|live(?! (?:with|there|in|at|near|on|alone|together|by|here|like)\b))|\b(?:wish|hope|pray)\b.{0,30}n't wake up|\bnot waking up|\blife (?:isn't|is not|wasn't|not) worth|\b(?:hurt|harm)(?:ing)? yourself|\b(?:want|try)(?:ing)? to (?:die|be dead)|\btak(?:e|ing) your (?:own )?life|\b(?:think(?:ing)? about|thoughts of) (?:dying|death)|\bwish(?:ing|ed)? (?:that )?you were(?:n't alive| dead)|\bdark thoughts\b/i,
  // Drinking is cut back, and hours are cut.
  nssi: /\b(?:self.?harm\w*|cut(?:ting)? (?:yourself|again|on (?:your|purpose))|cut(?=\W*$|,)|cutting\b(?! (?:back|down|out|off|it|hours|the))|burn(?:ing)? yourself|hurt(?:ing)? yourself on purpose)/i,
  means: /\b(?:guns?|firearms?|weapons?|rifles?|pistols?|access to|stockpil\w*)\b/i,
} as const

/** `plan` and `intent` are asked for once ideation came up. */
export type RiskElement = keyof typeof elements | 'plan' | 'intent'

/** Whether a question is part of a risk assessment, whatever its answer. */
export const isRiskQuestion = (text: string): boolean =>
  Object.values(elements).some((pattern) => pattern.test(text))

export const planAsked = /\b(?:a|any) plan\b|\bthought about how\b|\bhow you (?:would|might|'d)\b|\bmethod\b/i
export const intentAsked = /\binten(?:d|t|tion)\w*\b|\bact(?:ing)? on\b|\bgo through with\b/i

export const doubled = /\bnot not\b|\bnever say never\b|\b(?:i'd|i would) never\b[^.]*\bbut\b|\bno,? but\b/i
export const past =
  /\b(?:when i was|back (?:in|then)|in (?:\w+ grade|college|high school|middle school|my (?:teens|twenties)|(?:19|20)\d\d)|years? ago|used to|as a (?:kid|teen\w*|child)|last (?:year|spring|summer|fall|winter)|in the past|a long time ago)\b/i
export const passive =
  /\b(?:wake up|waking up|better off dead|not be here|n't be here|disappear|not exist|worth living|easier if)\b/i
export const active =
  /\b(?:kill myself|suicide|end my life|take my life|hang myself|overdose|shoot myself)\b/i

/** "I wouldn't mind if I didn't wake up": a wish not to live, though it begins like a denial. */
export const wishesNotToLive =
  /(?:n't|\bnot)(?: \w+){0,2} (?:wake up|be here|be alive|live(?: anymore| like this)?(?=[.,;!]|$)|exist)\b|\bwish (?:that )?I (?:was|were) (?:dead|never born|gone)\b|\bbetter off (?:dead|without me)\b|\bI(?:'d| would)(?:n't| not) (?:mind|care) if\b/i

/** "I don't want to be dead": a denial of that, whatever was asked. */
export const findUnwanted = (clean: string): string | null => {
  const what =
    /^(?:no,? )*I(?: do not|'ve never|'d never| never| don't) want(?:ed)? to (?<what>die|be dead)\W*$/i.exec(
      clean,
    )?.groups?.['what']
  return what === undefined ? null : `wanting to ${what.toLowerCase()}`
}

export const thoughtOfIt = /\bI(?:'ve| have)? (?:thought|was thinking|think) about (?:it|that|doing it)\b/i

export const ofSelf =
  /\bI(?:'m| am|'ve| have)?\b[^.?!]{0,40}\b(?:suicidal|think(?:ing)? about (?:suicide|dying)|kill myself|killing myself|end my life|end it all|want(?:ed)? to die|wanna die|wish I (?:was|were) dead|(?:not|n't) wake up|(?:not|n't) be here|(?:not|n't) want to live|take my own life|hurt myself|cut myself|cutting again|cut since|self.?harm\w*)\b|\b(?:wish|hope|pray|(?:would|'d|wouldn't)(?: not| all)? (?:mind|care|be (?:easier|better|fine|okay))|easier|better)\b[^.?!]{0,30}(?:\bnot|n't) (?:wake up|be here)\b|\bI cut\b(?=\W*$|[.,;] | (?:again|my (?:arms?|legs?|thighs?|wrists?)|on my)\b)|\bbetter off (?:dead|without me)\b|\b(?:they|everyone|everybody|people|(?:my|the) (?:kids|family|wife|husband|children|parents))(?:'d| would) (?:all )?be better off\b(?! (?:with|if (?:we|he|she|they))\b)/i
export const ofOthers =
  /\bI\b[^.?!]{0,40}\b(?:kill|hurt|shoot|stab|harm)(?:ing)? (?:him|her|them|my (?:boss|ex|neighbor|husband|wife|brother|sister|father|mother|coworker|roommate|manager)|someone|somebody|people|others)\b(?! feelings|'s feelings)/i
export const figure =
  /\b(?:killing me|dead tired|to die for|dying (?:to|of|for)|scared of dying|killed it|drop dead|could (?:just )?kill (?:for|him|her|them)|could have killed (?:him|her|them))\b/i

export const isAboutAnother = (text: string): boolean =>
  /\b(?:he|she|his|her|they) (?:\w+ )?(?:died|killed|attempted|tried|was)|\b(?:died by suicide|suicide loss|lost (?:him|her|them) to)\b/i.test(
    text,
  )

/** "Will you text the line before you cut?" asks for a promise: a yes to it endorses no risk. */
export const asksToAgree = (text: string): boolean =>
  /^(?:(?:and|so|okay|but|then)[, ]+)*(?:will|would|can|could) you (?!say you|describe|(?:ever )?(?:hurt|harm|kill|act|do (?:it|that|something)))/i.test(
    text,
  ) ||
  /\b(?:before you (?:cut|hurt|act|do)|instead of (?:cutting|hurting)|if you (?:ever |do |start|feel|have those|get))\b/i.test(
    text,
  )

/** What somebody has done or prepared, said of their own accord. */
export const ownPlan =
  /\bI(?:'ve| have| had|'d)? (?:been )?(?:stockpil|sav)(?:ed|ing) (?:up )?(?:my |the )?(?:pills|meds|medication)|\bI (?:already )?wrote (?:a |my )?(?:goodbye |suicide )?(?:note|letter)s?\b|\bI(?:'ve| have)? (?:been )?count(?:ed|ing) (?:out )?(?:my|the) pills|\bI (?:bought|got|loaded) (?:a|the|my) (?:gun|rope)\b|\bI(?:'ve| have)? picked (?:out )?(?:a|the) (?:day|date|place|spot|bridge)\b|\bI(?:'d| would| was going to|'ve thought (?:about|of)| thought (?:about|of)) .{0,30}(?:overdos\w+|tak\w+ all (?:of )?(?:my|the) pills|shoot\w* myself|hang\w* myself|jump\w* off|cut\w* my wrists)|\bI (?:have|had|made) a plan\b/i
export const ownIntent =
  /\b(?:intend|going|planning) to (?:do (?:it|anything)|act on (?:it|them|that|those)|kill myself|go through with it|follow through|end it)\b|\bi(?:'m| am) going to do it\b|\bi think i(?:'ll| will| might| would) do it\b/i
export const ownAttempt =
  /\bI (?:\w+ )?(?:tried|attempted) to (?:kill|hang|shoot|overdose|end|hurt) ?(?:myself|my life|it)?|\bI overdosed\b|\bI took (?:a (?:whole )?bottle|a bunch|all) of (?:my |the )?(?:pills|\w+)|\bI cut my wrists\b/i
/** So near that it is part of the present danger. */
export const recent =
  /\b(?:today|yesterday|last (?:night|week|weekend|friday|saturday|sunday|monday|tuesday|wednesday|thursday)|this (?:week|morning|weekend|afternoon)|(?:two|three|four|five|a few|couple of|\d) (?:days|nights) ago|earlier|just now)\b/i
