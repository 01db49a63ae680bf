import type { DangerFinding, Standing, TopicScores } from '../reading.js'
import { makeFindingId, sortItems } from '../finding-id.js'
import { readAnswer } from '../questions/read-answer.js'
import { DANGER_TOPICS } from './danger-topics.js'
import { agreesAt, isPlainAt, markItems, type Mark } from './mark-items.js'
import { settleByFigures } from './settle-by-figures.js'
import { readEpisode, type DangerUnit, type Episode, type Talk } from './read-episode.js'

/** Items of one matter that are further apart than this were said on another occasion. */
const gapMax = 3

/** What was said and asked about danger, one finding for each matter, element, time and person of a stretch of talk. */
export const findDanger = (talk: Talk, topics: readonly TopicScores[]): DangerFinding[] => {
  const marks = markItems(talk.turns, topics)
  const ofBody = isOfBody(topics)
  const findings = DANGER_TOPICS.flatMap((topic) => {
    const episodes = gatherEpisodes(marks.filter((mark) => mark.topic === topic)).filter((episode) =>
      isBorneOut(episode, talk),
    )
    // Where the same danger was told, a low figure may speak of it a second time.
    const isHinted =
      ofBody && topic !== 'risk_self' && episodes.every((episode) => isOnlyHinted(episode, talk))
    return episodes.flatMap((episode) => {
      const units = readEpisode(episode, talk)
      const found = units.some((unit) => saysSomething(unit, talk)) ? mergeUnits(units, talk) : []
      return isHinted ? found.map((one) => ({ ...one, certainty: 'suspected' as const })) : found
    })
  })
  return [...findings, ...findings.flatMap((one) => turnRound(one, talk))].toSorted(
    (a, b) => (a.items[0] ?? 0) - (b.items[0] ?? 0),
  )
}

/** "Do rows ever get physical?", "Are you two safe with each other?": who asks that asks what each does to the other. */
const asksOfBoth =
  /\b(?:either of you|each other|one another|(?:the|you) two|both of you)\b|\b(?:get|gets|got|gotten|turn|turns|turned|become|becomes|became) (?:ever )?physical\b/

/** So that nobody says of harm to others that it was not asked. */
const turnRound = (found: DangerFinding, { turns }: Talk): DangerFinding[] => {
  const { matter, questionItem, time, whose, standing, items, words } = found
  const question = questionItem === null ? undefined : turns[questionItem]
  if (matter !== 'abuse' || question?.role !== 'clinician' || !asksOfBoth.test(question.plain)) return []
  const turned = { matter: 'harm_to_others', element: 'violence', certainty: 'suspected' } as const
  const id = makeFindingId(
    'danger',
    turned.matter,
    turned.element,
    time,
    whose,
    standing,
    items[0] ?? 0,
    words,
  )
  return [{ ...found, ...turned, id }]
}

/**
 * Where only the encoder found danger, the mean of its two figures, for the topic of an item and for the place of a sentence in it,
 * must come to this: a joke or a stranger's debts raise the first alone. Chosen with sight of 48 whole sessions that the weights had
 * not seen; limits nearby give nearly the same (docs/decisions/0015).
 */
const borneOutAt = { risk_self: 0.4, risk_others: 0.5, abuse: 0.5, psychosis: 0.5 }
/** What a clinician says without a word for it is seldom the danger itself. */
const cliniciansShare = 0.7

const isBorneOut = ({ topic, marks }: Episode, { turns, figures }: Talk): boolean =>
  marks.some(({ item, score, hits }) => {
    const shares = figures[item]?.sentences
    if (hits.length > 0 || shares === undefined) return true
    const share = turns[item]?.role === 'clinician' ? cliniciansShare : 1
    return (share * (score + Math.max(0, ...shares))) / 2 >= borneOutAt[topic]
  })

/** From this mean of its items a talk is about the body, of which the encoder learned little: a swollen elbow was abuse to it. */
const ofBodyAt = 0.12
const isOfBody = (topics: readonly TopicScores[]): boolean =>
  topics.reduce((sum, { medical = 0 }) => sum + medical, 0) >= ofBodyAt * topics.length

/** Figures below which danger is no more than a hint: of an item, and of the sentence in it that is most about danger. */
const hintedBelow = { item: 0.9, sentence: 0.3 }

/** Whether only the encoder found it, at figures that in talk about the body were right for few: such danger is no more than suspected. */
const isOnlyHinted = ({ marks }: Episode, { figures }: Talk): boolean =>
  marks.every(
    ({ item, score, hits }) =>
      hits.length === 0 &&
      score < hintedBelow.item &&
      figures[item] !== undefined &&
      Math.max(0, ...(figures[item]?.sentences ?? [])) < hintedBelow.sentence,
  )

/**
 * Whether a stretch of talk holds more than the encoder's low figure for a question of something else and its "No", "Yes" or
 * counter-question: on 32 consultations that it was not trained on, 11
 * of 26 false alarms were such.
 */
const saysSomething = (unit: DangerUnit, { turns }: Talk): boolean => {
  if (unit.hasWords || unit.score >= isPlainAt) return true
  const said = turns[unit.items.at(-1) ?? 0]
  if (said === undefined || said.sentences.every(({ asks }) => asks)) return false
  if (unit.question !== null && unit.standing !== 'affirmed') return false
  if (!unit.isReply) return said.wordCount >= toldWordsMin
  const wordsMin = readAnswer(said.plain) === 'no' ? denyingWordsMin : tellingWordsMin
  return unit.score >= answeredAt && said.wordCount >= wordsMin
}

/** For an answer to a question that is about something else. */
const answeredAt = 0.1
const toldWordsMin = 4
const tellingWordsMin = 5
/** "Nah, go ahead and fill it. I got them in a coffee can": tells more than its "no". */
const denyingWordsMin = 14

const gatherEpisodes = (marks: readonly Mark[]): Episode[] => {
  const episodes: { topic: Mark['topic']; marks: Mark[] }[] = []
  for (const mark of marks) {
    const last = episodes.at(-1)
    const end = last?.marks.at(-1)?.item
    if (last !== undefined && end !== undefined && mark.item - end <= gapMax) last.marks.push(mark)
    else episodes.push({ topic: mark.topic, marks: [mark] })
  }
  return episodes
}

/** "Does he feel like yours?" behind "Any thoughts of hurting him?": the encoder is less sure of it than of what it follows. */
const followsBelow = 0.9

const mergeUnits = (all: readonly DangerUnit[], talk: Talk): DangerFinding[] => {
  const best = Math.max(...all.map(({ score }) => score))
  const units = all.map((unit) =>
    unit.isInherited && unit.score < followsBelow * best ? { ...unit, isWeak: true } : unit,
  )
  // A clinician's remark, or a turn that only the encoder found, says nothing of its own beside plain answers.
  const strong = units.filter(({ isWeak }) => !isWeak)
  const told = strong.length > 0 ? joinWeak(units) : units
  const groups = new Map<string, DangerUnit[]>()
  for (const unit of told) {
    const key = `${unit.matter} ${unit.element} ${unit.time} ${unit.whose}`
    groups.set(key, [...(groups.get(key) ?? []), unit])
  }
  const found = [...groups.values()].map((group) => toFinding(group, talk))
  const isWorded = found.some(({ foundBy }) => foundBy === 'words')
  return isWorded ? [...found, ...listFollowing(units, found, talk)] : found
}

/** From here the encoder is sure that a turn speaks of the danger that was asked or told before it. */
const followingAt = 0.6
const followingWordsMin = 5

/**
 * What else was said in a stretch, besides the words that decide, may turn them round ("I told them accident." – "I meant it
 * about seventy percent."): it is suspected by itself, so that it is quoted or listed.
 */
const listFollowing = (
  units: readonly DangerUnit[],
  found: readonly DangerFinding[],
  { turns }: Talk,
): DangerFinding[] =>
  units.flatMap((unit) => {
    const said = turns[unit.items.at(-1) ?? -1]
    if (unit.score < followingAt || said === undefined || said.role === 'clinician') return []
    if (said.wordCount < followingWordsMin || said.sentences.every(({ asks }) => asks)) return []
    if (found.some(({ words }) => said.text.includes(words) || words.includes(unit.words))) return []
    const { matter, time, whose, words, question } = unit
    return [
      {
        kind: 'danger' as const,
        id: makeFindingId('danger', matter, 'unspecified', time, whose, 'unclear', said.item, words),
        items: [...unit.items],
        words,
        matter,
        element: 'unspecified' as const,
        standing: 'unclear' as const,
        time,
        whose,
        certainty: 'suspected' as const,
        foundBy: 'encoder' as const,
        questionItem: question,
      },
    ]
  })

/** A stretch with low figures is joined to the one with high figures before it, or else to the one behind it. */
const joinWeak = (units: readonly DangerUnit[]): DangerUnit[] => {
  const joined: DangerUnit[] = []
  let waiting: DangerUnit[] = []
  for (const unit of units) {
    const last = joined.at(-1)
    if (!unit.isWeak) {
      joined.push({ ...unit, items: sortItems([...waiting.flatMap(({ items }) => items), ...unit.items]) })
      waiting = []
    } else if (last === undefined) waiting.push(unit)
    else
      joined[joined.length - 1] = {
        ...last,
        items: sortItems([...last.items, ...unit.items]),
        score: Math.max(last.score, unit.score),
      }
  }
  return joined
}

const toFinding = (units: readonly DangerUnit[], talk: Talk): DangerFinding => {
  const read = settleStanding(units.map((unit) => unit.standing))
  const deciding = pickDeciding(units.filter((unit) => unit.standing === read)) ?? units[0]!
  const items = sortItems(units.flatMap((unit) => unit.items))
  const score = Math.max(...units.map((unit) => unit.score))
  const isPlain =
    score >= isPlainAt ||
    units.some(({ isSure }) => isSure) ||
    (score >= agreesAt && units.some(({ hasWords }) => hasWords))
  const { matter, element, words } = deciding
  const { standing, time, whose } = settleByFigures({ ...deciding, standing: read }, items, talk)
  return {
    kind: 'danger',
    id: makeFindingId('danger', matter, element, time, whose, standing, items[0] ?? 0, words),
    items,
    words,
    matter,
    element,
    standing,
    time,
    whose,
    certainty: isPlain ? 'plain' : 'suspected',
    foundBy: units.some(({ hasWords }) => hasWords) ? 'words' : 'encoder',
    questionItem: deciding.question,
  }
}

/**
 * The last that has sure words for it; else what has any, and of these what the encoder is surest of. An answer that only
 * follows ("When's her birthday?" "In January.") must not stand for what was said before it.
 */
const pickDeciding = (units: readonly DangerUnit[]): DangerUnit | undefined => {
  const sure = units.findLast(({ isSure }) => isSure)
  if (sure !== undefined) return sure
  const worded = units.filter(({ hasWords }) => hasWords)
  const among = worded.length > 0 ? worded : units
  const best = Math.max(...among.map(({ score }) => score))
  return among.findLast(({ score }) => score === best)
}

/** What was once affirmed stays so; of the rest the last word counts: "Not really." – "No. I mean no." */
const settleStanding = (standings: readonly Standing[]): Standing =>
  standings.includes('affirmed') ? 'affirmed' : (standings.at(-1) ?? 'unclear')
