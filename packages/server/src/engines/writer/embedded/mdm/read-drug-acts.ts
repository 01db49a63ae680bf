export type DrugAction = 'start' | 'increase' | 'decrease' | 'stop' | 'continue' | 'switch' | 'change'

/** One decision as a sentence says it: the verb, and the words up to the next one. */
export interface DrugAct {
  action: Exclude<DrugAction, 'change'>
  start: number
  verbEnd: number
  end: number
}

const resolve = String.raw`(?:let's|let us|we'll|we will|i'll|i will|i'm going to|i am going to|we're going to|we are going to|i'd like (?:you )?to|i would like (?:you )?to|i want (?:you )?to|i recommend|i'd recommend|i suggest|the plan is to|my plan is to|plan to|we can|we should|you can|go ahead and|i'd keep|i would keep|please|i'm|we're|(?:then |so |and )?we(?= (?:continue|keep|stay|leave|increase|raise|start|stop|go|lower)))`
const actionWords: readonly (readonly [DrugAct['action'], string])[] = [
  [
    'increase',
    String.raw`(?:increas(?:e|ing)|rais(?:e|ing)|go(?:ing)? up|bump(?:ing)?(?: it)? up|bump(?:ing)?|mov(?:e|ing) (?:it |you |that )?up|(?:bring|tak)(?:e|ing)? (?:[\w-]+ ){1,3}?up|doubl(?:e|ing)|titrat(?:e|ing) up)`,
  ],
  [
    'decrease',
    String.raw`(?:decreas(?:e|ing)|lower(?:ing)?|reduc(?:e|ing)|go(?:ing)? down|taper(?:ing)?|halv(?:e|ing)|cut(?:ting)? (?:it |the |your |back|down)|(?:bring|tak)(?:e|ing)? (?:[\w-]+ ){1,3}?down|com(?:e|ing) down|back(?:ing)? off)`,
  ],
  [
    'stop',
    String.raw`(?:stop(?:ping)?|discontinu(?:e|ing)|come off|coming off|get(?:ting)? (?:you )?off|tak(?:e|ing) you off|hold(?:ing)? the)`,
  ],
  ['switch', String.raw`(?:switch(?:ing)?|chang(?:e|ing) (?:you |it |over )?(?:to|from))`],
  [
    'start',
    String.raw`(?:start(?:ing)?|begin(?:ning)?|try(?:ing)?|add(?:ing)?|prescrib(?:e|ing)|initiat(?:e|ing)|put(?:ting)? you on)`,
  ],
  [
    'continue',
    String.raw`(?:continu(?:e|ing)|keep(?:ing)?|stay(?:ing)?|maintain(?:ing)?|leav(?:e|ing)|stick(?:ing)? with|remain(?:ing)?|refill(?:ing)?|send(?:ing)? in)`,
  ],
]
const verbs = actionWords.map(([action, words]) => `(?<${action}>${words})`).join('|')
const joint = String.raw`(?:[,;]|\b(?:and|then|but|plus|while)\b)`
const decisionPattern = new RegExp(
  String.raw`(?:^(?:(?:so|okay|and|then|great|good|perfect|alright),? )*|\b${resolve}\b|(?<joint>${joint}) )(?<between>[^.?!]{0,40}?)\b(?:${verbs})\b`,
  'gi',
)
const resolved = new RegExp(String.raw`\b${resolve}\b`, 'i')
const unresolved =
  /\b(?:not|never|\w+n't|could|might|consider|think about|talk about|discuss|maybe|before|or)\b/i
const conditional = /\b(?:if|unless|should (?:it|that|this|you))\b/i
/** "If that's okay with you, let's go up": asked out of courtesy. */
const courtesy =
  /\bif (?:you're|you are|that's|that is|it's) (?:okay|ok|fine|good|willing|comfortable|alright|all right)\b/gi

/** Only what was resolved, in the order of the sentence: "continue the one and start the other" is two. */
export function readDrugActs(text: string): DrugAct[] {
  const acts: (DrugAct & { isGerund: boolean })[] = []
  for (const match of text.matchAll(decisionPattern)) {
    const groups = match.groups ?? {}
    const action = actionWords.find(([name]) => groups[name] !== undefined)?.[0]
    if (action === undefined) continue
    const verb = groups[action] ?? ''
    const isGerund = /^\w+ing\b/i.test(verb) && !/^bring\b/i.test(verb)
    const last = acts.at(-1)
    const between = groups['between'] ?? ''
    const isBehindJoint = groups['joint'] !== undefined
    const isJoined = isBehindJoint && !resolved.test(`${between}${verb}`)
    // "…, starting tomorrow" says when; only behind "I'm stopping the one" is it another decision.
    if (isJoined && (last === undefined || (isGerund && !last.isGerund))) continue
    // "You've been trying to" tells of the client.
    if (isGerund && /\byou(?:'ve| have|'re| are)?(?: \w+)? $/i.test(between)) continue
    if (!isResolved(between, isBehindJoint)) continue
    const end = match.index + match[0].length
    acts.push({ action, start: end - verb.length, verbEnd: end, end: text.length, isGerund })
  }
  return acts.map(({ action, start, verbEnd }, at) => ({
    action,
    start,
    verbEnd,
    end: acts[at + 1]?.start ?? text.length,
  }))
}

/** A negation in the clause before, "because it's not enough, and start …", denies nothing of this one. */
function isResolved(between: string, isBehindJoint: boolean): boolean {
  const asked = between.replaceAll(courtesy, ' ')
  const own = isBehindJoint ? (asked.split(new RegExp(joint, 'i')).at(-1) ?? '') : asked
  return !conditional.test(asked) && !unresolved.test(own)
}
