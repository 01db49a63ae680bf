import type { Finding } from '../../reader/reading.js'
import { readAnswer } from '../../text/read-answer.js'
import type { Unit } from './choose-stretches.js'
import { has, type Heading } from './line.js'
import { changesMedicine, namesMedicine } from './medicine-lines.js'
import { asksBack, type Said, type Talk } from './read-turns.js'
import { shareSlots, type Slot } from './slots.js'
import {
  cutsBreath,
  emptinessOf,
  goesOn,
  isAsked,
  isHollow,
  isSilent,
  lacksSubject,
  needOf,
  ownNeed,
  passOver,
  pointsAtUnknown,
} from './stands.js'

/** "Client:" before the words of each turn. */
const labelWords = 1

/*
 * What things are worth, in units of one key fact. Chosen on 24 therapy sessions and 32 consultations whose sentences were
 * labelled by hand: within a fifth of these figures it makes little difference.
 */

/** Exponent of the encoder's figure of worth: at 1, a few useful sentences would outweigh a key fact. */
const sharpness = 1.5
/** Lost by a sentence that does not belong where it stands. Under Danger nothing must stand that is none. */
const wrongPlace = 0.9
const wrongDanger = 1.2
/** A fact under Other is found late. */
const otherShare = 0.55
/** Lost by a quote that begins with what needs the sentence before it, and by each further line. */
const startLoss = 1.5
const lineLoss = 0.1
/** Lost by a quote that ends before the matter does, and by one that ends with a question. */
const endLoss = 1.1
const questionLoss = 0.8
/** Lost by chatter in a quote. */
const chatterLoss = 0.3
/** Gained by what the reader knows exactly, and how much more surely it belongs in its slot. */
const knownGain = 0.3
/** A change of a medicine must not be missing where the medicine stands as it was before. */
const changeGain = 0.8
const knownShare = 0.3
const knownFrom = 0.2
/** Gained by what may speak of danger: it must not be missing, wherever it stands. */
const hintGain = 0.4
/** An offer that was refused is nothing that comes next. */
const refusedShare = 0.1
/** Of a sentence of next to no content its place says nothing. */
const contentMin = 0.25
/** What stands under Danger already is not quoted twice. */
const twiceLoss = 1

export type Known = 'medicine' | 'allergy' | 'score' | 'decision' | 'change'

/** Sentences of which the reader knows exactly what they say. */
export function findKnown(findings: readonly Finding[], talk: Talk): Map<number, Known> {
  const known = new Map<number, Known>()
  for (const { kind, items, words } of findings) {
    if (kind === 'danger') continue
    for (const said of items.flatMap((item) => talk.byItem[item] ?? []))
      if (has(words, said.raw) || has(said.raw, words)) known.set(said.index, kind)
  }
  for (const said of talk.sentences) if (changesMedicine(said, talk)) known.set(said.index, 'change')
  return known
}

export function weighSentence(
  said: Said,
  {
    slots,
    talk,
    isQuoted,
    isNearDanger,
    mayBeDanger,
    known,
  }: {
    slots: readonly Slot[]
    talk: Talk
    isQuoted: boolean
    isNearDanger: boolean
    mayBeDanger: boolean
    known: Known | null
  },
): Unit {
  const before = talk.sentences[said.index - 1]
  const shares = shareSlots(said, slots, { isNearDanger })
  const content = shares.reduce((sum, share) => sum + share, 0)
  const shred = said.figures.stands.shred ?? 0
  const near = slots.map((slot, at) => shareInSection(slot, at, { slots, shares }))
  const worth =
    (1 - shred) * said.figures.worth ** sharpness +
    (known === null ? 0 : known === 'change' ? changeGain : knownGain) +
    (mayBeDanger ? hintGain : 0)
  const isRefused = isOfferRefused(said, talk)
  const chatter = chatterLoss * emptinessOf(said)
  const values = slots.map(({ kind, section }, at) => {
    if (kind === 'other') return otherShare * worth - chatter - (isQuoted ? twiceLoss : 0)
    const own = (near[at] ?? 0) * (kind === 'plan' && isRefused ? refusedShare : 1)
    const isKnown = known !== null && kind === slotOfKnown[known] && own >= knownFrom
    const share = isKnown ? Math.min(content, own + knownShare) : own
    const value =
      (worth * share) / Math.max(contentMin, content) -
      chatter -
      (kind === 'danger' ? wrongDanger : wrongPlace) * Math.max(0, content - share)
    // A mother's suicide is looked for in the family's history, too.
    if (!isQuoted || section.startsWith('family')) return value
    return kind === 'danger' ? Math.max(value, lineLoss) : value - twiceLoss
  })
  return {
    cost: said.words + (before?.turn === said.turn ? 0 : labelWords),
    values,
    start: isHollow(said) || cutsBreath(said, talk) ? Infinity : startOf(said, known),
    end: endOf(said, talk),
    skip: passOver(said, talk),
    isSilent: isSilent(said, talk),
  }
}

/** A line that begins with a change is given the name of its medicine. */
const namedNeedMax = 0.3
/** "Did you follow him?" */
const unknownNeed = 0.5
/** What is said of danger must not be missing for that. */
const dangerShareMax = 0.3

function startOf(said: Said, known: Known | null): number {
  const isNamed = known === 'change' && !namesMedicine(said)
  const isUnknown = pointsAtUnknown(said) && (said.figures.places.danger ?? 0) < dangerShareMax
  // What was decided is given its subject, too.
  const own =
    (known === 'decision' || said.place === 'plan') && lacksSubject(said) ? ownNeed(said) : needOf(said)
  const need = Math.max(own, isUnknown ? unknownNeed : 0)
  return startLoss * Math.min(need, isNamed ? namedNeedMax : 1) + lineLoss
}

/** A few words of an answer, of which the rest may say the opposite: "No. Well, cats." */
const shortWordsMax = 3

/** What is lost by a quote that ends with it. */
function endOf(said: Said, { sentences }: Talk): number {
  const [before, next] = [sentences[said.index - 1], sentences[said.index + 1]]
  const answers = before?.asks === true && before.speaker !== said.speaker
  // "Any allergies?" "Any what?": with what is asked back a quote would pair a question with what is no answer to it.
  if (answers && said.speaker !== 'clinician' && (said.asks || asksBack.test(said.raw))) return Infinity
  if (isAsked(said)) return questionLoss
  const isCut = answers && said.words <= shortWordsMax && next?.turn === said.turn && !isHollow(next)
  return Math.max(endLoss * goesOn(said), isCut ? questionLoss : 0)
}

const besides: ReadonlyMap<Heading | null, number> = new Map([
  [null, 0.8],
  ['Interventions', 0.8],
  ['Medicines', 0.5],
  ['Allergies', 0.5],
])

/** Without a sub-heading a section says less of its quotes: what would stand under one of it is nearly right there, too. */
function shareInSection(
  { section, heading }: Slot,
  at: number,
  { slots, shares }: { slots: readonly Slot[]; shares: readonly number[] },
): number {
  const own = shares[at] ?? 0
  if (heading !== null) return own
  return slots.reduce(
    (sum, other, index) =>
      index !== at && other.section === section
        ? sum + (besides.get(other.heading) ?? 0) * (shares[index] ?? 0)
        : sum,
    own,
  )
}

const slotOfKnown: Readonly<Record<Known, Slot['kind']>> = {
  medicine: 'medicines',
  allergy: 'allergies',
  score: 'observed',
  decision: 'plan',
  change: 'plan',
}

/** "There's also a group on Wednesdays." "No, thanks.": unless it was asked something else meanwhile. */
function isOfferRefused(said: Said, { turns }: Talk): boolean {
  const rest = turns[said.turn]?.sentences.filter(({ index }) => index > said.index) ?? []
  const answer = turns[said.turn + 1]?.sentences[0]
  return (
    said.place === 'plan' &&
    said.speaker === 'clinician' &&
    offers.test(said.raw) &&
    rest.every((one) => !one.asks || one.place === 'plan') &&
    answer !== undefined &&
    readAnswer(answer.text) === 'no'
  )
}

const offers =
  /\b(?:there(?:['’]s| is| are)|could|can|would you|some (?:people|students|folks)|i['’]d (?:also )?(?:like|love|want) (?:you|to have you))\b/i
