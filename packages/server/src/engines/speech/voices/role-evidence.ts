/** A positive weight speaks for the clinician, a negative one for the client; in units of "about as good as a question". */
interface Cue {
  weight: number
  pattern: RegExp
}

/** What clinicians say and clients hardly do: guiding, prescribing, risk questions, reflecting, planning (docs/clinical/language.md 4). */
const clinicianCues: readonly Cue[] = [
  { weight: 3, pattern: /\bthoughts? (of|about) (killing|hurting|harming|ending|suicide|not wanting)/ },
  {
    weight: 3,
    pattern: /\b(have|has|had) (you|anyone|anybody) (ever |had |been |thought|noticed|tried|taken|felt|lost)/,
  },
  {
    weight: 2,
    pattern: /\bon a scale (of|from)\b|\bfrom (zero|one|0|1) to (ten|10)\b|\brate (it|how|your)\b/,
  },
  { weight: 2, pattern: /\b(any|no|about the) side effects?\b|\bmissed (any )?doses?\?/ },
  {
    weight: 2,
    pattern: /\bwhat brings you\b|\bwhere would you like to (start|begin)\b|\bwho would like to start\b/,
  },
  {
    weight: 2,
    pattern:
      /\b(how|what) (was|is|are|were|have|has|did|does|do|would|about) (you|your|that|it) ?(like )?(been|for you|feel)?/,
  },
  {
    weight: 2,
    pattern:
      /\bi('d| would|'m going to| want| will|'ll) (like (you )?to (try|keep|increase|decrease|add|see|start|stop|go over|lower|raise|ask)|increase|decrease|prescribe|send|refer|leave it at|keep (you|the))/,
  },
  {
    weight: 2,
    pattern:
      /\bi('d| would)( also)? like (you|each of you) to\b|\bi want you to\b|\bcan (you|we) (try|tell|name|rate|describe|say)\b/,
  },
  {
    weight: 2,
    pattern:
      /\b(for homework|this week,? (i|write|try|notice)|between (now and|sessions))\b|\bwrite (down|it down)\b.{0,200}\b(you|your)\b/,
  },
  {
    weight: 2,
    pattern:
      /\b(it|that) sounds? (like|as if|hard|stressful|difficult|painful)\b|\bi (hear|wonder|noticed? that you)\b|\bthat makes sense\b/,
  },
  {
    weight: 2,
    pattern:
      /\bthank you for (telling|sharing|being so open|letting)\b|\btake your time\b|\btell me (more|about|a little|everything|what|how)\b/,
  },
  {
    weight: 2,
    pattern:
      /\b(let's|let us) (meet|look|go|check|try|move|stay|talk|start|see|sort|keep|slow|review|schedule)\b|\blet me (check|slow|ask|see|explain)\b/,
  },
  {
    weight: 2,
    pattern:
      /\bi('ll| will) (see you|send|call (in|her|him)|message|refer|order)\b|\bsee you (in|next|on)\b.{0,200}\b(week|month|tuesday|thursday|monday|friday|wednesday)/,
  },
  {
    weight: 1.5,
    pattern:
      /\b(last time|last week|earlier) you (said|talked|mentioned|told)\b|\byou (mentioned|said|told me|did\.)/,
  },
  { weight: 1.5, pattern: /\b(welcome back|come (on )?in|good to see you|both of you)\b/ },
  {
    weight: 1.5,
    pattern:
      /\b(coping|grounding|opposite action|automatic thought|cognitive|exposure|the ladder|confidentiality|the diagnosis|your (score|pulse|blood pressure|weight|labs|chart|pharmacy))\b/,
  },
  {
    weight: 3,
    pattern:
      /\b(the )?(patient|client) (reports|reported|denies|denied|presents|presented|states|endorses|was seen|is a)\b/,
  },
]

/** What clients say and clinicians hardly do: their own symptoms, days, people, doses taken. */
const clientCues: readonly Cue[] = [
  {
    weight: 1.5,
    pattern:
      /\bi (feel|felt|cried|slept|woke|wake|worry|worried|drank|drink|forgot|stopped|missed|ran out|can't|couldn't|freeze|shout|panicked|lie|lay|fall asleep|haven't|hate|stay up)\b/,
  },
  {
    weight: 1.5,
    pattern:
      /\bi('m| am|'ve been| have been| was| get| got| feel| felt) (\w+ )?(so |really |just |kind of |a (bit|little) |pretty |always |still )?(tired|exhausted|anxious|nervous|scared|sad|down|depressed|angry|ashamed|guilty|lonely|worried|stressed|overwhelmed|numb|better|worse|okay|fine|proud|sweating|shaking|crying|sober|stuck|afraid|cranky|calmer)\b/,
  },
  {
    weight: 1.5,
    pattern:
      /\bmy (boss|manager|mother|mom|father|dad|husband|wife|sister|brother|son|daughter|kids?|parents|partner|girlfriend|boyfriend|cousin|sponsor|heart|chest|hands?|mouth|mood|sleep|anxiety|job|doctor|phone|appetite|medication|voice|family|journal|pants)\b/,
  },
  {
    weight: 1,
    pattern:
      /\bi (take|took|had|have|tried|started|went|told|called|sat|stood|got|used to|don't know|guess|think so|did)\b/,
  },
  {
    weight: 1,
    pattern:
      /\bi('ll| will) (try|do that|put it|sign)\b|\bi can do that\b|\bwhen should i\b|\bshould i\b|\bcan i (skip|take|stop)\b/,
  },
  {
    weight: 1,
    pattern:
      /^(yes|yeah|no|nope|not really|sure|i guess|i don't know|okay|all right|fine|never|exactly|pretty much|most nights|a (few|couple|bit)|maybe)\b[^?]{0,30}$/,
  },
  { weight: 1.5, pattern: /\b(doctor|dr\.?) [a-z]+\b(?!.{0,200}\?)/ },
  {
    weight: 1,
    pattern:
      /\b(five|six|seven|eight|nine|four|three|two|ten|\d+) out of (ten|a hundred|10|100)\b|^(zero|one|two|three|four|five|six|seven|eight|nine|ten|\d+)\.?$/,
  },
]

const questionStart =
  /^(and |so |but |okay,? |good,? |great,? |right,? |now,? |then,? )*(how|what|when|where|which|who|why|have you|has|are you|were you|do you|does|did you|did|is (it|that|there|your)|can you|could you|would you|any|tell me)\b/

/** One sentence; positive for the clinician, negative for the client. Recognizers drop question marks: the words count as well. */
export function weighSentence(sentence: string): number {
  const text = sentence.toLowerCase().replaceAll('’', "'").trim()
  if (text === '') return 0
  let weight = 0
  const isQuestion = text.endsWith('?') || questionStart.test(text)
  const isOwn = /\b(should|can|do|will|am|when should|could) i\b/.test(text)
  if (isQuestion && !isOwn) weight += /\byou(r|rs|rself)?\b|^(and |so )?(any|how|what)\b/.test(text) ? 2 : 1
  for (const cue of clinicianCues) if (cue.pattern.test(text)) weight += cue.weight
  if (!isQuestion) {
    for (const cue of clientCues) if (cue.pattern.test(text)) weight -= cue.weight
    weight += weighPersons(text)
  }
  return Math.max(-4, Math.min(5, weight))
}

/** Clients speak of themselves, clinicians of the one they speak to. */
function weighPersons(text: string): number {
  const first = text.match(/\b(i|i'm|i've|i'd|me|my|myself|mine)\b/g)?.length ?? 0
  const second = text.match(/\b(you|your|you're|you've|yourself)\b/g)?.length ?? 0
  return Math.max(-1.5, Math.min(1.5, 0.5 * (second - first)))
}

/** "Dr. Hale" is no end of a sentence. */
export function splitSentences(text: string): string[] {
  return text
    .split(/(?<=[.?!])(?<!\b(?:Dr|Mr|Mrs|Ms)\.)\s+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '')
}
