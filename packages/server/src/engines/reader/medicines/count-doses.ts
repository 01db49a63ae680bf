import { movesDose } from './moves-dose.js'
import type { SaidUnit } from './dose-units.js'
import { isOfThem, type SaidDose } from './find-doses.js'
import type { SaidNumber } from './said-numbers.js'
import type { SentenceTalk } from './mention.js'
import { isSamePiece, listRecent } from './own-dose.js'

/** More pieces than these are a box, a bottle or what is left, not what is taken at a time. */
const piecesMax = 8
/** Of a spacer or a drop bottle more are given at a time. */
const puffsMax = 20
/** Without a unit, more are rather hours, days or a strength. */
const bareMax = 4
const percentMax = 50
/** "Is he taking the Laxido?" – "Tastes awful." – "One a day." */
const countedReach = 2
/** So many items later "two puffs" are still of what was named. */
const reach = 3
/** And so many where it was counted in the same pieces before. */
const reachAgain = 8
/** A strength in percent has what is put on the skin, in the eyes, the ears or the nose. */
const isPutOn =
  /\b(?:cream|ointment|gel|lotion|drops?|shampoo|solution|foam|paste|wash|tube|eyes?|ears?|skin|spray|mouthwash|patch|patches)\b/i
const putOn =
  /^(?:hydrocortisone|betamethasone|clobeta\w+|mometasone|triamcinolone|fluocin\w+|desonide|benzoyl peroxide|adapalene|tretinoin|azelaic acid|salicylic acid|urea|coal tar|hydroquinone|tacrolimus|pimecrolimus|calcipotriol|minoxidil|diclofenac|ibuprofen|capsaicin|lidocaine|permethrin|malathion|imiquimod|fluorouracil|ketoconazole|clotrimazole|miconazole|econazole|terbinafine|nystatin|ciclopirox|amorolfine|metronidazole|clindamycin|erythromycin|mupirocin|fusidic acid|timolol|latanoprost|bimatoprost|travoprost|dorzolamide|brinzolamide|brimonidine|pilocarpine|atropine|chloramphenicol|ciprofloxacin|ofloxacin|olopatadine|ketotifen|azelastine|cyclosporine|prednisolone|dexamethasone|chlorhexidine|xylometazoline|oxymetazoline|testosterone|estriol|ivermectin|dapsone|doxepin|crisaborole|tazarotene|ruxolitinib|zinc oxide|povidone|silver sulfadiazine|halobetasol|methylprednisolone aceponate|glycopyrrolate|aluminium chloride|artificial tears|nitroglycerin|diltiazem|nifedipine)/
const sharesOther =
  /^ ?(?:%|per ?cent) (?:better|worse|sure|certain|of (?:the|my|people|your|them|it)|chance|risk|there|back|better|lower|higher|more|less|improve\w*)/i
/** "The one per cent cortisone". */
const isOfName = ({ sentence: { text }, named }: SentenceTalk, { end }: SaidNumber): boolean =>
  named.some(
    ({ start }) => start >= end && /^ ?(?:%|per ?cent) (?:of )?(?:the )?$/i.test(text.slice(end, start)),
  )
const isLeftOver =
  /^[ \w-]{0,14}\b(?:left|remaining|spare|short|over|in (?:the|my|that|a) (?:box|bottle|drawer|pot|jar|strip|pack)|to the (?:box|pack)|a (?:box|pack)|ago|early|late)\b/i
const isMissed =
  /\b(?:miss(?:ed|ing)?|skip(?:ped)?|forg[eo]t(?:ten)?|dropped|lost|box of|bottle of|pack of|strip of|packet of|swallowed|extra|another|last|than|than the|all) (?:(?:about|like|maybe|only|just) )*$/i

/** Whether pieces or a percentage are a dose of what is named here or was just before. */
export const mayBeCountDose = (
  talk: SentenceTalk,
  number: SaidNumber,
  { isCount, unit }: SaidUnit,
): boolean => {
  const { text } = talk.sentence
  const value = Number(number.amount)
  const recent = listRecent(talk).filter(
    ({ item, dose }) => talk.turn.item - item <= (isSamePiece(dose, unit) ? reachAgain : reach),
  )
  if (talk.named.length === 0 && recent.length === 0) return false
  if (unit === '%') {
    if (value > percentMax || sharesOther.test(text.slice(number.end))) return false
    const isNamed = talk.named.length > 0
    const medications = isNamed ? talk.named : recent.slice(0, 1)
    return (
      medications.some(({ medication }) => putOn.test(medication.generic)) ||
      (isNamed && (isPutOn.test(text) || isOfName(talk, number)))
    )
  }
  if (!isCount || value > (/^(?:puff|drop)/.test(unit) ? puffsMax : piecesMax) || value <= 0) return false
  return !isMissed.test(text.slice(0, number.start)) && !isLeftOver.test(text.slice(number.end))
}

const whenCounted =
  /^,? (?:an?|each|every|per) (?:day|night|morning|evening|bedtime)\b|^,? every [a-z]+ hours|^,? (?:daily|nightly|at (?:night|bedtime|a time)|in the (?:morning|evening)|before (?:bed|bedtime|meals|food)|with (?:food|meals|breakfast|dinner|lunch|supper|tea|milk)|at (?:breakfast|lunch\w*|dinner\w*|supper|tea\w*|noon)|if (?:it|i|you|he|she|they|need\w*|the)\b|(?:once|twice|three times|four times) (?:a day|daily)|when (?:it|i|you|the|my)\b|as needed|sometimes|of (?:the|those) (?:store|over|little|small|white|blue|shop|supermarket))/i
const besideName =
  /^(?:'s)?[\s,.:-]*(?:(?:just|only|the|maybe|about|like|i take|take|taking|yes|yeah|is|it's)[\s,.]+){0,3}$/i
const opens = /^(?:(?:just|only|yes|yeah|um|uh|so|maybe|about|like|i take|take|same again)[\s,.]+){0,3}$/i

/** "Four puffs twice a day instead of two". */
const comparesCount = /\b(?:instead of|rather than|up from|down from) (?:the |just )?$/i

/** "Ten puffs." – "I've been having four.", "One sachet. Two if it's bad.": of the pieces that were just counted. */
const countsAgain = (talk: SentenceTalk, before: string, behind: string): boolean => {
  const [spoken] = listRecent(talk)
  return (
    spoken?.dose?.isCount === true &&
    talk.turn.item - spoken.item <= 1 &&
    ((/^(?:or |maybe |but )?$/i.test(before) && /^,? (?:if|when|on)\b/i.test(behind)) ||
      (/\b(?:having|taking|doing|using|have|take|use|did|had) (?:about |like |just |only )?$/i.test(before) &&
        /^[.?!]?$/.test(behind)))
  )
}

const followsCount = /^[^.;?!]{0,40}(?:,|\b(?:then|and|or|plus)) $/i
/** "Imodium, two, then one." */
const isCountedDown = /^,? (?:and )?then (?:one|two|another|\d)\b/i

const tookOne =
  /\b(?:tak(?:e|es|ing|en)|took|had|have|having|gave|give|pop(?:ped)?|need(?:ed)?) (?:just |only |like |about )?$/i
const countsBeside = /^(?: for [\w']+(?: [\w']+)?)?, $/i
const tookSome = /^(?:and |so )?i (?:took|had|take|have) (?:just |about |like )?$/i
const isFrequency = /^(?:\w+ times|twice|once|every|in the|morning|at night|a day|each)\b/
const nextOf = ({ turn, sentence }: SentenceTalk): string => turn.sentences[sentence.at + 1]?.plain ?? ''

/** "Cetirizine, one a day", "Excedrin. Two, sometimes again two": so many of them, where no strength is said. */
export const mayBeBareCount = (
  talk: SentenceTalk,
  { start, end, amount }: SaidNumber,
  last: SaidDose | undefined,
): boolean => {
  const { text, plain } = talk.sentence
  if (Number(amount) > bareMax || Number(amount) <= 0) return false
  if (last?.isCount === true && comparesCount.test(text.slice(last.end, start))) return true
  if (isMissed.test(text.slice(0, start))) return false
  // "Two at night, then one in the morning and one at dinner."
  if (
    last?.isCount === true &&
    followsCount.test(text.slice(last.end, start)) &&
    (whenCounted.test(text.slice(end)) || /^[.?!]?$/.test(text.slice(end)))
  )
    return true
  const isCounted = listRecent(talk).some(({ dose }) => dose?.isCount === true)
  if (isCounted && talk.named.length === 0 && movesDose.test(plain) && /\bto $/i.test(text.slice(0, start)))
    return true
  const behind = text.slice(end)
  if (talk.named.length === 0 && countsAgain(talk, text.slice(0, start), behind)) return true
  const before = talk.named.findLast((one) => one.end <= start)
  // "Half a Unisom", "I had one Combiflam".
  const next = talk.named.find((one) => one.start >= end)
  if (next !== undefined && /^(?: an?| of (?:an?|the))? $/i.test(text.slice(end, next.start)))
    return amount === '0.5' || tookOne.test(text.slice(0, start))
  // "Nurofen, two of 'em", "Panadol for headache, two."
  if (
    before !== undefined &&
    ((isOfThem.test(behind) && besideName.test(text.slice(before.end, start))) ||
      (/^(?:[.?!]|$)/.test(behind) && countsBeside.test(text.slice(before.end, start))))
  )
    return true
  if (before !== undefined)
    return (
      (whenCounted.test(behind) ||
        isCountedDown.test(behind) ||
        (/^[.?!]?$/.test(behind) && /\b(?:tak(?:e|es|ing)|took|had|have|use|pop)\b/i.test(text))) &&
      besideName.test(text.slice(before.end, start))
    )
  const [spoken] = listRecent(talk)
  // "The dentist gave me Stilpane. I took two, I saw purple."
  if (talk.named.length === 0 && spoken?.item === talk.turn.item && tookSome.test(text.slice(0, start)))
    return /^(?:[.,;]|$)/.test(behind) || whenCounted.test(behind)
  if (talk.named.length > 0 || !opens.test(text.slice(0, start))) return false
  // "Sinemet?" – "One and a half. Four times."
  if (
    spoken !== undefined &&
    talk.turn.item - spoken.item === 1 &&
    /^[.]?$/.test(behind) &&
    isFrequency.test(nextOf(talk))
  )
    return true
  if (spoken === undefined || talk.turn.item - spoken.item > countedReach) return false
  return whenCounted.test(behind) || /^, (?:and then|then|sometimes|maybe|and sometimes)\b/i.test(behind)
}
