/** Apart from the schema: the frame loads it without TypeBox. An hour of talk has 9,000 words, and nobody types more of it. */
export const sessionTextLengthMax = 50_000
