import type { TranscriptItem } from '@casenote/contract'
import { splitSpoken } from '../text/split-spoken.js'
import { isContentWord, stemWord, tokenizeWords } from '../text/tokenize-words.js'

const notDiscussed =
  /^(?<label>.+?),? (?:was |were )?not (?:discussed|assessed|addressed|stated)(?: (?:in|during) this session)?\.?$/i

/** Whether a sentence says that something was not talked about; it has no evidence by its nature. */
export const isNotDiscussed = (sentence: string): boolean => notDiscussed.test(sentence.trim())

const everyone = /./
/** Who is not known may be the clinician. */
const notClient = /^(?!client$)/

const asksClient = (sentence: string): boolean =>
  /\b(?:you|your|yourself|any|thoughts?)\b/i.test(sentence) && !/\b(?:he|she|they|group)\b/i.test(sentence)

const tellsOfSelf = (sentence: string): boolean =>
  /\b(?:I|I'm|I've|me|my|myself)\b/i.test(sentence) &&
  !/\b(?:he|she|his|her|died|brother|father|dad|mother|mom|friend)\b/i.test(sentence)

/**
 * A question to the client, or a voice of itself: a father's suicide, or words read aloud, do not discuss the client's
 * risk. Who is not known may be either.
 */
const ofClientSelf = (sentence: string, speaker: string): boolean =>
  (speaker !== 'client' && asksClient(sentence)) || (speaker !== 'clinician' && tellsOfSelf(sentence))

/**
 * What would make "not discussed" untrue, by what the sentence names: a narrow list of words that leave no doubt, and by
 * whom they are said. "Headache" alone does not make side effects discussed; "side effects" does.
 */
const topics: readonly { label: RegExp; by: RegExp; said: RegExp; isOfClient?: boolean }[] = [
  {
    label: /suicid|^risk/i,
    by: everyone,
    said: /\bsuicid|\bkill(?:ing)? (?:my|your)self|\b(?:end(?:ing)?|tak(?:e|ing)) (?:my|your) (?:own )?life\b|\bbetter off dead/i,
    isOfClient: true,
  },
  {
    label: /homicid|^risk/i,
    by: everyone,
    said: /\bhomicid|\b(?:hurt|harm|kill)(?:ing)? (?:someone|anyone|somebody|anybody|others|other people)/i,
    isOfClient: true,
  },
  {
    label: /self.?harm/i,
    by: everyone,
    said: /\bself.?harm|\bcutting\b|\b(?:hurt|harm)(?:ing)? (?:my|your)self/i,
  },
  { label: /side effect/i, by: everyone, said: /\bside effects?\b/i },
  { label: /allerg/i, by: everyone, said: /\ballerg(?:y|ies|ic)\b/i },
  {
    label: /substance|alcohol/i,
    by: everyone,
    said: /\b(?:alcohol|cannabis|marijuana|cocaine|heroin|opioids?|sober|relapsed?)\b/i,
  },
  {
    label: /family/i,
    by: everyone,
    said: /\bfamily history\b|\b(?:anyone|anybody|someone) in (?:your|the) family\b|\bruns in (?:my|the) family/i,
  },
  {
    label: /trauma/i,
    by: everyone,
    said: /\btraum(?:a|atic|atized)\b|\bassault(?:ed)?\b|\bflashbacks?\b|\babused?\b/i,
  },
  {
    label: /medication changes/i,
    by: notClient,
    said: /\b(?:increase|decrease|raise|lower|taper|stop|start|switch) (?:the|your) (?:dose|medication)\b|\b(?:let's|let us|I would like to|I'd like to|we will|we'll|I will|I'll|going to)\b[^.?!]{0,60}\b(?:keep|continue|add|start|increase|decrease|raise|lower)\b[^.?!]{0,40}\b(?:milligrams?|mg)\b/i,
  },
  {
    label: /^current medications?$/i,
    by: /^(?!clinician)/,
    said: /\b(?:take|taking|on)\b[^.?!]*\b(?:milligrams?|mg)\b/i,
  },
  {
    label: /adherence/i,
    by: everyone,
    said: /\bmiss(?:ed|ing)? (?:a |any |\w+ )?doses?\b|\btaking it every (?:day|night|morning)\b/i,
  },
  {
    label: /vitals|labs/i,
    by: everyone,
    said: /\bblood pressure (?:is|was|today)\b|\blab (?:results?|work)\b/i,
  },
  {
    label: /diagnos/i,
    by: notClient,
    said: /\b(?:diagnosis is|diagnosed you with|criteria for|consistent with)\b/i,
  },
  {
    label: /goal/i,
    by: everyone,
    said: /\b(?:my|your|our|the) goals? (?:is|are|was|on)\b|\btreatment goals?\b/i,
  },
  {
    label: /^plan|follow/i,
    by: notClient,
    said: /\bhomework\b|\bnext (?:session|appointment)\b|\b(?:see you(?: again)?|meet again) (?:next|in|on)\b|\bfollow up (?:in|on)\b/i,
  },
  {
    label: /psychiatric history/i,
    by: everyone,
    said: /\b(?:hospitalized|psychiatric hospital|inpatient)\b/i,
  },
  { label: /medical/i, by: everyone, said: /\bmedical (?:problems?|conditions?|history)\b/i },
  {
    label: /mental status|observation/i,
    by: notClient,
    said: /\byour affect\b|\b(?:you're|you are|you were) (?:tearful|crying|speaking)\b/i,
  },
]

/** Where a thing that a sentence says was not discussed is discussed after all, or null. */
export const findDiscussion = (
  sentence: string,
  transcript: readonly TranscriptItem[],
): { item: number; text: string; at: number } | null => {
  const label = notDiscussed.exec(sentence.trim())?.groups?.['label'] ?? ''
  const named = topics.filter((topic) => topic.label.test(label))
  if (named.length === 0) return knownSections.test(label) ? null : findLabel(label, transcript)
  for (const [item, { speaker, transcript: turn }] of transcript.entries()) {
    const fitting = named.filter(({ by, said }) => by.test(speaker) && said.test(turn))
    if (fitting.length === 0) continue
    for (const text of splitSpoken(turn)) {
      const match = fitting
        .filter(({ isOfClient }) => isOfClient !== true || ofClientSelf(text, speaker))
        .map(({ said }) => said.exec(text))
        .find((found): found is RegExpExecArray => found !== null)
      if (match !== undefined) return { item, text, at: match.index }
    }
  }
  return null
}

/** A label that is not on the list must not occur by its own words. */
const findLabel = (
  label: string,
  transcript: readonly TranscriptItem[],
): { item: number; text: string; at: number } | null => {
  const stems = new Set(stemsOf(label))
  const item = transcript.findIndex((turn) => stemsOf(turn.transcript).some((stem) => stems.has(stem)))
  const text = transcript[item]?.transcript
  return text === undefined ? null : { item, text, at: 0 }
}

/** Headings whose words occur in any talk ("response", "problem"), and say nothing of whether the section has content. */
const knownSections =
  /^(?:assessment|response|intervention|behaviou?r|problem|presenting problem|subjective|data|chief complaint|interval history|history of present illness|psychosocial history|social history|strengths and supports|psychiatric review of systems|medical necessity)/i

const stemsOf = (text: string): string[] =>
  tokenizeWords(text)
    .filter((token) => isContentWord(token.lower))
    .map((token) => stemWord(token.lower))
