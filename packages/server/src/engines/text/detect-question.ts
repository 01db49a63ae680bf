const opensWithVerb =
  /^(?:and |so |but |okay,? |now,? |well,? )*(?:(?:are|is|was|were|does|did|has|had) (?:you|your|the|there|that|it|they|he|she|this|any|we)\b|(?:do|have|can|could|would|will|should) (?:you|they|he|she|it|we|i)\b|any (?!way\b|time\b|day\b)[a-z]+)/i

const opensWithWh =
  /^(?:and |so |but |okay,? |now,? |well,? )*(?:what|when|where|who|why|how|which)(?:(?:'s|’s)\b|(?: (?!I\b|we\b|he\b|she\b|they\b|it\b|you\b)\w+){0,3}? (?:are|is|was|were|do|does|did|have|has|had|can|could|would|will|about) (?:you|your|the|it|that|this|they|he|she|there|we)\b)/i

/** "So no thoughts of suicide.": said to be confirmed. */
const checksBack =
  /^(?:so,? |and |okay,? |then )*no (?:more )?(?:thoughts?|plans?|intent\w*|urges?|suicid\w*|voices|side effects?|nightmares|panic)\b/i

/** "and how confident", "why a four and not a zero", "what dose": without a verb of its own. */
const inFewWords =
  /^(?:and |so |okay,? )*(?:how (?:confident|important|ready|sure|likely|willing|motivated|often|long|many|much|bad|late)|what (?:dose|time|number)|why (?:an?|not) [a-z][a-z ]*)\.*$/i

const tag = /,\s*(?:right|correct|is that right|isn't it|don't you|aren't you|have you)\s*[?.]?$/i

/** Whether a sentence asks. Recognized speech does not always carry its question mark. */
export const isQuestion = (sentence: string): boolean => {
  const text = sentence.trim()
  if (/\?["”’')]*$/.test(text)) return true
  if (/^(?:and |so )*how come\b/i.test(text) || inFewWords.test(text)) return true
  if (
    /^(?:so |and |okay,? |now,? )*(?:on a scale (?:of|from)|tell me|walk me through|describe|say more|rate (?:it|that|this))\b/i.test(
      text,
    )
  )
    return true
  return (
    opensWithVerb.test(text) ||
    checksBack.test(text) ||
    (opensWithWh.test(text) && !/^what (?:i|we) /i.test(text)) ||
    tag.test(text)
  )
}

/** "Like once a week?": an answer in a rising voice, as clients give it to a question. */
const isAnswerInDoubt = (sentence: string): boolean =>
  /,\s*(?:okay|ok|all right|you know|yeah)\?$/i.test(sentence.trim()) ||
  (sentence.trim().split(/\s+/).length <= doubtWordsMax &&
    !opensWithVerb.test(sentence.trim()) &&
    !/\b(?:what|when|where|who|why|how|which|you|your|is (?:that|it|this)|does (?:that|it)|right|huh|supposed to)\b/i.test(
      sentence,
    ))

/** Longer sentences that end in a question mark ask. */
const doubtWordsMax = 8

/** "alcohol", "how's the back", "sweats teeth problems": a word or two for what is asked about, where no stop was heard. */
const inAWord =
  /^(?:(?:and|okay|so|any|what about|how about|your|the) )*(?:(?!(?:you|it|that|this|I|no|not)\b)(?:\w+ ){0,2}(?:sleep|appetite|mood|energy|alcohol|drinking|drugs|weed|cannabis|nicotine|smoking|vaping|caffeine|cravings?|allerg(?:y|ies)|headaches?|nausea|constipation|sweats|dizziness|nightmares|voices|weight|concentration|focus|anxiety|worry|panic|pain|side effects|problems)|(?:naloxone|narcan)(?: (?:at home|with you|on you|handy|on hand))?)$/i

/** Whether somebody asks with it: a client's rising voice is none, a clinician's bare word is one. */
export const doesAsk = (sentence: string, isClinician: boolean): boolean =>
  isClinician
    ? isQuestion(sentence) || inAWord.test(sentence.trim())
    : isQuestion(sentence) && !isAnswerInDoubt(sentence)
