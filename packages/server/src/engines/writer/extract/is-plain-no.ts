const plainNo =
  /^(?:(?:oh|um|uh|well|god|gosh|honestly)[, ]+)*(?:no|nope|nah|never|none|nothing|not at all|i (?:don['’]t|haven['’]t|didn['’]t|would never|am not)|i['’]m not)\b/i

/** Whether an answer opens with a no that nobody could take for anything else. */
export const isPlainNo = (text: string): boolean => plainNo.test(text)
