import type { NoteType } from '@casenote/contract'
import { TOPICS, type Reading, type Topic, type TopicScores } from '../../reader/reading.js'
import { contentOf } from './content-words.js'
import { findQuestion } from './find-context.js'
import { CLINICIAN_SECTIONS, findSection, isCliniciansTopic } from './place-topics.js'
import type { Said, Talk } from './read-turns.js'
import { TOPIC_WORDS } from './topic-words.js'

/** A sentence with what it is worth to a note, and where it would stand. */
export interface Judged {
  said: Said
  section: string
  /** The likeliest topic of that section. */
  topic: Topic
  /** How likely it belongs into a note at all, times how much it says. */
  value: number
  /** How likely the section is. */
  sureness: number
}

/** A turn's score for a sentence that has none of the topic's words, where another sentence of the turn has. */
const withoutWords = 0.3

/** What a clinician repeats of a client's account was said by the client before. */
const reflected = 0.35

/** A client's question mostly holds no fact. */
const asked = 0.6

/** Of a clinician's own topics; what they did is worth less to a reader than what was decided. */
const clinicianWeights: Readonly<Partial<Record<Topic, number>>> = {
  med_change: 1,
  safety_plan: 1,
  homework: 1,
  plan: 1,
  impression: 1,
  observation: 0.9,
  scores: 1,
  goal: 0.8,
  intervention: 0.55,
  medication: 0.6,
  side_effects: 0.6,
  medical: 0.6,
}

export function judgeSentences(talk: Talk, reading: Reading, noteType: NoteType): Judged[] {
  const bornOut = listBornOut(talk, reading)
  const shares = talk.sentences.map((said) => shareTopics(said, talk, reading, bornOut))
  return talk.sentences.flatMap(
    (said, at) =>
      judge(said, shares[at] ?? {}, noteType, findQuestion(said, talk, reading)?.text ?? null) ?? [],
  )
}

/** The topics of its items, each as far as the sentence's own words bear it out among those of its turn. */
function shareTopics(
  said: Said,
  talk: Talk,
  reading: Reading,
  bornOut: ReadonlyMap<number, Topics>,
): TopicScores {
  const scores: TopicScores = {}
  for (const item of said.items) {
    for (const [name, score] of Object.entries(reading.topics[item] ?? {})) {
      const topic = name as Topic
      const isElsewhere = bornOut.get(item)?.has(topic) === true
      const share = isElsewhere && TOPIC_WORDS[topic]?.test(said.text) === false ? withoutWords : 1
      scores[topic] = Math.max(scores[topic] ?? 0, score * share)
    }
  }
  if (said.speaker === 'clinician' && observed.test(said.text))
    scores.observation = Math.max(scores.observation ?? 0, plainScore)
  const question = findQuestion(said, talk, reading)
  if (/\bgoals?\b/i.test(said.text) || (question !== null && goalQuestion.test(question.text)))
    scores.goal = Math.max(scores.goal ?? 0, plainScore)
  return scores
}

/** Said to the client's face, in words that mean nothing else. */
const observed =
  /\byou(?:['’]re| are) (?:tearful|crying|smiling|laughing|shaking|fidgeting|speaking|talking (?:fast|very|quietly|slowly|louder))\b|\byou (?:look|seem) (?:more |less |a bit |a little |very |really |so )?(?:tired|rested|sad|anxious|calm\w*|brighter|down|flat|tense|relaxed|worried|well|better|upset)\b|\byour (?:affect|speech|mood) (?:is|seems)\b/i
const goalQuestion =
  /\b(?:goals?|(?:want|like|hope|hoping) to (?:get|see|have|work on|change)|get out of (?:this|therapy|our|coming)|be different|look(?:ing)? for (?:from|in) (?:this|therapy))\b/i
const plainScore = 0.8

type Topics = ReadonlySet<Topic>

/** For items of several sentences: the topics whose words stand in one of them. */
function listBornOut({ byItem }: Talk, { topics }: Reading): Map<number, Topics> {
  const found = new Map<number, Topics>()
  for (const [item, sentences] of byItem.entries()) {
    if (sentences.length < 2) continue
    const names = Object.keys(topics[item] ?? {}) as Topic[]
    found.set(
      item,
      new Set(names.filter((topic) => sentences.some(({ text }) => TOPIC_WORDS[topic]?.test(text) === true))),
    )
  }
  return found
}

function judge(said: Said, scores: TopicScores, noteType: NoteType, question: string | null): Judged | null {
  const content = contentOf(said.text)
  if (said.isBackchannel || (content === 0 && question === null) || greeting.test(said.text)) return null
  if (said.speaker === 'clinician' && said.asks) return null
  const bySection = new Map<string, { sum: number; topic: Topic; best: number }>()
  let none = 1
  for (const topic of TOPICS) {
    const score = weigh(scores[topic] ?? 0, topic, said.speaker)
    if (score < 0.02) continue
    none *= 1 - score
    const section = sectionFor(noteType, topic, said, question ?? '')
    const known = bySection.get(section) ?? { sum: 0, topic, best: 0 }
    known.sum += score
    if (score > known.best) Object.assign(known, { best: score, topic })
    bySection.set(section, known)
  }
  const found = [...bySection.entries()].toSorted((a, b) => b[1].sum - a[1].sum)
  const place = found.find(
    ([key, { best, topic }]) => key !== 'plan' || best >= planSure || planWords(topic).test(said.text),
  )
  if (place === undefined) return null
  const [section, { sum, topic, best }] = place
  return {
    said,
    section,
    topic,
    value: (1 - none) * fullness(said, content) * (said.asks ? asked : 1),
    sureness: Math.max(best, Math.min(1, sum)),
  }
}

/** How a medicine is taken, and not which. */
const adherence =
  /\b(?:miss(?:ed|ing)?|skip(?:ped|ping)?|forg[eo]t\w*|ran out|run out|pill ?box|every (?:day|night|morning)|as prescribed|consistent\w*|remember(?:ed|ing)?)\b/i

const sectionFor = (noteType: NoteType, topic: Topic, { speaker, text }: Said, question: string): string => {
  const section = findSection(noteType, topic)
  if (topic === 'medication' && noteType === 'medication_management' && adherence.test(`${question} ${text}`))
    return 'adherence'
  if (speaker === 'clinician') return section
  if (!CLINICIAN_SECTIONS.has(section) && !isCliniciansTopic(topic)) return section
  return topic === 'scores' ? section : findSection(noteType, 'response')
}

function weigh(score: number, topic: Topic, speaker: string): number {
  if (speaker === 'clinician') return score * (clinicianWeights[topic] ?? reflected)
  return isCliniciansTopic(topic) ? score * 0.5 : score
}

/** Of no weight in any note, whatever turn they stand in. */
const greeting =
  /^(?:good (?:morning|afternoon|evening)|hi|hello|hey|nice to (?:see|meet)|good to see|come (?:on )?in|have a seat|take a seat|thanks for coming|thank you (?:for|so much)|take care|have a (?:good|nice)|bye|you(?:['’]re| are) welcome|can you hear me)\b/i

/** Where the reader is less sure, a sentence of the plan has its words. */
const planSure = 0.7
const planWords = (topic: Topic): RegExp => TOPIC_WORDS[topic] ?? /./

/** How much a sentence says: a few words seldom hold a fact, a number mostly does. */
function fullness(said: Said, content: number): number {
  const number =
    /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty|sixty|hundred|twice|once|half)\b/i.test(
      said.text,
    )
  return 0.35 + 0.65 * Math.min(1, (content + (number ? 2 : 0)) / 6)
}
