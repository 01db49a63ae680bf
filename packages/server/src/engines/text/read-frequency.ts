/** How often a day something is taken, where a text says so in words for it: "twice a day", "t.i.d.", "2 times daily". */
export const readTimesADay = (text: string): number[] => {
  const found = new Set<number>()
  for (const { groups } of text.toLowerCase().matchAll(pattern)) {
    const times = counts.get((groups?.['count'] ?? groups?.['latin'] ?? '').replaceAll('.', ''))
    if (times !== undefined) found.add(times)
  }
  return [...found]
}

const counts = new Map([
  ['once', 1],
  ['one time', 1],
  ['1 time', 1],
  ['1x', 1],
  ['twice', 2],
  ['two times', 2],
  ['2 times', 2],
  ['2x', 2],
  ['bid', 2],
  ['three times', 3],
  ['3 times', 3],
  ['3x', 3],
  ['tid', 3],
  ['four times', 4],
  ['4 times', 4],
  ['4x', 4],
  ['qid', 4],
])

const pattern =
  /\b(?:(?<count>once|twice|(?:one|1) time|(?:two|three|four|[234]) times|[1-4]x) ?(?:a day|per day|each day|every day|daily)|(?<latin>b\.?i\.?d|t\.?i\.?d|q\.?i\.?d))\b/g
