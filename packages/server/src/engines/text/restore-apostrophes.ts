/** What some recognizers write for contractions; a denial must be found in "dont" as well. */
const contractions: Readonly<Record<string, string>> = Object.fromEntries(
  `don't doesn't didn't isn't aren't wasn't weren't haven't hasn't hadn't wouldn't couldn't shouldn't can't won't ain't I'm I've
  that's there's what's how's who's where's he's she's you're you've they're they've we've y'all`
    .split(/\s+/)
    .map((word) => [word.toLowerCase().replace("'", ''), word]),
)

const written = new RegExp(`\\b(?:${Object.keys(contractions).join('|')})\\b`, 'gi')

/** "its", "lets", "ill" and "id" are words of their own; before these they are contractions. */
const twofold: readonly [RegExp, string][] = [
  [
    /\b(i)ts (?=(?:an?|the|my|not|been|like|just|so|really|very|pretty|kind|all|okay|fine|good|bad|hard|better|worse|too|always|never|still|about|\w+ing)\b)/gi,
    "$1t's ",
  ],
  [
    /\b(l)ets (?=(?:go|see|talk|try|do|start|keep|stop|move|look|say|take|make|get|put|not|just)\b)/gi,
    "$1et's ",
  ],
  [
    /\bill (?=(?:be|go|try|call|do|take|ask|see|have|get|write|tell|bring|come|keep|start|stop|send)\b)/gi,
    "I'll ",
  ],
  [/\bid (?=(?:like|say|be|rather|never|have|go|want|just|feel|do)\b)/gi, "I'd "],
]

const capitals = /\bi\b(?![.'’]\w)|\bi(?=['’](?:m|ve|d|ll)\b)/g

const mayLack = /\b(?:i|its|lets|id|ill)\b/i

/** Heard words as they are spelled: some recognizers write neither apostrophes nor capitals. */
export const restoreApostrophes = (text: string): string => {
  const spelled = text.replace(written, (word) => contractions[word.toLowerCase()] ?? word)
  return mayLack.test(spelled)
    ? twofold
        .reduce((restored, [pattern, word]) => restored.replace(pattern, word), spelled)
        .replace(capitals, 'I')
    : spelled
}
