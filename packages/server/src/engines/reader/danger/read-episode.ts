import type { DangerFigures } from '../encoder/figures.js'
import type { DangerElement, DangerMatter, Standing, Time, Whose } from '../reading.js'
import { saysNothingAlone } from '../questions/read-answer.js'
import type { Turn } from '../talk/read-talk.js'
import type { DangerTopic } from './danger-topics.js'
import { agreesAt, type Hit, type Mark } from './mark-items.js'
import { readElements, readMatter } from './read-elements.js'
import { readAnswered, readVolunteered } from './read-standing.js'
import { readAnswer } from '../questions/read-answer.js'
import { isOverNow, readTime, tellsOfThen } from './read-time.js'
import { readWhose } from './read-whose.js'

/** Neighbouring items about danger of one kind. */
export interface Episode {
  topic: DangerTopic
  marks: readonly Mark[]
}

/** One thing that was said or answered about danger. */
export interface DangerUnit {
  matter: DangerMatter
  element: DangerElement
  standing: Standing
  time: Time
  whose: Whose
  items: readonly number[]
  words: string
  question: number | null
  isSure: boolean
  hasWords: boolean
  score: number
  /** Said in answer to a question of something else. */
  isReply: boolean
  /** Nothing but the encoder's figure, or a clinician's remark: it yields to what the others say. */
  isWeak: boolean
  /** Neither question nor answer has a word for it: what it is about is taken from what was said before. */
  isInherited: boolean
}

export interface Talk {
  turns: readonly Turn[]
  questionOf: Readonly<Record<number, number>>
  /** For each turn. */
  figures: readonly DangerFigures[]
}

/** The sentences of an item that decide: with the words in them, else all of a short one. */
const wholeWordsMax = 60
/** How far behind a question of the clinician its answer may be, where nothing else was found. */
const answerReach = 3

export const readEpisode = (episode: Episode, talk: Talk): DangerUnit[] => {
  const units: DangerUnit[] = []
  const done = new Set<number>()
  for (const mark of episode.marks) {
    const turn = talk.turns[mark.item]
    if (turn === undefined) continue
    if (turn.role === 'clinician') {
      for (const answer of listAnswers(mark, turn, talk)) {
        if (done.has(answer.item)) continue
        done.add(answer.item)
        units.push(...readAsked(episode, mark, answer, talk, units.at(-1)))
      }
      if (!isAsking(turn, mark, talk)) units.push(...readRemark(mark, turn, talk))
      continue
    }
    if (done.has(mark.item)) continue
    done.add(mark.item)
    const asked = talk.questionOf[mark.item]
    const question = asked === undefined ? undefined : talk.turns[asked]
    const questionMark = episode.marks.find(({ item }) => item === asked)
    const isAsked =
      question?.role === 'clinician' &&
      questionMark !== undefined &&
      (questionMark.hits.length > 0 || questionMark.score >= agreesAt)
    // What answers a question of something else is told, and its "no" is a no to that.
    if (isAsked) units.push(...readAsked(episode, questionMark, turn, talk, units.at(-1)))
    else
      units.push(
        ...readTold(mark, turn, talk, units.at(-1), question?.role === 'clinician' ? question.item : null),
      )
  }
  return units
}

const isAsking = (turn: Turn, mark: Mark, talk: Talk): boolean =>
  turn.sentences.some(({ asks }) => asks) || listAnswers(mark, turn, talk).length > 0

/** The turns that answer a question; behind a plain one that has none, what the client says next. */
const listAnswers = (mark: Mark, turn: Turn, { turns, questionOf }: Talk): Turn[] => {
  const own = turns.slice(turn.item + 1, turn.item + 8).filter(({ item }) => questionOf[item] === turn.item)
  // Of two who answer, the client speaks for themself.
  if (own.length > 0)
    return own.some(({ role }) => role === 'client') ? own.filter(({ role }) => role === 'client') : own
  if (!mark.hits.some(({ sentence }) => sentence.asks)) return []
  const next = turns
    .slice(turn.item + 1, turn.item + 1 + answerReach)
    .find(({ role, isBackchannel }) => role !== 'clinician' && !isBackchannel)
  return next === undefined ? [] : [next]
}

/** A question and its answer: the elements that were asked, and what the answer tells besides. */
const readAsked = (
  episode: Episode,
  questionMark: Mark,
  answer: Turn,
  { turns, figures }: Talk,
  before: DangerUnit | undefined,
): DangerUnit[] => {
  const { topic } = episode
  const question = turns[questionMark.item]
  if (question === undefined) return []
  const mark = episode.marks.find(({ item }) => item === answer.item)
  const asked = question.sentences.filter(({ asks }) => asks)
  const about = questionMark.hits.map(({ sentence }) => sentence)
  const relevant =
    about.length > 0
      ? question.sentences.filter(
          (sentence) => about.includes(sentence) || (sentence.asks && sentence.at > (about[0]?.at ?? 0)),
        )
      : asked.slice(-1)
  const plain = (relevant.length > 0 ? relevant : question.sentences.slice(-1))
    .map((sentence) => sentence.plain)
    .join(' ')
  const own = (mark?.hits ?? []).filter((hit) => readVolunteered(hit) !== 'denied')
  // "No." – "Oh wait, the bottle says …": the question is answered, and they go on with something else.
  const isAnswered = before?.question === question.item && before.standing !== 'unclear'
  if (isAnswered && own.length === 0 && readAnswer(answer.plain) === 'other') return []
  const standing = readAnswered({
    question: plain,
    answer: answer.plain,
    hasOwnWords: own.some(({ words }) => words.element !== 'means'),
    score: mark?.score ?? 0,
  })
  const matter = nameMatter(topic, questionMark.hits, `${plain} ${answer.plain}`, before)
  const named = readElements(plain, topic)
  const told = own.map(({ words }) => words.element)
  const inherited = before !== undefined && before.matter === matter ? before.element : 'unspecified'
  const elements = named.length > 0 ? named : told.length > 0 ? told : [inherited]
  const base = {
    items: [question.item, answer.item],
    question: question.item,
    isSure: [...questionMark.hits, ...own].some(({ isSure }) => isSure),
    hasWords: questionMark.hits.length > 0 || own.length > 0,
    score: Math.max(questionMark.score, mark?.score ?? 0),
    isWeak: false,
    isReply: false,
    isInherited: questionMark.hits.length === 0 && named.length === 0 && told.length === 0,
    words: pickWords(answer, own, figures),
  }
  const whose = readWhose(matter, answer.plain, plain, answer.role)
  const units: DangerUnit[] = elements.map((element) => ({
    ...base,
    matter,
    element,
    standing,
    time: readTime(answer.plain, plain, element),
    whose,
  }))
  if (isOverNow(answer.plain) && (standing === 'affirmed' || tellsOfThen(answer.plain)))
    return units.flatMap((unit) => [
      { ...unit, standing: 'denied' as const, time: 'present' as const },
      { ...unit, standing: 'affirmed' as const, time: 'past' as const },
    ])
  const further = own.filter(({ words }) => !elements.includes(words.element) || words.matter !== matter)
  return [...units, ...further.map((hit) => tellUnit(hit, answer, base, plain))]
}

/** What a client or another person says by themself. */
const readTold = (
  mark: Mark,
  turn: Turn,
  { figures }: Talk,
  before: DangerUnit | undefined,
  repliesTo: number | null,
): DangerUnit[] => {
  const base = {
    items: repliesTo === null ? [turn.item] : [repliesTo, turn.item],
    isReply: repliesTo !== null,
    question: null,
    isSure: mark.hits.some(({ isSure }) => isSure),
    hasWords: mark.hits.length > 0,
    score: mark.score,
    isWeak: false,
    isInherited: false,
    words: pickWords(turn, mark.hits, figures),
  }
  if (mark.hits.length > 0) return mark.hits.map((hit) => tellUnit(hit, turn, base, null))
  const isNear = before !== undefined && turn.item - Math.max(...before.items) <= 3
  const elements = readElements(turn.plain, mark.topic)
  const matter = isNear ? before.matter : readMatter(turn.plain, mark.topic)
  return [
    {
      ...base,
      matter,
      element: isNear
        ? before.element
        : mark.topic === 'abuse' || mark.topic === 'psychosis'
          ? (elements[0] ?? 'unspecified')
          : 'unspecified',
      // What follows an answer goes on with it.
      standing: isNear ? before.standing : 'affirmed',
      time: isNear ? before.time : readTime(turn.plain, null, 'unspecified'),
      whose: isNear ? before.whose : readWhose(matter, turn.plain, null, turn.role),
      isWeak: isNear,
    },
  ]
}

/** Below this a clinician's words are teaching, an impression or a referral, unless they tell what somebody did. */
const remarkAt = 0.1
const tellsOf =
  /\b(?:you|he|she|they)(?:'d|'ve| had| have)? (?:took|taken|tried|said|told|mentioned|felt|wrote|put|described|reported|attempted|overdosed|cut|hit|threatened|wanted|thought)\b/

/** What a clinician says of it without asking: "It says here you took the whole bottle." */
const readRemark = (mark: Mark, turn: Turn, { figures }: Talk): DangerUnit[] => {
  const hits = mark.hits.slice(0, 1)
  const [hit] = hits
  if (mark.score < remarkAt && !tellsOf.test(turn.plain)) return []
  const base = {
    items: [turn.item],
    question: null,
    isSure: hit?.isSure === true && /\b(?:you|your|she|he|they)\b/.test(hit.sentence.plain),
    hasWords: hit !== undefined,
    score: mark.score,
    isWeak: true,
    isReply: false,
    isInherited: false,
    words: pickWords(turn, hits, figures),
  }
  if (hit !== undefined) return [{ ...tellUnit(hit, turn, base, null), isWeak: true }]
  const matter = readMatter(turn.plain, mark.topic)
  return [
    {
      ...base,
      matter,
      element: readElements(turn.plain, mark.topic)[0] ?? 'unspecified',
      standing: 'affirmed',
      time: readTime(turn.plain, null, 'unspecified'),
      whose: readWhose(matter, turn.plain, null, 'clinician'),
    },
  ]
}

type UnitBase = Pick<
  DangerUnit,
  'items' | 'question' | 'isSure' | 'hasWords' | 'score' | 'isWeak' | 'isInherited' | 'isReply' | 'words'
>

const tellUnit = (hit: Hit, turn: Turn, base: UnitBase, question: string | null): DangerUnit => {
  const { matter, element } = hit.words
  return {
    ...base,
    isSure: hit.isSure,
    matter,
    element,
    standing: readVolunteered(hit),
    time: readTime(hit.sentence.plain, question, element),
    whose: readWhose(matter, hit.sentence.plain, question, turn.role),
    words: hit.sentence.text,
  }
}

const nameMatter = (
  topic: DangerTopic,
  hits: readonly Hit[],
  plain: string,
  before: DangerUnit | undefined,
): DangerMatter => {
  const own = hits[0]?.words.matter
  if (own === 'self_harm' || (own === 'suicide' && hits.some(({ isSure }) => isSure)))
    return readMatter(plain, topic)
  if (topic === 'risk_self' && hits.length === 0 && before !== undefined) return before.matter
  return readMatter(plain, topic)
}

const pickWords = (turn: Turn, hits: readonly Hit[], figures: readonly DangerFigures[]): string => {
  const first = hits[0]?.sentence
  if (first !== undefined) return first.text
  if (turn.wordCount <= wholeWordsMax || turn.sentences.length < 2) return turn.text.trim()
  const shares = figures[turn.item]?.sentences ?? []
  const likeliest = turn.sentences.toSorted((a, b) => (shares[b.at] ?? 0) - (shares[a.at] ?? 0))[0]
  if (likeliest !== undefined && (shares[likeliest.at] ?? 0) >= likelyAt) return likeliest.text
  // Of a long turn that answers, its beginning; else nothing says where in it the danger is.
  return turn.sentences.find(({ plain }) => !saysNothingAlone(plain))?.text ?? turn.text.trim()
}

/** From here the encoder is believed about which sentence of a long turn it is. */
const likelyAt = 0.3
