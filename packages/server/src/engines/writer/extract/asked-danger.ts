/* What a question asks about danger, by its own words. All but `asksForNo` read lower case with straight apostrophes. */

/** "So no plan?", "You've no plan.": a no agrees, a yes may be either. */
export const asksForNo =
  /^(?:(?:so|and|but|okay|then),? )*(?:no|not|nothing|never|none|you(?:['’]re| are)? not|you \w+n['’]t)\b|\b(?:have|['’]ve|got|with) no\b/i
/** "And no thoughts of suicide, no plans?": to it a no agrees. Of "you don't want to live?" nobody can say. */
const namesNone = /^(?:(?:so|and|but|okay|then|no),? )*(?:no|none|nothing|never|nobody) (?!more\b|longer\b)/
const isOpen = /^(?:(?:and|so|but|okay|well),? )*(?:how|what|when|where|who|why|which|tell|say|if)\b/
/** "Do you feel safe at home?" "No.": the no says the danger. */
const asksForGood =
  /\b(?:safe|okay|all right|alright|want to (?:live|be here)|reasons? to|stop(?:ped|s)? you|hold(?:s|ing)? you|protect\w{0,5})\b/
/** "Is the gun out of the house?", "Are the voices gone?", "Do you deny it?": neither yes nor no is of the danger itself. */
const asksForEnd =
  /\b(?:gone|stop(?:ped|ping|s)?|quit|rid of|free of|removed|sold|locked|den(?:y|ies|ied|ying)|(?:go|goes|went|put|taken|took|given|gave)(?: \w{1,12})? away|moved out|over with|out of (?:(?:the|your|his|her|their) )?(?:house|home|reach|apartment|flat|room|car|garage|place))\b|\b(?:is|are|was|were|all)(?: \w{1,12}){0,3} over\?/
/** "Any other attempts?": a no leaves the one that is known. */
const asksForMore =
  /\b(?:other (?!people|person|than)|another (?!person)|else besides|besides|apart from|since|again|more)\b/

const thinks =
  /\b(?:thoughts?|think(?:ing)?|ideation|ideas?|urges?|(?:feel(?:ing)?|felt) like|feelings? of|pictur\w{1,4}|imagin\w{1,4}|tempted)\b/
/** Whoever denies a wish may have the thoughts all the same. */
const wishes = /\b(?:want(?:s|ed|ing)? to|wish(?:ed|ing)?)\b/
/** A plan, an act, an intent: whoever denies them may have thoughts all the same. */
const acts =
  /\b(?:tried|try(?:ing)?|attempt\w{0,4}|act(?:ed|ing)? on|d(?:o|id|one|oing) (?:anything|something|it|that)|plans?|planned|planning|intend\w{0,3}|intent\w{0,5}|ways?|method|how you)\b/
const dying =
  /\b(?:suicid(?:e|al)|kill(?:ing|ed)? yourself|(?:end(?:ing|ed)?|tak(?:e|ing)|took) your (?:own )?life|end(?:ing)? it all)\b/
const beingDead =
  /\b(?:better off dead|(?:be|being|were|was) dead|(?:not|n't) want(?:ed|ing)? to (?:be (?:here|alive|around)|wake up|live)|not (?:be|being) (?:here|alive|around)|not (?:wake|waking) up|want(?:ed|ing)? to die)\b/
const hurtsSelf =
  /\b(?:hurt(?:ing)?|harm(?:ed|ing)?|injur(?:e|ed|ing)|cut(?:ting)?|burn(?:ed|ing)?) yourself\b|\bself[- ]?(?:harm\w{0,3}|injur\w{1,3})\b/
const anybody = '(?:any ?one|any ?body|some ?one|some ?body|others?|other people|another person)'
const hurtsOthers = new RegExp(
  `\\b(?:hurt|harm|kill|attack)(?:ing)? (?:yourself,? or )?(?:to )?(?:${anybody}|him|her|them|the (?:baby|kids|children))\\b|\\bof (?:hurt|harm|kill)ing (?!your|you\\b|me\\b|my)\\w{2,20}|\\b(?:hurt|harm|kill)(?:ing)? yourself,? or (?:hurt(?:ing)? |harm(?:ing)? |kill(?:ing)? )?(?:to )?${anybody}\\b|\\bhomicidal\\b`,
)
/** A question about somebody else: then neither yes nor no is about the client. */
const isOfAnother =
  /\b(?:he|she|they|him|family|relatives?|friends?|any ?one|any ?body|some ?one|some ?body|who|(?:uncle|aunt|cousin|nephew|niece|grand\w{2,9}|step\w{3,8}|roommate|neighbou?r|boss|coworker|side)s?|your (?:mom|mum|mother|dad|father|parents?|sister|brother|son|daughter|wife|husband|partner|boyfriend|girlfriend|kids|children))\b/

const commands = /\b(?:voices?|hear(?:ing|d)?)\b.{0,60}\b(?:tell(?:s|ing)?|command(?:s|ing)?) you\b/
/** "Do they tell you to hurt yourself?": who denies that may have done it. */
const tellsTo = /\b(?:tell(?:s|ing)?|told|ask(?:s|ed|ing)?|order(?:s|ed|ing)?) you to\b/
const notThere =
  /\b(?:voices|other(?:s| people)|(?:no ?body|no one) else|(?:not|n't)(?: \w{1,10})? (?:there|real))\b/
const hears =
  /\bvoices\b|\bhear(?:ing|d)? (?:or see(?:ing)? )?(?:things|anything|something|stuff|noises|people)\b/
const sees = /\bsee(?:ing|n)? (?:or hear(?:ing)? )?(?:things|anything|something|stuff|people|shadows)\b/
const watched = /\b(?:watching|following|tracking|spying on) you\b/

const by =
  /\b(?:he|she|they|any ?one|any ?body|some ?one|some ?body|no ?body|your \w{1,15}|at home|\w{1,15}'s)\b/
const violence =
  /\b(?:hit(?:ting|s)?|hurt(?:ing|s)?|push(?:ed|es|ing)?|shov(?:e[ds]?|ing)|slap(?:ped|s)?|punch(?:ed|es)?|kick(?:ed|s)?|chok(?:e[ds]?|ing)|strangl(?:e[ds]?|ing)|beat(?:en|s|ing)?|grab(?:bed|s)?|abus(?:e[ds]?|ing)) you\b(?! around)|\bhands? on you\b/
const threat = /\bthreaten(?:ed|s|ing)? you\b/

const guns = /\b(?:guns?|rifles?|pistols?|shotguns?|firearms?|weapons?)\b/
const areThere =
  /\b(?:any|(?:are|is) there|do you (?:have|own|keep)|have you got|you(?:'ve| have) got|access to)\b/
const otherMeans = /\b(?:pills?|tablets?|medicines?|medications?|rope|kni(?:fe|ves)|means|anything)\b/

export interface AskedDanger {
  /** "Suicidal thoughts"; more than one where the question has several. */
  names: readonly string[]
  plain: string
  /** Nothing else is asked with it, so that a yes is to this. */
  isSingle: boolean
}

const isAccident =
  /\b(?:shav(?:e|ing)|stove|oven|cook(?:ed|ing)|fell|fall|accident\w{0,6}|slip(?:ped)?|crash\w{0,2})\b/
const isSupposed = /\b(?:might|would|could|if|think you)\b/

/** "Okay. All right, but …" */
const opening = /^(?:(?:okay|ok|all right|alright|right|good|great|well|now|and|so|but)\b[,. ]*)+/

/** What a yes or a no to a question would say of danger; null where nobody could tell. */
export function readAskedDanger(raw: string): AskedDanger | null {
  const plain = raw
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/ (?=[,.?!])/g, '')
    .replace(opening, '')
  if (isOpen.test(plain) || asksForGood.test(plain) || asksForEnd.test(plain) || asksForMore.test(plain))
    return null
  if (asksForNo.test(plain) && !namesNone.test(plain)) return null
  // "Did Tom try to kill himself?", "Did you cut yourself shaving?", "Might you try?"
  if (/\p{Ll} \p{Lu}\p{Ll}/u.test(raw) || isAccident.test(plain) || isSupposed.test(plain)) return null
  const names = [...new Set(nameAsked(plain))]
  const isSingle = names.length === 1 && !/,|\bor\b/.test(plain) && !asksForNo.test(plain)
  return names.length > 0 ? { names, plain, isSingle } : null
}

function nameAsked(plain: string): string[] {
  if (commands.test(plain)) return ['Commanding voices']
  if (tellsTo.test(plain)) return []
  return [...nameOwn(plain), ...namePerceived(plain), ...nameSuffered(plain), ...nameWeapons(plain)]
}

/** Thoughts are asked for where a word for them stands before what they are of, and none for an act with it. */
function nameOwn(plain: string): string[] {
  const names: string[] = []
  const isOther = isOfAnother.test(plain.replace(hurtsOthers, ' '))
  const clauses = plain.split(/,|\bor\b|\band\b/)
  let isThought = false
  for (const clause of clauses) {
    isThought ||= thinks.test(clause)
    const isAct = acts.test(clause)
    if (!isOther && dying.test(clause)) {
      if (/\bsuicidal\b/.test(clause) || (isThought && !isAct)) names.push('Suicidal thoughts')
      if (/\bplans?\b/.test(clause)) names.push('Suicide plan')
    }
    const isWish = isThought || wishes.test(clause)
    if (!isOther && isWish && !isAct && beingDead.test(clause)) names.push('Wish to be dead')
    if (!isOther && !isAct && hurtsSelf.test(clause) && (isThought || !isWish))
      names.push(isThought ? 'Thoughts of harming oneself' : 'Self-harm')
  }
  if (isOther || !dying.test(plain)) return [...names, ...nameHarm(plain, isThought)]
  if (/\b(?:a|any|the|your) plans?\b/.test(plain)) names.push('Suicide plan')
  if (tried.test(plain)) names.push('Suicide attempt')
  return [...names, ...nameHarm(plain, isThought)]
}

const tried =
  /\b(?:tried|attempt(?:s|ed)?|trying)\b|\b(?:done|did) (?:anything|something) (?:to|where you) (?:try (?:and|to) )?(?:kill|end|take)/

const nameHarm = (plain: string, isThought: boolean): string[] =>
  isThought && hurtsOthers.test(plain) ? ['Thoughts of harming others'] : []

function namePerceived(plain: string): string[] {
  const isWatched = watched.test(plain) ? ['Being watched or followed'] : []
  if (!notThere.test(plain) || /\b(?:he|she|they)\b/.test(plain)) return isWatched
  const [isHeard, isSeen] = [hears.test(plain), sees.test(plain)]
  if (isHeard && isSeen) return ['Hearing or seeing things', ...isWatched]
  if (isHeard) return [/\bvoices\b/.test(plain) ? 'Voices' : 'Hearing things', ...isWatched]
  return isSeen ? ['Seeing things', ...isWatched] : isWatched
}

const nameSuffered = (plain: string): string[] =>
  by.test(plain)
    ? [
        ...(violence.test(plain) ? ['Violence or abuse'] : []),
        ...(threat.test(plain) ? ['Threats by another person'] : []),
      ]
    : []

const nameWeapons = (plain: string): string[] =>
  guns.test(plain) && areThere.test(plain)
    ? [otherMeans.test(plain) ? 'Weapons or other means within reach' : 'Weapons within reach']
    : []
