import { lowerFirst } from '../../text/report-speech.js'
import { countWords } from '../../text/tokenize-words.js'
import { ofThem, voicesClient, type Reader } from '../statement/clinician-wording.js'

/** What is done with hands, breath, paper or in the mind: the steps of exercises, and of no talk about them. */
const step =
  /^(?:(?:then|and|so|now|okay|just)[, ]+)*(?:(?:we|you)(?: will| both| just| only)* )?(?<does>(?:breathe|inhale|exhale|hold|touch|press|squeeze|tense|tap|splash|hum|write|draw|list|sort|name|count|close|imagine|picture|repeat|walk|stand|step|drive|read|spin|rate|lift|pick(?! that\b| it\b)|put(?! it\b| that\b)|set|take out|look (?:at|around|up)|think of|go (?:down|up|out|over|to|through)) .+)$/i

/** "Hold on", "picture that": said along the way. */
const cue =
  /^(?:hold on|hold it|hold that|go to sleep|go over that|set that|(?:imagine|picture|name) that)\b/i

/** Why it is done, what it does, or what comes next, after what is done. */
const reason =
  /,? (?:(?:and|because|since|so) (?:it|that|this|they|your (?:body|brain|mind))\b|so that\b|which\b).*$|, (?:and )?you\b.*$/i

/** Fewer words are a cue within an exercise. */
const stepWordsMin = 6
const toldWordsMin = 4

/** "We breathe through a thin straw for one minute": how an exercise goes that was proposed just before. */
export const readExercise: Reader = (text, { isExercise }) => {
  const does = step.exec(text)?.groups?.['does']
  if (isExercise !== true || does === undefined || cue.test(does) || voicesClient(text)) return null
  const told = does.replace(reason, '')
  return countWords(does) < stepWordsMin || countWords(told) < toldWordsMin
    ? null
    : {
        kind: 'intervention',
        text: `clinician asked client to ${ofThem(told.charAt(0).toLowerCase() + told.slice(1))}`,
      }
}

/** What was proposed in this turn is explained in its next sentences. */
export const isProposed = (intervention: string): boolean =>
  /\bclinician (?:proposed|offered to|invited client to|asked client to)\b/.test(intervention)

const maps =
  /\b(?<act>map|draw|lay|write|put) (?:it|this|that) (?<where>out|down|up|on (?:the|a) (?:board|paper|page))\b/i
const done: Readonly<Record<string, string>> = {
  map: 'mapped',
  draw: 'drew',
  lay: 'laid',
  write: 'wrote',
  put: 'put',
}

/** "Can we map it out? Weed at ten, bed at one, late at nine.": what is put on paper, link by link. */
export const readMap = (text: string, before: string): string | null => {
  const { act, where } = maps.exec(before)?.groups ?? {}
  const links = text.replace(/[.!?…]+$/, '').split(/, /)
  if (act === undefined || where === undefined || links.length < linksMin || voicesClient(text)) return null
  return countWords(text) > mapWordsMax
    ? null
    : `clinician ${done[act.toLowerCase()] ?? 'put'} this ${where} with client: ${ofThem(lowerFirst(links.join(', ')))}`
}

/** Fewer are no chain, and more words no map. */
const linksMin = 3
const mapWordsMax = 30
