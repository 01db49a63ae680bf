import { findAllMedications } from '../../lexicon/medications.js'
import { makeFindingId, sortItems } from '../finding-id.js'
import { readAnswer } from '../questions/read-answer.js'
import type { AllergyFinding, Standing, TopicScores } from '../reading.js'
import type { Sentence, Turn } from '../talk/read-talk.js'

const allergyTalk =
  /\ballerg(?:y|ies|ic)\b|\banaphyla\w+|\breact(?:ed|ion)s? (?:to|with)\b|\banything (?:else )?(?:that )?(?:you|she|he|they) (?:can't|cannot|can not) (?:have|take)\b/
const reactions =
  /\b(?:(?:broke out in |got |get |gives me |gave me |with |in )?(?:hives|a rash|rashes|rash|itch(?:ing|y|es)|swell(?:ing|s|ed)?(?: up)?|swelled up|swollen \w+|(?:my |his |her )?(?:throat|face|lips?|tongue) (?:swell\w*|swole|swelled|clos\w+|got (?:big|tight))|anaphyla\w+|trouble breathing|can't breathe|couldn't breathe|short of breath|wheez\w+|welts|go(?:es)? red|went red|blister\w*|vomit\w*|throw(?:s|ing)? up|threw up|nausea|upset stomach|stomach (?:upset|pain)|seizures?|passed out|hospital\w*|stevens.johnson|diarrhea|runny nose|sneez\w+|watery eyes))\b/
/** What people are allergic to besides medicines. */
const substances =
  /\b(?:latex|peanuts?|tree nuts?|nuts|shellfish|shrimp|eggs?|milk|dairy|gluten|wheat|soy|strawberr\w+|bees?|bee stings?|wasps?|yellow ?jackets?|hornets?|fire ants?|mosquito(?:e?s)?|walnuts?|cashews?|almonds?|pecans?|crab|lobster|mangos?|tomato(?:es)?|hair dye|lanolin|band-?aids|pollen|ragweed|grass|dust(?: mites)?|mold|cats?|dogs?|pet dander|sulfa(?: drugs)?|sulpha|iodine|contrast(?: dye)?|dye|adhesives?|tape|plasters|nickel|penicillins?|nsaids?|opioids?|antibiotics?|statins?|ace inhibitors?|local anesthetics?|anesthesia|seafood|fish|kiwi|bananas?|avocado|sesame|perfumes?|fragrance)\b/g
const none =
  /\b(?:not allergic\b(?! to)|no (?:known )?(?:drug |food |medication |medicine |other )*allerg\w+|n\.?k\.?d\.?a\b|not allergic to anything|nothing (?:that )?i(?:'m| am) allergic|no allergies|don't have (?:any )?allerg\w+|not that (?:i|we)(?:'m| am|'re| are)? (?:know|aware|remember|can think)|none that (?:i|we) know|nothing that (?:i|we) know)\b/
const outgrown =
  /\b(?:not (?:really )?allergic|isn't (?:really |a real )?allerg\w+|outgr[eo]w\w*|turns out (?:i'm|he's|she's) not)\b/

/** "Penicillin's fine", "I've had it ten times, so no". */
const borne =
  /(?:'s| is| are|'re) (?:fine|okay|ok|all right|alright|no problem)\b|\b(?:i've|i have|she's|he's) had (?:\w+ ){1,3}(?:like |about |a )?(?:\w+ )?times\b|\bi can take (?:it|that|\w+) (?:fine|no problem)/
/** "Shrimp, she says, but she eats it", "I don't know what it did": nobody can say. */
const doubtful =
  /\bbut (?:i|she|he|they) (?:still )?(?:eats?|takes?|has|have|had) (?:it|them)\b|\b(?:don't|doesn't) know what (?:it|happen\w*)|\bnobody knows\b|\bnot sure (?:if|what|whether)\b/
/** A clinician's "that's not really an allergy". */
const noAllergy = /\b(?:not|isn't|wasn't)(?: really| actually| exactly)? (?:an?|a true|a real) allergy\b/
/** Said of a medicine, this is an allergy though nobody calls it so. "Can cause a rash" is not. */
const hadReaction =
  /\b(?:had|got|gave (?:me|you|him|her)|broke out in|came out in|gives me) (?:the |a |this |that |these )?(?:whole |bad |terrible |awful |big |full )?(?:body )?(?:rash|hives|welts|anaphyla\w+|swelling)\b|\b(?:throat|face|tongue|lips?) (?:swell\w*|swole|closed)\b/
const isPossible = /\b(?:can|could|might|may|if|any|risk|watch for|sometimes)\b/
/** So many items later a medicine that is asked about is still asked about as an allergy. */
const talkReach = 4

/** From here the encoder takes an item to be about allergies. */
const foundAt = 0.15

/** What somebody is allergic to, with what it does to them; and that there is none, where that was said. */
export const findAllergies = (
  turns: readonly Turn[],
  topics: readonly TopicScores[],
  questionOf: Readonly<Record<number, number>>,
): AllergyFinding[] => {
  const found: AllergyFinding[] = []
  let talkedAt = Number.NEGATIVE_INFINITY
  for (const turn of turns) {
    const asked = questionOf[turn.item]
    const question = asked === undefined ? findChecked(turn, turns) : turns[asked]
    const isAsked = question !== undefined && allergyTalk.test(question.plain)
    const score = topics[turn.item]?.allergies ?? 0
    const isNear = turn.item - talkedAt <= talkReach
    if (allergyTalk.test(turn.plain)) talkedAt = turn.item
    if (turn.role === 'clinician' && isNear && noAllergy.test(turn.plain)) denyLast(turn, found)
    const count = found.length
    if (isAsked && turn.role !== 'clinician') {
      const answered = readAnswered(turn, question, found)
      if (answered.some(({ standing }) => standing !== 'denied')) withdrawNone(question, found)
      found.push(...answered)
    } else if (allergyTalk.test(turn.plain) || score >= 0.4) found.push(...readTold(turn, score, found))
    if (found.length === count && (isNear || isAsked) && turn.role !== 'clinician')
      found.push(...readNamedInQuestion(turn, question, found))
    if (found.length === count && hadReaction.test(turn.plain)) found.push(...readHad(turn, turns, found))
    if (score >= foundAt && isFollowUp(turns, turn, found)) addReaction(turn, found)
  }
  // Told and then asked for is one: the answer, which has both items.
  return [...new Map(found.map((one) => [one.id, one])).values()]
}

/** "You've no allergies." – "Penicillin.": said to be confirmed, and answered as if it had been asked. */
const findChecked = (turn: Turn, turns: readonly Turn[]): Turn | undefined => {
  const before = turns[turn.item - 1]
  const last = before?.sentences.at(-1)
  return turn.role !== 'clinician' &&
    before?.role === 'clinician' &&
    last !== undefined &&
    none.test(last.plain)
    ? before
    : undefined
}

/** That there are none was the clinician's guess, and the answer names one. */
const withdrawNone = (question: Turn, found: AllergyFinding[]): void => {
  const at = found.findIndex(
    ({ substance, standing, items }) =>
      substance === 'any' && standing === 'denied' && items.every((item) => item === question.item),
  )
  if (at >= 0) found.splice(at, 1)
}

/** "Penicillin okay?" – "Penicillin is fine.": another substance, asked about while allergies are spoken of. */
const readNamedInQuestion = (
  turn: Turn,
  question: Turn | undefined,
  found: readonly AllergyFinding[],
): AllergyFinding[] => {
  const last = question?.sentences.findLast(({ asks }) => asks)
  if (question === undefined || last === undefined || last.plain.split(' ').length > askedWordsMax) return []
  const [substance] = listSubstances(last)
  if (substance === undefined || found.some((one) => isSame(one.substance, substance))) return []
  const standing: Standing | null = doubtful.test(turn.plain)
    ? 'unclear'
    : borne.test(turn.plain) || readAnswer(turn.plain) === 'no'
      ? 'denied'
      : hadReaction.test(turn.plain)
        ? 'affirmed'
        : null
  const words = turn.sentences[0]?.text ?? turn.text.trim()
  return standing === null ? [] : [toFinding(substance, null, standing, [question.item, turn.item], words)]
}

/** "Penicillin?", "What happened with the sulfa?": longer ones ask about something else. */
const askedWordsMax = 6

/** "Lamotrigine. No. You had the rash.": of the only medicine that is named there or just before. */
const readHad = (turn: Turn, turns: readonly Turn[], found: readonly AllergyFinding[]): AllergyFinding[] => {
  const sentence = turn.sentences.find(
    ({ plain, asks }) => !asks && hadReaction.test(plain) && !isPossible.test(plain),
  )
  if (sentence === undefined) return []
  const named = (text: string) => [
    ...new Set(findAllMedications(text).map(({ medication }) => medication.generic.toLowerCase())),
  ]
  const here = named(turn.text.slice(0, namedTextMax))
  const before = here.length > 0 ? [] : named((turns[turn.item - 1]?.text ?? '').slice(-namedReach))
  const [substance, another] = [...here, ...before]
  if (substance === undefined || another !== undefined) return []
  if (found.some((one) => isSame(one.substance, substance))) return []
  const items = here.length > 0 ? [turn.item] : [turn.item - 1, turn.item]
  return [toFinding(substance, readReaction(turn, sentence), 'affirmed', items, sentence.text)]
}

/** In a longer turn the reaction may be to anything. */
const namedTextMax = 400

const denyLast = (turn: Turn, found: AllergyFinding[]): void => {
  const last = found.at(-1)
  if (last === undefined || turn.item - Math.max(...last.items) > 2) return
  found[found.length - 1] = toFinding(
    last.substance,
    last.reaction,
    'denied',
    [...last.items, turn.item],
    last.words,
  )
}

const toFinding = (
  substance: string,
  reaction: string | null,
  standing: Standing,
  items: readonly number[],
  words: string,
): AllergyFinding => ({
  kind: 'allergy',
  id: makeFindingId('allergy', substance, standing, items[0] ?? 0),
  items: sortItems(items),
  words,
  substance,
  reaction,
  standing,
})

const takes = /\b(?:i take|i'm on|i'm taking|taking|i use|he takes|she takes|just on)\b/
const asksMedicines =
  /\b(?:medicines?|medications?|meds|tablets|pills|taking|take|supplements?|inhalers?|problems?|medical|health|history|conditions?|surger\w+)\b/

const readAnswered = (turn: Turn, question: Turn, found: readonly AllergyFinding[]): AllergyFinding[] => {
  const items = [question.item, turn.item]
  const sentences = turn.sentences.filter(({ asks }) => !asks)
  // "Medical? Allergies?": what is named without a word of allergy may be anything.
  const isOpen = asksMedicines.test(
    question.plain.replace(
      /\ballerg\w+(?: to)?(?: any)?(?: other)? (?:medicines?|medications?|meds|drugs)\b|\b(?:medicine|medication|drug) allerg\w+/g,
      '',
    ),
  )
  const named = sentences.flatMap((sentence) => {
    const next = turn.sentences[sentence.at + 1]?.plain ?? ''
    const isSaid =
      allergyTalk.test(sentence.plain) ||
      reactions.test(sentence.plain) ||
      (reactions.test(next) && listSubstancesIn(next).length === 0)
    if (!isSaid && (isOpen || takes.test(sentence.plain))) return []
    return listSubstances(sentence).map((substance) => ({ substance, sentence }))
  })
  const told = named.filter(
    ({ substance }, at) =>
      !found.some((one) => isSame(one.substance, substance)) &&
      named.findIndex((other) => isSame(other.substance, substance)) === at,
  )
  if (told.length > 0)
    return told.map(({ substance, sentence }) =>
      toFinding(substance, readReaction(turn, sentence), readStanding(sentence), items, sentence.text),
    )
  if (named.length > 0) return []
  const answer = readAnswer(turn.plain)
  const about = listAsked(question)
  if (about[0] !== undefined && about[0] !== 'any' && sentences.some(({ plain }) => reactions.test(plain)))
    return [
      toFinding(
        about[0],
        readReaction(turn, undefined),
        'affirmed',
        items,
        sentences[0]?.text ?? turn.text.trim(),
      ),
    ]
  const words = (sentences.find(({ plain }) => none.test(plain)) ?? sentences[0])?.text ?? turn.text.trim()
  if (none.test(turn.plain) || (answer === 'no' && !isOpen))
    return about.map((substance) => toFinding(substance, null, 'denied', items, words))
  if (answer === 'no' && turn.wordCount <= 4)
    return about.map((substance) => toFinding(substance, null, 'denied', items, words))
  if (answer === 'unclear' && !isOpen) return [toFinding(about[0] ?? 'any', null, 'unclear', items, words)]
  // "Still just the penicillin?" – "Yeah."
  if (answer === 'yes' && about[0] !== 'any')
    return about
      .filter((substance) => !found.some((one) => isSame(one.substance, substance)))
      .map((substance) =>
        toFinding(
          substance,
          readReaction(question, undefined),
          'affirmed',
          items,
          question.sentences.find(({ plain }) => allergyTalk.test(plain))?.text ?? words,
        ),
      )
  return []
}

const readStanding = (sentence: Sentence): Standing =>
  isDenied(sentence) ? 'denied' : doubtful.test(sentence.plain) ? 'unclear' : 'affirmed'

const isDenied = ({ plain }: Sentence): boolean =>
  borne.test(plain) || outgrown.test(plain) || none.test(plain) || /^(?:\W|no|and|but)*not to\b/.test(plain)

/** What a question names; `any` where it asks for allergies at large. */
const listAsked = (question: Turn): string[] => {
  const sentences = question.sentences.filter(({ plain }) => allergyTalk.test(plain))
  // "No codeine. Is that an allergy?"
  const isThat = sentences.some(({ plain }) => /\b(?:is|was) (?:that|it|this) an? allergy\b/.test(plain))
  if (isThat) return question.sentences.flatMap(listSubstances).slice(-1)
  const named = sentences.flatMap(listSubstances)
  return named.length > 0 && sentences.some(({ plain }) => /\b(?:to|still|just|only)\b/.test(plain))
    ? named
    : ['any']
}

const readTold = (turn: Turn, score: number, found: readonly AllergyFinding[]): AllergyFinding[] =>
  turn.sentences.flatMap((sentence) => {
    if (sentence.asks) return []
    const isSaid = allergyTalk.test(sentence.plain)
    if (!isSaid && (score < 0.4 || !reactions.test(sentence.plain))) return []
    const [item, words] = [turn.item, sentence.text]
    const named = listSubstances(sentence).filter(
      (one) => !found.some(({ substance }) => isSame(substance, one)),
    )
    if (named.length > 0)
      return named.map((substance) =>
        toFinding(substance, readReaction(turn, sentence), readStanding(sentence), [item], words),
      )
    return none.test(sentence.plain) ? [toFinding('any', null, 'denied', [item], words)] : []
  })

const isFollowUp = (turns: readonly Turn[], turn: Turn, found: readonly AllergyFinding[]): boolean =>
  turns.length > 0 && found.some(({ items }) => turn.item - Math.max(...items) <= 2)

/** "What happens?" – "My throat swells up.": belongs to the allergy that was just named. */
const addReaction = (turn: Turn, found: AllergyFinding[]): void => {
  const last = found.at(-1)
  const reaction = reactions.exec(turn.plain)?.[0]
  if (last === undefined || last.reaction !== null || last.standing === 'denied' || reaction === undefined)
    return
  found[found.length - 1] = {
    ...last,
    reaction: reaction.trim(),
    items: sortItems([...last.items, turn.item]),
  }
}

/** In the sentence, or in the one behind it: "Codeine. I throw up." */
const readReaction = (turn: Turn, sentence: Sentence | undefined): string | null => {
  const near = sentence === undefined ? turn.sentences : turn.sentences.slice(sentence.at, sentence.at + 2)
  for (const { plain } of near) {
    const reaction = reactions.exec(plain)?.[0]
    if (reaction !== undefined)
      return reaction.replace(/^(?:broke out in|got|get|gives me|gave me|with|in) /, '').trim()
  }
  return null
}

const listSubstancesIn = (plain: string): string[] => [...plain.matchAll(substances)].map(([name]) => name)

const listSubstances = (sentence: Sentence): string[] => {
  // "No problems, I'm allergic to shellfish, any medicine just the pill": what is behind the word is meant.
  const at = sentence.text.toLowerCase().search(/\ballergic to\b/)
  const text = at < 0 ? sentence.text : sentence.text.slice(at, at + namedReach)
  const before =
    at < 0
      ? []
      : findAllMedications(sentence.text.slice(Math.max(0, at - 25), at)).filter(() =>
          /\bi'm $/i.test(sentence.text.slice(0, at)),
        )
  const medicines = [...before, ...findAllMedications(text)].map(({ medication }) =>
    medication.generic.toLowerCase(),
  )
  const others = [...text.toLowerCase().matchAll(substances)].map(([name]) => name)
  return [
    ...new Set([
      ...medicines,
      ...others.filter((name) => !medicines.some((medicine) => isSame(medicine, name))),
    ]),
  ]
}

/** So far behind "allergic to" its list may reach. */
const namedReach = 70

const isSame = (one: string, other: string): boolean =>
  one === other || one === `${other}s` || other === `${one}s`
