const opensWithVerb =
  /^(?:and |so |but |okay,? |now,? |well,? )*(?:are|is|was|were|do|does|did|have|has|had|can|could|would|will|should|any(?!way|time i))\b\s*(?:you|your|the|there|that|it|they|he|she|this|any|thoughts?|[a-z]+ing|[a-z]+s\b)/i

const opensWithWh =
  /^(?:and |so |but |okay,? |now,? |well,? )*(?:what|when|where|who|why|how|which)(?:'s|’s)?\b(?: \w+){0,3}? (?:are|is|was|were|do|does|did|have|has|had|can|could|would|will|about|many|much|often|long)\b/i

const tag =
  /,\s*(?:right|correct|yeah|okay|huh|is that right|isn't it|don't you|aren't you|have you)\s*[?.]?$/i

/** Whether a sentence asks. Recognized speech does not always carry its question mark. */
export const isQuestion = (sentence: string): boolean => {
  const text = sentence.trim()
  if (/\?["”’')]*$/.test(text)) return true
  return (
    opensWithVerb.test(text) || (opensWithWh.test(text) && !/^what (?:i|we) /i.test(text)) || tag.test(text)
  )
}
