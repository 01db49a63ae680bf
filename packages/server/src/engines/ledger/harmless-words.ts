/**
 * Words of danger, of medicines and of where somebody goes in phrases that mean none of it, as a note has them. Only what nobody
 * writes of the thing itself: "kitchen knife" and "familiar voices" are none of these.
 */
const phrases: readonly RegExp[] = [
  /\bkill(?:s|ed|ing)? (?:time|(?:an?|some|the) (?:few )?(?:hours?|minutes?|afternoon|evening)|two birds|the (?:mood|vibe|deal|engine|lights?|battery|joke|conversation|momentum)|(?:an? |the |some )?(?:wasps?|spiders?|mosquito(?:es)?|fl(?:y|ies)|bugs?|ants?|roach(?:es)?|moths?|weeds?|germs|bacteria|mold)|it (?:on stage|at (?:work|school|karaoke|practice|the gym)))\b/gi,
  /\b(?:deal|bill|project|idea|proposal|motion) (?:was|were|is|got) killed\b/gi,
  /\b(?:weeds?|wasps?|ants|bugs|germs|mold|roaches)\b[^.;,]{0,20}\bkill(?:s|ed|ing)? (?:them|it)\b/gi,
  /\b(?:commute|drive|heat|humidity|suspense|stairs|shift|shoes|deadlines?|paperwork|bills|rent|waiting|feet|back|knees?|neck|shoulders?) (?:is|are|was|were) killing (?:them|him|her|(?:their|his|her) \w{1,20})\b/gi,
  /\b(?:killer (?:workout|app|deal|instinct|view)|painkillers?|weed killer|overkill|buzzkill|killjoy)\b/gi,
  // In small letters alone: "Reports HI to the neighbors".
  /\b(?:say|says|saying|said|wave|waved|quick|friendly) (?:an? )?hi\b|\bSI units\b/g,
  /\bvoices (?:concerns? (?:about|over|that|for|regarding|with)|an? (?:wish|desire|need|preference|concern|hope) (?:to|for|that|about)|(?:interest|frustration|doubts?|hope|support|agreement|disappointment|gratitude|appreciation|relief) (?:in|with|about|that|for|at|to))\b|\bblend(?:s|ed|ing)? voices\b/gi,
  /\b(?:crisis of (?:confidence|faith|identity|conscience)|(?:mid-?life|quarter-?life|identity|housing|budget|financial|economic|climate|energy) crisis|crisis communications?)\b/gi,
  /\bviolent (?:storms?|sneez\w{1,4}|weather|films?|movies?|(?:video ?)?games?|cough\w{0,4}|winds?)\b|\bviolence in (?:literature|films?|art|movies)\b/gi,
  /\babus(?:e|es|ed|ing) the (?:snooze button|rules|system)\b/gi,
  /\b(?:career|political|social|financial|professional) suicide\b|\b(?:ran|runs|running) suicides\b|\bsuicide squad\b/gi,
  /\boverdos(?:e|ed|ing) on (?:sugar|television|tv|netflix|news|social media)\b/gi,
  /\bin danger of (?:missing|being late|running late|falling behind)\b/gi,
  /\bjump(?:s|ed|ing)? the gun\b|\b(?:stick|sticks|sticking|stuck) to (?:their|his|her) guns\b|\bsmoking gun\b|\b(?:glue|nail|toy|staple|heat|massage|water|squirt|nerf|spray|caulk|radar|grease) guns?\b/gi,
  /\b(?:tension|air|atmosphere|silence) (?:could|can) be cut with a knife\b/gi,
  /\ballergic to (?:mondays|mornings|small talk|commitment|drama|compliments|homework)\b/gi,
  /\bdischarg(?:e|es|ed|ing) (?:the|an?) (?:old )?batter(?:y|ies)\b|\b(?:sunny|cheerful|pleasant|calm|friendly|gentle|happy|easygoing) disposition\b|\bdisposition was (?:sunny|cheerful|pleasant|calm|friendly)\b/gi,
  // What is admitted to stays: only this word of it is no hospital's.
  /\badmitted (?:that|(?:to )?(?:being|feeling|having|avoiding|liking))\b|\badmission (?:fees?|letters?|tickets?|tests?|essays?)\b|\badmitted to (?:the |an? )?(?:graduate|undergraduate|law|medical|nursing|business) (?:program|school)\b|\badmission letter\b|\bporsche 911\b/gi,
  /\bno changes? (?:to|in) (?:the |their |his |her |current |any )?(?:medications?|medicines?|meds)\b|\bthe best medicine\b|\btaste of (?:their|his|her) own medicine\b|\b(?:(?:to|will|would) (?:study|practice)|studying|practicing) medicine\b/gi,
]

/** Stands where a phrase was taken out, so that the words on both sides of it are not read as one. */
const blank = ' … '

export const withoutHarmless = (text: string): string =>
  phrases.reduce((left, phrase) => left.replace(phrase, blank), text)
