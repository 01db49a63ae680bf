const opensWithVerb =
  /^(?:and |so |but |okay,? |now,? |well,? )*(?:are|is|was|were|do|does|did|have|has|had|can|could|would|will|should|any(?!way|time i))\b\s*(?:you|your|the|there|that|it|they|he|she|this|any|thoughts?|[a-z]+ing|[a-z]+s\b)/i

const opensWithWh =
  /^(?:and |so |but |okay,? |now,? |well,? )*(?:what|when|where|who|why|how|which)(?:(?:'s|’s)\b|(?: (?!I\b|we\b|he\b|she\b|they\b|it\b|you\b)\w+){0,3}? (?:are|is|was|were|do|does|did|have|has|had|can|could|would|will|about) (?:you|your|the|it|that|this|they|he|she|there|we)\b)/i

const tag = /,\s*(?:right|correct|is that right|isn't it|don't you|aren't you|have you)\s*[?.]?$/i

/** Whether a sentence asks. Recognized speech does not always carry its question mark. */
export const isQuestion = (sentence: string): boolean => {
  const text = sentence.trim()
  if (/\?["”’')]*$/.test(text)) return true
  if (/^(?:so |and |okay,? |now,? )*(?:tell me|walk me through|describe|say more)\b/i.test(text)) return true
  return (
    opensWithVerb.test(text) || (opensWithWh.test(text) && !/^what (?:i|we) /i.test(text)) || tag.test(text)
  )
}
