const notAsked =
  /\bnot (?:asked|assessed|discussed|addressed|explored|screened|reviewed|stated|raised|mentioned|evaluated|inquired|covered)\b|\b(?:did not|didn't) (?:ask|assess|discuss|screen|review|address)\b/i

/** Whether a sentence says that something was not talked about; it rests on no items by its nature. */
export const saysNotAsked = (text: string): boolean => notAsked.test(text)
